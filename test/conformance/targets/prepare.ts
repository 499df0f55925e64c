// Prepares a server for rows: the definitions that rows share, and a namespace for one row.
import type { ApiResponse, Transport } from '@pawl/kube-api';
import { show } from '../matchers.ts';
import { group } from '../rows/dsl.ts';

export interface Preparation {
  readonly namespace?: string;
  /** CustomResourceDefinitions to install. */
  readonly definitions?: readonly { readonly metadata: { readonly name: string } }[];
  readonly pass: (ms: number) => Promise<void>;
  /** True: wait for the service account that a controller gives to each namespace. */
  readonly awaitServiceAccount?: boolean;
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Installs definitions and waits until they are served; creates the namespace. What is there already is left alone. */
export async function prepare(transport: Transport, preparation: Preparation): Promise<void> {
  const { namespace, definitions = [], pass } = preparation;
  for (const body of definitions) await created(transport, crds, body);
  for (const { metadata } of definitions) {
    await until(pass, `the definition ${metadata.name}`, async () => {
      const { body } = await transport.request({ method: 'GET', path: `${crds}/${metadata.name}` });
      const conditions = (body as { status?: { conditions?: readonly { type: string; status: string }[] } }).status
        ?.conditions;
      return conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
    });
  }
  if (namespace === undefined) return;
  await created(transport, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  if (preparation.awaitServiceAccount !== true) return;
  await until(pass, `the service account of ${namespace}`, async () => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    return (await transport.request({ method: 'GET', path })).status === 200;
  });
}

async function created(transport: Transport, path: string, body: unknown): Promise<void> {
  const answer: ApiResponse = await transport.request({ method: 'POST', path, body });
  if (answer.status !== 201 && answer.status !== 409) {
    throw new Error(`POST ${path} answered ${String(answer.status)} ${show(answer.body)}`);
  }
}

async function until(pass: (ms: number) => Promise<void>, what: string, done: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (await done()) return;
    await pass(100);
  }
  throw new Error(`${what} is not ready after 30 s`);
}

/** Removes what rows left: their namespaces with everything in them, their own definitions, and the shared ones. */
export async function cleanUp(
  transport: Transport,
  namespaces: readonly string[],
  definitions: readonly { readonly metadata: { readonly name: string }; readonly spec: object }[],
): Promise<void> {
  const own = namespaces.map((namespace) => `${crds}/things.${namespace}.example`);
  const shared = definitions.map(({ metadata }) => `${crds}/${metadata.name}`);
  for (const path of [...namespaces.map((name) => `/api/v1/namespaces/${name}`), ...own, ...shared]) {
    await transport.request({ method: 'DELETE', path });
  }
  const things = namespaces.map((namespace) => `/apis/${namespace}.example/v1`);
  const held = [
    ['/api/v1', 'configmaps'],
    ['/apis/apps/v1', 'deployments'],
    [`/apis/${group}/v1`, 'widgets'],
    [`/apis/${group}/v1`, 'gadgets'],
    ...things.map((base) => [base, 'things'] as const),
  ] as const;
  for (const [base, plural] of held) await releaseAll(transport, new Set(namespaces), base, plural);
}

/** Takes the finalizers from what rows left in their namespaces, or it would stay for ever. */
async function releaseAll(
  transport: Transport,
  namespaces: ReadonlySet<string>,
  base: string,
  plural: string,
): Promise<void> {
  const { body } = await transport.request({ method: 'GET', path: `${base}/${plural}` });
  const items =
    (body as { items?: readonly { metadata: { name: string; namespace?: string; finalizers?: unknown } }[] }).items ??
    [];
  for (const { metadata } of items) {
    const { name, namespace, finalizers } = metadata;
    if (finalizers === undefined || namespace === undefined || !namespaces.has(namespace)) continue;
    await transport.request({
      method: 'PATCH',
      path: `${base}/namespaces/${namespace}/${plural}/${name}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { finalizers: null } },
    });
  }
}
