// Looks for wrong objects: what the cluster holds for an object, beside what a fresh install makes for it.
import {
  ANNOTATIONS,
  kindsOf,
  LABELS,
  ownerHashOf,
  type KubernetesObject,
  type ProcedureCatalog,
} from '@pawl/reconciler/kubernetes';
import type { ApiClient } from './api-client.ts';
import { differences, titleOf, type Json } from './differences.ts';
import { freshInstall } from './reference.ts';

/** What a look at the objects found. */
export interface Findings {
  readonly objects: number;
  /** One sentence for each object that is not as it should be. */
  readonly wrong: readonly string[];
}

/**
 * Compares the objects of `object`, which is Ready at `version`, with those of a fresh install.
 * @param catalog one that holds every version the object has been at: their kinds are searched
 */
export async function checkObjects(
  client: ApiClient,
  catalog: ProcedureCatalog,
  object: Json,
  version: string,
): Promise<Findings> {
  const [found, expected] = await Promise.all([
    ownedObjects(client, catalog, object),
    freshInstall(catalog, version, object),
  ]);
  return { objects: found.length, wrong: [...differences(found, expected), ...found.flatMap(wrongStamp(version))] };
}

/** Whatever is left of an object that is gone. */
export async function checkNothingLeft(client: ApiClient, catalog: ProcedureCatalog, object: Json): Promise<Findings> {
  const left = await ownedObjects(client, catalog, object);
  return { objects: left.length, wrong: left.map((child) => `${titleOf(child)}: left behind`) };
}

async function ownedObjects(client: ApiClient, catalog: ProcedureCatalog, object: Json): Promise<readonly Json[]> {
  const { namespace } = object['metadata'] as { readonly namespace?: string };
  const selector = `${LABELS.owner}=${ownerHashOf(object as unknown as KubernetesObject)}`;
  const lists = kindsOf(catalog).owns.map((kind) => client.list(kind, namespace, selector));
  return (await Promise.all(lists)).flat();
}

const wrongStamp =
  (version: string) =>
  (child: Json): readonly string[] => {
    const { annotations = {} } = child['metadata'] as { readonly annotations?: Readonly<Record<string, string>> };
    const stamp = annotations[ANNOTATIONS.version];
    return stamp === version ? [] : [`${titleOf(child)}: stamped ${stamp ?? 'nothing'}, expected ${version}`];
  };
