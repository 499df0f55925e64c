// The owned objects of one object, found live by scope and owner label.
import type { ScopeEntry } from '@pawl/reconciler';
import { groupOf, LABELS, type KubernetesObject, type ResourceType } from '@pawl/reconciler/kubernetes';

import type { KubeClient } from '../client/kube-client.ts';
import { KindNotServedError } from '../discovery/kind-not-served.ts';

/** Finds the version of a kind to read it with: that of a known handle, or the one the server prefers. */
export type TypeOf = (entry: ScopeEntry) => Promise<ResourceType | undefined>;

/** The kind that a scope entry names: as the packages know it, else as the server prefers it. */
export function typeFinder(client: KubeClient, known: readonly ResourceType[]): TypeOf {
  return async ({ group, kind }) => {
    const handle = known.find((type) => type.kind === kind && groupOf(type.apiVersion) === group);
    if (handle !== undefined) return handle;
    for (const version of await client.discovery.servedVersions(group)) {
      const type = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
      if (await client.discovery.serves(type)) return type;
    }
    return undefined;
  };
}

/**
 * One consistent list for each kind and namespace of the scope. A kind that the server no longer serves holds nothing.
 * Any other failure is thrown: what could not be read must not be taken for absent.
 */
export async function listOwned(
  client: KubeClient,
  scope: readonly ScopeEntry[],
  ownerHash: string,
  typeOf: TypeOf,
  signal: AbortSignal,
): Promise<readonly KubernetesObject[]> {
  const labelSelector = `${LABELS.owner}=${ownerHash}`;
  const places = scope.flatMap((entry) =>
    (entry.namespaces.length === 0 ? [undefined] : entry.namespaces).map((namespace) => ({ entry, namespace })),
  );
  const lists = await Promise.all(
    places.map(async ({ entry, namespace }) => {
      const type = await typeOf(entry);
      if (type === undefined) return [];
      try {
        return (await client.list(type, { namespace, labelSelector, signal })).items;
      } catch (error) {
        if (error instanceof KindNotServedError) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}
