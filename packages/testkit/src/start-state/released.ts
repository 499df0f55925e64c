// Which released versions an exploration knows nothing of: neither their procedure nor a state that they left.
import { compareVersions, isInRange, type ProceduresLock } from '@pawl/reconciler';
import type { ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import { recordOf } from '../explore/state.ts';
import type { StartState } from './start-state.ts';

export interface Released {
  readonly lock: ProceduresLock;
  /** The versions that objects may still be at, as a range. Default: all. */
  readonly support?: string | undefined;
}

/** One sentence for each. */
export function unknownReleases(
  kinds: readonly { readonly resource: Pick<ProcedureCatalog['resource'], 'kind'>; readonly procedures: readonly { readonly version: string }[] }[],
  states: readonly StartState[],
  { lock, support }: Released,
): readonly string[] {
  return lock.kinds.flatMap(({ kind, versions }) => {
    const procedures = kinds.find(({ resource }) => resource.kind === kind)?.procedures ?? [];
    const objects = states.flatMap((state) => state.objects.filter((object) => object.kind === kind));
    const recorded = objects.flatMap((object) => recordOf(object)?.applied ?? []);
    return versions
      .filter(({ version }) => support === undefined || isInRange(version, support))
      .filter(({ version }) => ![...procedures, ...recorded].some((known) => compareVersions(known.version, version) === 0))
      .map(({ version, lastRelease }) => `${version} of ${kind}, released in ${lastRelease}: its procedure has left the catalog, and there is no recorded state of it`);
  });
}
