// The quality-of-service class of a pod.
import { at, isObject, type KubeObject } from '../../json.ts';

/** How a pod is treated when memory runs out, from the resources of its containers. */
export function qosClass(object: KubeObject): string {
  const containers = ['containers', 'initContainers'].flatMap((list) => {
    const found = at(object, 'spec', list);
    return Array.isArray(found) ? found.filter(isObject) : [];
  });
  const resources = containers.map((container) => ({
    requests: quantities(at(container, 'resources', 'requests')),
    limits: quantities(at(container, 'resources', 'limits')),
  }));
  if (resources.every(({ requests, limits }) => requests.size === 0 && limits.size === 0)) return 'BestEffort';
  const fixed = resources.every(({ requests, limits }) =>
    ['cpu', 'memory'].every(
      (name) => limits.has(name) && (requests.get(name) ?? limits.get(name)) === limits.get(name),
    ),
  );
  return fixed ? 'Guaranteed' : 'Burstable';
}

function quantities(value: unknown): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value)
      .filter(([name]) => name === 'cpu' || name === 'memory')
      .map(([name, quantity]) => [name, String(quantity)]),
  );
}
