// The example's world: an API over HTTP with its actors, the CRD, the sample, and questions about how it stands.
import { createApiServer, startActors, type Actors, type ApiRequest, type ApiServer, type Listening } from '@pawl/kube-api';
import release2 from '@pawl/example-website';
import { systemClock } from '@pawl/reconciler';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Json = Readonly<Record<string, unknown>>;
type Metadata = { readonly name: string; readonly labels?: Json; readonly annotations?: Json; readonly finalizers?: unknown };

const SITES = '/apis/example.pawl.dev/v1alpha1/namespaces/default/websites';
const SAMPLE = new URL('../../examples/website/website.yaml', import.meta.url);
const OWNED = ['/api/v1/namespaces/default/configmaps', '/api/v1/namespaces/default/services', '/apis/apps/v1/namespaces/default/deployments'];

/** Called around each request of the operator that changes something, counted from 1. */
export type OnWrite = (count: number, moment: 'before' | 'after') => Promise<'go on' | 'drop'>;

export class WebsiteWorld {
  readonly server: ApiServer;
  readonly #listening: Listening;
  readonly #actors: Actors;

  private constructor(server: ApiServer, listening: Listening, actors: Actors) {
    this.server = server;
    this.#listening = listening;
    this.#actors = actors;
  }

  /** A new world, or one with the objects of another. */
  static open = async (from?: WebsiteWorld, onWrite?: OnWrite): Promise<WebsiteWorld> => {
    let writes = 0;
    const hooks = {
      request: async (request: ApiRequest, proceed: () => ReturnType<ApiServer['request']> extends Promise<infer R> ? R : never) => {
        if (onWrite === undefined || !isWriteOfOperator(request)) return proceed();
        const count = (writes += 1);
        if ((await onWrite(count, 'before')) === 'drop') return { status: 503, headers: {}, body: 'killed' };
        const answer = proceed();
        await onWrite(count, 'after');
        return answer;
      },
    };
    const server = from === undefined ? createApiServer({ hooks }) : from.server.fork({ hooks });
    const actors = startActors(server, { clock: systemClock, podReadyAfterMs: 20 });
    const world = new WebsiteWorld(server, await server.listen(), actors);
    if (from === undefined) await world.#install();
    return world;
  };

  get url(): string {
    return this.#listening.url;
  }

  website = async (): Promise<Json | undefined> => {
    const { status, body } = await this.server.request({ method: 'GET', path: `${SITES}/hello` });
    return status === 200 ? (body as Json) : undefined;
  };

  /** Waits until the website is Ready and steady at a version. @throws with `why()` if it is not in time */
  until = async (version: string, why: () => string, withinMs = 20_000): Promise<void> => {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const status = ((await this.website())?.['status'] ?? {}) as {
        readonly procedure?: { readonly version?: string; readonly phase?: string };
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
      };
      const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
      if (isReady && status.procedure?.version === version && status.procedure.phase === 'Steady') return;
      if (Date.now() > deadline) throw new Error(`not at ${version}: ${JSON.stringify(status)}\n${why()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  /** What a user would compare after a run: the website's record and its objects, without what every run names anew. */
  finalState = async (): Promise<Json> => {
    const lists = await Promise.all(OWNED.map((path) => this.server.request({ method: 'GET', path })));
    const children = lists.flatMap(({ body }) => (body as { readonly items: readonly Json[] }).items);
    const owned = children.filter((child) => {
      const { labels } = child['metadata'] as Metadata;
      return labels?.['procedures.pawl.dev/owner'] !== undefined;
    });
    const { metadata, status } = (await this.website()) as { readonly metadata: Metadata; readonly status: Json };
    const { record, ...seen } = status['procedure'] as Json & { readonly record: Json };
    const { applied, version, target } = record;
    const { phase, summary } = seen;
    return { children: owned.map(plain), finalizers: metadata.finalizers, applied, version, target, phase, summary };
  };

  close = async (): Promise<void> => {
    await this.#actors.stop();
    await this.#listening.close();
    this.server.close();
  };

  #install = async (): Promise<void> => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const crd of release2.crds) await this.#create(crds, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd });
    await this.#create(SITES, parse(readFileSync(SAMPLE, 'utf8')) as Json);
  };

  async #create(path: string, body: unknown): Promise<void> {
    const answer = await this.server.request({ method: 'POST', path, body });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }
}

function isWriteOfOperator({ method, path, headers }: ApiRequest): boolean {
  return method !== 'GET' && !path.includes('dryRun=') && headers?.['user-agent']?.startsWith('pawl/') === true;
}

function plain(child: Json): Json {
  const { kind, spec, data, metadata } = child as { readonly kind?: string; readonly spec?: Json; readonly data?: Json; readonly metadata: Metadata };
  const { clusterIP: _ip, clusterIPs: _ips, ...rest } = spec ?? {};
  const { 'procedures.pawl.dev/owner-uid': _uid, 'deployment.kubernetes.io/revision': _revision, ...annotations } = metadata.annotations ?? {};
  return { kind, name: metadata.name, labels: metadata.labels, annotations, spec: rest, data };
}
