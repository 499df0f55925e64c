// Where an object stands, in one word and one sentence.
import type { VersionRecord } from '../versions/record.ts';
import { isOpenRollback, isPlainRecord } from '../versions/record.ts';
import type { Step } from '../versions/step.ts';
import type { Reason } from '../versions/inputs.ts';
import { highest, isSame } from '../versions/version.ts';

export type Phase =
  | 'Steady'
  | 'Installing'
  | 'Upgrading'
  | 'RollingBack'
  | 'Soaking'
  | 'Waiting'
  | 'Stalled'
  | 'Blocked'
  | 'Paused'
  | 'Held'
  | 'Deleting';

const BLOCKING: ReadonlySet<Reason> = new Set<Reason>(['RecordNotPersisted', 'RecordTooNew', 'DeletionBlocked']);

export interface PhaseInput {
  readonly step: Step;
  readonly record: VersionRecord | undefined;
  readonly deleting: boolean;
  /** The open hop has made no progress for too long. */
  readonly stalled: boolean;
}

/** The phase that follows from what is being done and what is recorded. */
export function phaseOf({ step, record, deleting, stalled }: PhaseInput): Phase {
  if (step.decision.kind === 'Blocked' || (step.step === 'hold' && BLOCKING.has(step.reason))) return 'Blocked';
  if (deleting) return 'Deleting';
  if (stalled) return 'Stalled';
  if (step.step === 'hold') return heldPhase(step.reason);
  return record === undefined ? 'Installing' : hopPhase(record);
}

function heldPhase(reason: Reason): Phase {
  if (reason === 'Paused') return 'Paused';
  if (reason === 'RestoreDetected' || reason === 'HeldByAction') return 'Held';
  return reason === 'Soaking' ? 'Soaking' : 'Waiting';
}

function hopPhase(record: VersionRecord): Phase {
  const { target, applied } = record;
  if (target === undefined) return 'Steady';
  if (isOpenRollback(record) && !isPlainRecord(record)) return 'RollingBack';
  const [only] = applied;
  if (applied.length > 1) return 'Upgrading';
  return only?.state === 'Complete' ? 'Steady' : 'Installing';
}

/** The version that was last completely established: it stays while a hop is open. */
export function reachedVersion(record: VersionRecord | undefined, previous: string | undefined): string | undefined {
  const complete = record?.applied.find(({ state }) => state === 'Complete');
  return record?.version ?? complete?.version ?? previous;
}

/** One sentence that stays the same while nothing happens. `open` is what is not as it should be, if anything is. */
export function summaryOf(
  phase: Phase,
  record: VersionRecord | undefined,
  {
    reached,
    explained,
    open,
  }: { readonly reached: string | undefined; readonly explained?: string; readonly open?: string },
): string {
  if (explained !== undefined && phase !== 'Steady') return explained;
  const { target = 'a version', applied = [] } = record ?? {};
  const others = applied.map(({ version }) => version).filter((version) => !isSame(version, target));
  const from = highest(others) ?? reached ?? 'nothing';
  const ended = open === undefined ? '' : `; ${open}`;
  if (phase === 'Installing') return `${target} is being installed${ended}`;
  if (phase === 'Upgrading') return `Going from ${from} to ${target}${ended}`;
  if (phase === 'RollingBack') return `Going back from ${from} to ${target}${ended}`;
  if (phase === 'Stalled') return `No progress towards ${target}${ended}`;
  if (phase === 'Deleting') return `Being taken down${ended}`;
  return open === undefined ? `${reached ?? target} is established` : `${reached ?? target} is being restored${ended}`;
}
