// What is believed to be in the cluster: the record in status, else its mirror, else the stamps on live objects.
import type { DecisionInput } from './inputs.ts';
import type { AvoidedVersion, RecordEntry, RecordHold, RecordMirror, ScopeEntry, VersionRecord } from './record.ts';
import { uniteScopes } from './scope.ts';
import { highest, isNewer, isSame, isVersion, UNKNOWN_VERSION } from './version.ts';

export interface EffectiveRecord {
  readonly applied: readonly RecordEntry[];
  readonly target: string | undefined;
  readonly avoid: readonly AvoidedVersion[];
  readonly floor: string | undefined;
  readonly hold: RecordHold | undefined;
  readonly epoch: number;
  readonly scope: readonly ScopeEntry[];
  /** It does not come from status alone: the next write of the record is an intent. */
  readonly reconstructed: boolean;
  /** Status holds this record. */
  readonly persisted: boolean;
  /** The object came back from a backup: its mirror was written for another uid. */
  readonly restored: boolean;
  readonly note: 'RecordDrift' | 'RecordReconstructed' | undefined;
}

/** The effective record of one object. `plain`: the catalog says nothing about versions. */
export function effectiveRecord(
  { record, mirror, uid, stamps = [] }: Pick<DecisionInput, 'record' | 'mirror' | 'uid' | 'stamps'>,
  plain: boolean,
): EffectiveRecord {
  const live = stamps.filter((stamp) => stamp === UNKNOWN_VERSION || isVersion(stamp));
  const isSetBack = mirror !== undefined && mirror.uid === uid && mirror.epoch > (record?.epoch ?? 0);
  return record !== undefined && record.applied.length > 0 && !isSetBack
    ? recorded(record, live)
    : reconstructed({ record, mirror, uid, live, plain });
}

/** Left by an operator that status does not know: nothing is known but its version. */
const stamped = (version: string): RecordEntry => ({
  version,
  state: 'Partial',
  rollbackTo: 'none',
  teardown: 'Procedure',
});

/** A newer stamp enters, for its writer may do anything; an older one is a stray, re-stamped or pruned, and never enters. */
function recorded(record: VersionRecord, live: readonly string[]): EffectiveRecord {
  const applied = [...record.applied];
  const top = highest(applied.map(({ version }) => version)) ?? UNKNOWN_VERSION;
  const drift = live.filter((stamp) => isNewer(stamp, top));
  for (const stamp of drift) if (!includes(applied, stamp)) applied.push(stamped(stamp));
  return {
    applied,
    target: record.target,
    avoid: record.avoid,
    floor: record.floor,
    hold: record.hold,
    epoch: record.epoch,
    scope: record.scope,
    reconstructed: record.reconstructed === true,
    persisted: true,
    restored: false,
    note: drift.length > 0 ? 'RecordDrift' : undefined,
  };
}

interface Remains {
  readonly record: VersionRecord | undefined;
  readonly mirror: RecordMirror | undefined;
  readonly uid: string;
  readonly live: readonly string[];
  readonly plain: boolean;
}

/**
 * Unites what is left. Partial wins. A mirror of another uid keeps states and target only if it is one Complete entry
 * and every live stamp agrees with it; what must not be entered again is always kept.
 */
function reconstructed({ record, mirror, uid, live, plain }: Remains): EffectiveRecord {
  const base = mirror !== undefined && mirror.applied.length > 0 ? mirror : undefined;
  const known = record !== undefined && record.applied.length > 0 ? record : undefined;
  const restored = base !== undefined && base.uid !== uid;
  const isTrusted = base !== undefined && (!restored || agrees(base, live));
  let applied = united(known?.applied ?? [], base?.applied ?? [], isTrusted);
  for (const stamp of live) if (!includes(applied, stamp)) applied.push(stamped(stamp));
  const target = known?.target ?? (isTrusted ? base?.target : undefined);
  // Two that claim to be whole cannot both be: a hand has been at it.
  if (applied.filter(({ state }) => state === 'Complete').length > 1)
    applied = applied.map((entry) => ({ ...entry, state: 'Partial' }));
  // With nothing else to go by, whoever acted last may have passed its point of no return.
  const assumedFloor = known === undefined && base === undefined && !plain ? highest(live) : undefined;
  const floors = [known?.floor, base?.floor, assumedFloor].filter((floor) => floor !== undefined);
  return {
    applied,
    target,
    avoid: known !== undefined && known.avoid.length > 0 ? known.avoid : (base?.avoid ?? []),
    floor: highest(floors),
    hold: undefined,
    epoch: Math.max(record?.epoch ?? 0, base !== undefined && !restored ? base.epoch : 0),
    scope: uniteScopes(record?.scope, base?.scope),
    reconstructed: applied.length > 0,
    persisted: false,
    restored,
    note: applied.length > 0 ? 'RecordReconstructed' : undefined,
  };
}

function agrees({ applied }: RecordMirror, live: readonly string[]): boolean {
  const [only] = applied;
  return applied.length === 1 && only?.state === 'Complete' && live.every((stamp) => isSame(stamp, only.version));
}

function united(ours: readonly RecordEntry[], theirs: readonly RecordEntry[], isTrusted: boolean): RecordEntry[] {
  const applied = [...ours];
  for (const entry of theirs) {
    const index = applied.findIndex(({ version }) => isSame(version, entry.version));
    const same = applied[index];
    if (same === undefined) applied.push(isTrusted ? entry : { ...entry, state: 'Partial' });
    else if (entry.state === 'Partial') applied[index] = { ...same, state: 'Partial' };
  }
  return applied;
}

const includes = (applied: readonly RecordEntry[], version: string): boolean =>
  applied.some((entry) => isSame(entry.version, version));
