// The status of an object after a step: a pure function of what was there, what was decided and what the Actions said.
import type { ActionOutcome } from '../cycle.ts';
import type { Procedure } from '../procedure.ts';
import { timeOf, type HistoryEntry } from '../versions/bookkeeping.ts';
import type { ProcedureSettings, Reason, Requests } from '../versions/inputs.ts';
import type { VersionRecord } from '../versions/record.ts';
import type { Step } from '../versions/step.ts';
import { actionStatuses, withTransitions, type ActionStatus, type Condition } from './condition.ts';
import { explainReason, prunedTooMuch, type PruneCount, type Subject } from './messages.ts';
import type { RefusedChange } from './refusal-text.ts';
import { parseStatus } from './parse-status.ts';
import { phaseOf, reachedVersion, summaryOf, type Phase } from './phase.ts';

/** `status.procedure`. */
export interface ProcedureStatus {
  readonly phase: Phase;
  readonly version?: string;
  readonly target?: string;
  readonly summary: string;
  readonly path?: readonly string[];
  readonly history?: readonly HistoryEntry[];
  readonly record?: VersionRecord;
}

/** The framework's part of `status`. */
export interface FrameworkStatus {
  readonly observedGeneration: number;
  readonly verifiedGeneration?: number;
  readonly procedure: ProcedureStatus;
  readonly actions?: readonly ActionStatus[];
  readonly conditions: readonly Condition[];
}

export interface StatusInput {
  readonly subject: Subject;
  /** The generation that was read. */
  readonly generation: number;
  readonly deleting: boolean;
  /** `status` as it was read; what is not the framework's is kept. */
  readonly previous: unknown;
  readonly step: Step;
  /** The record that status holds once this is written. */
  readonly record: VersionRecord | undefined;
  readonly history: readonly HistoryEntry[];
  readonly settings?: ProcedureSettings;
  readonly requests?: Requests;
  /** The procedure that ran, and what its Actions said; absent if none ran: then their rows stay, but for a new hop. */
  readonly ran?: {
    readonly procedure: Pick<Procedure<never>, 'actions' | 'onDemand' | 'version'>;
    readonly outcomes: ReadonlyMap<string, ActionOutcome>;
  };
  /** Every Action was found True by live reads in this generation. */
  readonly verified: boolean;
  readonly stalled?: boolean;
  readonly pruneBlocked?: PruneCount | undefined;
  /** The first change that a dry run of the next version was refused. */
  readonly refused?: RefusedChange | undefined;
  /** Fields of the own status that Actions set. */
  readonly statusFields?: ReadonlyMap<string, unknown>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The whole status, for one write. The same inputs, but for the time, give an equal status as long as nothing changes. */
export function buildStatus(input: StatusInput): FrameworkStatus & Readonly<Record<string, unknown>> {
  const { step, record, generation, deleting, stalled = false, ran, now, history } = input;
  const previous = parseStatus(input.previous);
  const at = timeOf(now);
  const phase = phaseOf({ step, record, deleting, stalled });
  const version = reachedVersion(record, previous.version);
  const open = ran === undefined ? undefined : openOf(ran);
  const explained = step.step === 'hold' ? explain(step.reason, input) : undefined;
  const { decision } = step;
  const path = decision.kind === 'Run' ? decision.path : [];
  const verifiedGeneration = input.verified ? generation : previous.verifiedGeneration;
  const facts: Facts = { input, previous: previous.conditions, phase, open, verifiedGeneration, explained };
  return {
    ...previous.own,
    ...Object.fromEntries(input.statusFields ?? []),
    observedGeneration: generation,
    ...(verifiedGeneration === undefined ? {} : { verifiedGeneration }),
    procedure: {
      phase,
      ...(version === undefined ? {} : { version }),
      ...(record?.target === undefined ? {} : { target: record.target }),
      summary: summaryOf(phase, record, {
        reached: version,
        ...(explained === undefined ? {} : { explained: [explained, refusalOf(input)?.message].join(' ').trimEnd() }),
        ...(open === undefined ? {} : { open: `${open.name}: ${open.message}` }),
      }),
      ...(path.length > 0 ? { path } : {}),
      ...(history.length > 0 ? { history } : {}),
      ...(record === undefined ? {} : { record }),
    },
    ...actionsOf(input, previous.actions, at),
    conditions: withTransitions(conditionsOf(facts), previous.conditions, at),
  };
}

/** Requests of people that are refused: to be seen whatever else stands in the way. */
const REFUSED: ReadonlySet<Reason> = new Set<Reason>(['AdoptRefused', 'RequestNotUnderstood', 'RollbackNotPermitted']);

/** What is said of a refused request on an object that no version may act on. */
function refusalOf(input: StatusInput): { readonly reason: Reason; readonly message: string } | undefined {
  const { kind, upgradeBlocked: reason } = input.step.decision;
  if (kind !== 'Blocked' || reason === undefined || !REFUSED.has(reason)) return undefined;
  return { reason, message: explain(reason, input) };
}

const explain = (reason: Reason, { subject, step, settings, requests, refused }: StatusInput): string =>
  explainReason(reason, {
    subject,
    decision: step.decision,
    refused,
    ...(settings === undefined ? {} : { settings }),
    ...(requests === undefined ? {} : { requests }),
  });

/** What the Actions of one version say does not hold for another one, which children and people would take it for. */
function actionsOf(
  { ran, step }: StatusInput,
  previous: readonly ActionStatus[],
  at: string,
): Pick<FrameworkStatus, 'actions'> {
  if (step.step === 'intent' && step.why === 'hop') return {};
  if (ran === undefined) return previous.length > 0 ? { actions: previous } : {};
  return { actions: actionStatuses(ran.procedure.actions.keys(), ran.outcomes, previous, at) };
}

interface OpenAction {
  readonly name: string;
  readonly status: 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * The Action that everything waits for: one that is not True for a reason of its own, the certain ones first. By the
 * order of the procedure, for the order in which they ran changes from cycle to cycle.
 */
function openOf({ procedure, outcomes }: NonNullable<StatusInput['ran']>): OpenAction | undefined {
  const open = [...procedure.actions.keys()].flatMap((name): OpenAction[] => {
    const result = outcomes.get(name)?.result;
    if (result === undefined || result.status === 'True' || procedure.onDemand.has(name)) return [];
    const { status, reason, message } = result;
    return reason === 'PrerequisiteNotMet' ? [] : [{ name, status, reason, message }];
  });
  return open.find(({ reason }) => reason === 'Terminal') ?? open.find(({ status }) => status === 'False') ?? open[0];
}

interface Facts {
  readonly input: StatusInput;
  readonly previous: readonly Condition[];
  readonly phase: Phase;
  readonly open: OpenAction | undefined;
  readonly verifiedGeneration: number | undefined;
  /** Why nothing may be written, if that is so. */
  readonly explained: string | undefined;
}
type Bare = Omit<Condition, 'lastTransitionTime'>;

/** Three always; the others only while there is something to say. */
function conditionsOf(facts: Facts): readonly Bare[] {
  const { input } = facts;
  const all = [ready(facts), reconciling(facts), stalled(facts), ...versionConditions(facts)];
  return all.map((condition) => ({ ...condition, observedGeneration: input.generation }));
}

function ready({ input: { ran, deleting }, previous, open }: Facts): Bare {
  const known = previous.find(({ type }) => type === 'Ready');
  const { status = 'Unknown', reason = 'WaitingForOperator', message = 'waiting for the operator' } = known ?? {};
  if (deleting) return { type: 'Ready', status: 'False', reason: 'Deleting', message: 'the object is being deleted' };
  // An operator that only looks does not know whether what it may not touch serves.
  const isObserved =
    ran === undefined || [...ran.outcomes.values()].some(({ result }) => result.reason === 'ObservedOnly');
  if (isObserved) return { type: 'Ready', status, reason, message };
  if (open === undefined)
    return { type: 'Ready', status: 'True', reason: 'Established', message: 'every Action is True' };
  return { type: 'Ready', status: open.status, reason: open.reason, message: `${open.name}: ${open.message}` };
}

function reconciling({ input, phase, open, verifiedGeneration, explained }: Facts): Bare {
  const type = 'Reconciling';
  const { record, generation, ran } = input;
  if (phase === 'Blocked' || phase === 'Paused' || phase === 'Held' || phase === 'Stalled')
    return { type, status: 'False', reason: phase, message: explained ?? 'nothing is being changed' };
  if (phase !== 'Steady')
    return {
      type,
      status: 'True',
      reason: phase,
      message: explained ?? `${record?.target ?? 'a version'} is rolled out`,
    };
  if (open !== undefined)
    return { type, status: 'True', reason: 'ActionsNotTrue', message: `${open.name}: ${open.message}` };
  if (ran !== undefined && verifiedGeneration !== generation)
    return { type, status: 'True', reason: 'NotVerified', message: 'the newest generation is being verified' };
  return { type, status: 'False', reason: 'Established', message: 'nothing is left to do' };
}

function stalled({ input, open, explained }: Facts): Bare {
  const type = 'Stalled';
  if (open?.reason === 'Terminal')
    return { type, status: 'True', reason: 'TerminalError', message: `${open.name}: ${open.message}` };
  if (input.stalled === true)
    return {
      type,
      status: 'True',
      reason: 'UpgradeStalled',
      message: explained ?? (open === undefined ? 'no progress' : `${open.name}: ${open.message}`),
    };
  return { type, status: 'False', reason: 'AsExpected', message: 'nothing stands in the way for good' };
}

function versionConditions({ input, explained }: Facts): readonly Bare[] {
  const { step, record, subject, pruneBlocked } = input;
  const { decision } = step;
  const found: Bare[] = [];
  const add = (type: string, status: 'True' | 'False', reason: string, message: string): void => {
    found.push({ type, status, reason, message });
  };
  const isBlocked = decision.kind === 'Blocked';
  if (isBlocked && decision.reason === 'DeletionBlocked')
    add('DeletionBlocked', 'True', decision.reason, explained ?? '');
  else if (isBlocked) {
    const { reason, message } = refusalOf(input) ?? { reason: decision.reason, message: explained ?? '' };
    add('ProcedureResolved', 'False', decision.reason, explained ?? '');
    add('UpgradeBlocked', 'True', reason, message);
  } else if (step.step === 'hold' && step.reason === 'RecordNotPersisted')
    add('UpgradeBlocked', 'True', step.reason, explained ?? '');
  else if (decision.upgradeBlocked !== undefined)
    add('UpgradeBlocked', 'True', decision.upgradeBlocked, explain(decision.upgradeBlocked, input));
  if (decision.available !== undefined)
    add('UpgradeAvailable', 'True', 'PathPlanned', `the way is ${decision.available.join(', then ')}`);
  const isMigrating =
    record !== undefined && (record.hold !== undefined || record.applied.some(({ state }) => state === 'Partial'));
  if (isMigrating) add('Upgradeable', 'False', 'MigrationInProgress', 'a version is partly applied');
  if (pruneBlocked !== undefined) add('PruneBlocked', 'True', 'LimitExceeded', prunedTooMuch(subject, pruneBlocked));
  return found;
}
