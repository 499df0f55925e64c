// `pawl versions` and `pawl can-drop`: which versions objects are at, and which versions the operator still needs.
import type { Inspection } from '@pawl/operator';
import { compareVersions, isInRange } from '@pawl/reconciler';

/** One version of one kind, as a row. */
export interface VersionRow {
  readonly kind: string;
  readonly version: string;
  /** In these packages; otherwise only objects know it. */
  readonly isKnown: boolean;
  /** Objects that are completely at it, and objects on whose record it stands partly applied. */
  readonly complete: number;
  readonly partial: number;
}

/** Versions of the catalogs and of the records of objects, newest first within a kind. */
export function versionRows(inspections: readonly Inspection[], kinds: Readonly<Record<string, readonly string[]>>): readonly VersionRow[] {
  return Object.entries(kinds).flatMap(([kind, known]) => {
    const entries = inspections.filter(({ object }) => object.kind === kind).flatMap(({ decision }) => decision.effective?.applied ?? []);
    const versions = [...new Set([...known, ...entries.map(({ version }) => version)])].toSorted((a, b) => compareVersions(b, a));
    return versions.map((version) => ({
      kind,
      version,
      isKnown: known.includes(version),
      complete: entries.filter((entry) => entry.version === version && entry.state === 'Complete').length,
      partial: entries.filter((entry) => entry.version === version && entry.state === 'Partial').length,
    }));
  });
}

/** An object that a version must stay for, and why. */
export interface Blocker {
  readonly object: string;
  readonly why: string;
}

/** The objects that no remaining version could act on if `dropped` were gone, or that are in the middle of it. */
export function blockersOf(dropped: string, inspections: readonly (Inspection & { readonly name: string })[]): readonly Blocker[] {
  return inspections.flatMap(({ name, decision, state }): Blocker[] => {
    const applied = decision.effective?.applied ?? [];
    const entry = applied.find(({ version }) => compareVersions(version, dropped) === 0);
    if (entry === undefined) return [];
    const rest = state.catalog.procedures.filter(({ version }) => compareVersions(version, dropped) !== 0);
    const successor = rest.find(
      (procedure) =>
        !procedure.withdrawn &&
        compareVersions(procedure.version, dropped) > 0 &&
        isInRange(dropped, entry.state === 'Complete' ? procedure.from : procedure.fromPartial),
    );
    if (entry.state === 'Partial' && successor === undefined)
      return [{ object: name, why: `${dropped} is partly applied, and no other version takes that over` }];
    if (successor === undefined) return [{ object: name, why: `it is at ${dropped}, and no other version takes that over` }];
    return [];
  });
}
