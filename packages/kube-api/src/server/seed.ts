// What is there when a server starts.
import type { JsonObject, KubeObject } from '../json.ts';
import { settleDefinitions } from '../crd/controller.ts';
import { objectKey } from '../store/table.ts';
import { now, type Core } from './core.ts';
import { importObject } from './decode.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Creates the namespaces that every cluster has. */
export function seed(core: Core): void {
  for (const name of NAMESPACES) core.store.put('namespaces', name, namespace(core, name));
}

/**
 * Puts objects into a fresh server as they are: with their uids, times and status, and with new resourceVersions.
 *
 * @throws RangeError for an object of a kind that is not served.
 */
export function preload(core: Core, objects: readonly unknown[]): void {
  const imported = objects.map((object) => importObject(object) as KubeObject);
  const isDefinition = (object: KubeObject): boolean => object.kind === 'CustomResourceDefinition';
  for (const object of imported.filter(isDefinition)) place(core, object);
  settleDefinitions(core.store, core.registry, now(core));
  for (const object of imported) if (!isDefinition(object)) place(core, object);
}

function place({ store, registry }: Core, object: KubeObject): void {
  const type = registry.findKind(object.apiVersion, object.kind);
  if (type === undefined)
    throw new RangeError(`objects: found ${object.apiVersion} ${object.kind}, a kind that is not served`);
  const key = objectKey(object.metadata.namespace ?? '', object.metadata.name ?? '');
  store.put(type.table, key, type.toStorage(object));
}

function namespace(core: Core, name: string): KubeObject {
  const spec: JsonObject = { finalizers: ['kubernetes'] };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      uid: core.random.uuid(),
      creationTimestamp: now(core),
      labels: { 'kubernetes.io/metadata.name': name },
    },
    spec,
    status: { phase: 'Active' },
  };
}
