// Deleting owned objects: what a procedure no longer wants, and everything when the object itself goes.
import type { Procedure } from '@pawl/reconciler';
import { ANNOTATIONS, isProtectedKind, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { isConflict, isNotFound } from '../client/error-kinds.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { isKept } from '../cluster/owner-marks.ts';
import type { ClusterView } from '../cluster/view.ts';
import type { WriteGuard } from './guard.ts';

export interface RemovalParts {
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly guard: WriteGuard;
  readonly signal: AbortSignal;
}

const TRIES = 3;

/**
 * Deletes objects that a live list has found, each only if it is still exactly the one that was judged. One that has
 * changed meanwhile is left for the next pass.
 * @returns those whose deletion the server accepted
 */
export async function prune(
  objects: readonly KubernetesObject[],
  parts: RemovalParts,
): Promise<readonly KubernetesObject[]> {
  const deleted: KubernetesObject[] = [];
  for (const object of objects) {
    if (object.metadata.deletionTimestamp !== undefined) continue;
    const { uid, resourceVersion } = object.metadata;
    if (await remove(object, { uid, resourceVersion }, parts)) deleted.push(object);
  }
  return deleted;
}

/** The owned objects that go next in a teardown: those of the Actions that come last, until they are gone. */
export function nextWave(
  owned: readonly KubernetesObject[],
  procedure: Pick<Procedure<never>, 'actions'> | undefined,
): readonly KubernetesObject[] {
  const order = new Map([...(procedure?.actions.keys() ?? [])].map((name, index) => [name, index]));
  const rankOf = ({ metadata }: KubernetesObject): number =>
    order.get(metadata.annotations?.[ANNOTATIONS.action] ?? '') ?? order.size;
  const highest = Math.max(...owned.map(rankOf));
  return owned.filter((object) => rankOf(object) === highest);
}

/** What a teardown has to delete: not what outlives its owner by its kind or by a mark on it. */
export function removable(owned: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return owned.filter((object) => !isProtectedKind(object) && !isKept(object));
}

/**
 * Takes our owner reference from what outlives its owner: else the garbage collector would delete it with the owner. To be
 * called before the owner may go; a second call changes nothing.
 * @throws a conflict if one of them has changed meanwhile: then all have to be read anew
 */
export async function disown(
  owner: KubernetesObject,
  kept: readonly KubernetesObject[],
  { client, guard, signal, view }: RemovalParts,
): Promise<void> {
  for (const object of kept) {
    const { ownerReferences = [], uid, resourceVersion } = object.metadata;
    const others = ownerReferences.filter((reference) => reference.uid !== owner.metadata.uid);
    if (others.length === ownerReferences.length) continue;
    await guard.admit();
    const metadata = { uid, resourceVersion, ownerReferences: others };
    try {
      view.wrote(await client.mergePatch(object, object.metadata, { metadata }, { signal }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      view.removed(object);
    }
  }
}

/** Deletes a wave of a teardown, by uid: no later object of the same name is hit. Waits for nothing. */
export async function tearDown(wave: readonly KubernetesObject[], parts: RemovalParts): Promise<number> {
  let deleted = 0;
  for (const object of wave) {
    if (object.metadata.deletionTimestamp !== undefined) continue;
    if (await remove(object, { uid: object.metadata.uid }, parts)) deleted += 1;
  }
  return deleted;
}

async function remove(
  object: KubernetesObject,
  preconditions: { readonly uid: string; readonly resourceVersion?: string },
  { client, view, guard, signal }: RemovalParts,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    await guard.admit();
    try {
      const removal = await client.remove(object, object.metadata, {
        ...preconditions,
        propagation: 'Background',
        signal,
      });
      if (removal.gone) view.removed(object);
      else view.wrote(removal.object);
      return true;
    } catch (error) {
      if (isNotFound(error)) {
        view.removed(object);
        return false;
      }
      if (isConflict(error)) return false;
      if (attempt === TRIES) throw error;
    }
  }
}
