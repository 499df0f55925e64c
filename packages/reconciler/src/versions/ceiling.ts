// What may become a new target: limits from the pin, from a request to go back, and from the parent.
import type { NormalizedProcedure } from './catalog.ts';
import type { ParentState } from './inputs.ts';
import type { Situation } from './situation.ts';
import { highest, isInRange, isNewer, isOlder, isPrerelease, isSame, isVersion } from './version.ts';

export interface Limits {
  /** No new target above it. */
  readonly ceiling: string | undefined;
  /** The pin names nothing in this catalog: stay, never take the nearest. */
  readonly isPinUnknown: boolean;
  /** The ceiling is the parent's, and no request lowers it. */
  readonly isParentCeiling: boolean;
  /** May become a target by itself. */
  readonly isEligible: (procedure: NormalizedProcedure) => boolean;
  /** The same, or named by `approve`, which is stronger than what a rollback left to be avoided. */
  readonly isAllowed: (procedure: NormalizedProcedure) => boolean;
  /** The newest version in general, whatever the limits. */
  readonly newest: string | undefined;
  readonly newestEligible: string | undefined;
}

/** The limits for new targets; undefined if the parent has no version that a child could follow. */
export function limitsOf(situation: Situation): Limits | undefined {
  const { catalog, facts, rollback, top } = situation;
  const parent = facts.parent === undefined ? undefined : parentCeiling(facts.parent);
  if (facts.parent !== undefined && parent === undefined) return undefined;
  const pin = pinOf(situation);
  // An unreadable request to go back starts no new hop up.
  const wish = rollback.isUnreadable ? top : rollback.version;
  const ceiling = lowest([pin.ceiling, wish, parent]);
  const isBelowCeiling = ({ version }: NormalizedProcedure): boolean =>
    ceiling === undefined || !isNewer(version, ceiling);
  const isReleased = ({ version, withdrawn }: NormalizedProcedure): boolean =>
    !withdrawn && (facts.prerelease === true || !isPrerelease(version));
  const isNamed = ({ version }: NormalizedProcedure): boolean =>
    [situation.settings.version, situation.approve.version].some((name) => name !== undefined && isSame(name, version));
  const isEligible = (procedure: NormalizedProcedure): boolean =>
    !pin.isUnknown &&
    (isReleased(procedure) || (!procedure.withdrawn && isNamed(procedure))) &&
    !situation.isAvoided(procedure) &&
    isBelowCeiling(procedure);
  const isApproved = (procedure: NormalizedProcedure): boolean =>
    situation.approve.version !== undefined &&
    isSame(procedure.version, situation.approve.version) &&
    !procedure.withdrawn &&
    !pin.isUnknown &&
    isBelowCeiling(procedure);
  const versions = (accept: (procedure: NormalizedProcedure) => boolean): string | undefined =>
    highest(catalog.procedures.filter(accept).map(({ version }) => version));
  return {
    ceiling,
    isPinUnknown: pin.isUnknown,
    isParentCeiling: parent !== undefined && parent === ceiling && wish === undefined,
    isEligible,
    isAllowed: (procedure) => isEligible(procedure) || isApproved(procedure),
    newest: versions(isReleased),
    newestEligible: versions(isEligible),
  };
}

/** Children follow the parent's target once it releases them, or while it has no version yet. */
function parentCeiling({ version, target, released }: ParentState): string | undefined {
  return (released === true || version === undefined ? target : undefined) ?? version;
}

function pinOf({ settings, catalog, procedure }: Situation): {
  readonly ceiling: string | undefined;
  readonly isUnknown: boolean;
} {
  const { version: pin } = settings;
  if (pin === undefined) return { ceiling: undefined, isUnknown: false };
  const ceiling = isVersion(pin)
    ? procedure(pin) && pin
    : highest(catalog.procedures.map(({ version }) => version).filter((version) => isInRange(version, pin)));
  return { ceiling, isUnknown: ceiling === undefined };
}

function lowest(versions: readonly (string | undefined)[]): string | undefined {
  let found: string | undefined;
  for (const version of versions)
    if (version !== undefined && (found === undefined || isOlder(version, found))) found = version;
  return found;
}
