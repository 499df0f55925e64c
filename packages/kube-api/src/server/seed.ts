// What is there when a server starts.
import type { JsonObject, KubeObject } from '../json.ts';
import { now, type Core } from './core.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Creates the namespaces that every cluster has. */
export function seed(core: Core): void {
  for (const name of NAMESPACES) core.store.put('namespaces', name, namespace(core, name));
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
