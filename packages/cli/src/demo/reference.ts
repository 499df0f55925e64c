// What a fresh install of one version makes of an object: its procedure run in memory, its objects completed by a new API.
import { createApiServer } from '@pawl/kube-api';
import type { Procedure } from '@pawl/reconciler';
import {
  kindsOf,
  type KubernetesContext,
  type KubernetesObject,
  type ProcedureCatalog,
} from '@pawl/reconciler/kubernetes';
import { TestObject } from '@pawl/reconciler/testing';
import { pathOf, type Kind } from './api-client.ts';
import type { Json } from './differences.ts';

/**
 * The objects that an empty cluster holds after `version` was installed for `object`.
 * @throws if the procedure does not become reconciled there
 */
export async function freshInstall(catalog: ProcedureCatalog, version: string, object: Json): Promise<readonly Json[]> {
  const procedure = catalog.procedures.find((candidate) => candidate.version === version);
  if (procedure === undefined) throw new Error(`the catalog has no version ${version}`);
  const { apiVersion, kind, metadata, spec } = object as unknown as KubernetesObject & { readonly spec: unknown };
  const owner = { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace }, spec };
  const test = new TestObject(owner as unknown as KubernetesObject);
  await test.settle(procedure as unknown as Procedure<KubernetesContext<KubernetesObject>>, () => rollOut(test));
  const kinds = kindsOf(catalog).owns;
  const server = createApiServer();
  try {
    const made = test.cluster.all().flatMap((child) => {
      const type = kinds.find(
        (candidate) => candidate.apiVersion === child.apiVersion && candidate.kind === child.kind,
      );
      return type === undefined ? [] : [completed(server, type, child)];
    });
    return await Promise.all(made);
  } finally {
    server.close();
  }
}

/** Deployments become as they were asked to be, as their controller would see to it. */
function rollOut({ cluster }: TestObject<KubernetesObject>): void {
  for (const object of cluster.all()) {
    if (object.kind !== 'Deployment') continue;
    const { spec, metadata } = object as KubernetesObject & { readonly spec: { readonly replicas?: number } };
    const replicas = spec.replicas ?? 1;
    cluster.setStatus(object, metadata, {
      observedGeneration: metadata.generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    });
  }
}

/** The object as a server has it after it was created there, with every default. */
async function completed(
  server: ReturnType<typeof createApiServer>,
  kind: Kind,
  { metadata, ...content }: KubernetesObject,
): Promise<Json> {
  const { name, namespace, labels, annotations } = metadata;
  const { status: _status, ...desired } = content as Json;
  const { status, body } = await server.request({
    method: 'PATCH',
    path: `${pathOf(kind, metadata)}?fieldManager=pawl-demo`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { ...desired, metadata: { name, namespace, labels, annotations } },
  });
  if (status >= 300) throw new Error(`${kind.kind} ${name} was refused with ${status}`);
  return { apiVersion: kind.apiVersion, kind: kind.kind, ...(body as Json) };
}
