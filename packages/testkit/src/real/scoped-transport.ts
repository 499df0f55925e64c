// The parts of a cluster look after one namespace only: what others have in the same cluster is none of their business.
import type { ApiRequest, Transport } from '@pawl/operator';
import { partsOfPath } from '../world/api-paths.ts';

/** Kinds in namespaces that those parts list and watch. */
const SCOPED: ReadonlySet<string> = new Set([
  'controllerrevisions',
  'daemonsets',
  'deployments',
  'jobs',
  'persistentvolumeclaims',
  'poddisruptionbudgets',
  'pods',
  'replicasets',
  'statefulsets',
]);

/** A transport whose lists and watches of all namespaces are those of one. */
export function withinNamespace(transport: Transport, namespace: string): Transport {
  const scoped = (request: ApiRequest): ApiRequest => {
    const parts = partsOfPath(request.path);
    const isWide = request.method === 'GET' && parts !== undefined && parts.namespace === undefined && parts.name === undefined;
    if (!isWide || !SCOPED.has(parts.plural)) return request;
    const [bare = '', query] = request.path.split('?');
    const path = `${bare.slice(0, bare.lastIndexOf('/'))}/namespaces/${namespace}/${parts.plural}`;
    return { ...request, path: query === undefined ? path : `${path}?${query}` };
  };
  return { request: (request) => transport.request(scoped(request)), watch: (request) => transport.watch(scoped(request)) };
}
