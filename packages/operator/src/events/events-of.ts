// From a step of the protocol, and the object before and after it, to what is worth an Event. Pure; transitions only.
import { compareVersions, highest, isOpenRollback, type Step, type VersionRecord } from '@pawl/reconciler';
import { parseStatus, type Condition, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { objectState, partsOf } from '../controller/custom-object.ts';
import { subjectFrom, type EventReason, type Happening } from './happening.ts';

type Bare = Omit<Happening, 'regarding'>;
type Way = 'Upgrade' | 'Rollback';

/** Waiting for these is part of how a version is rolled out; nobody has to do anything about them. */
const CALM: ReadonlySet<string> = new Set(['HeldBack', 'HeldByAction', 'ParentSkew', 'WaitingForSlot', 'ApprovalRequired']);

/**
 * What has happened to an object by a step.
 *
 * @param before the object as the step found it
 * @param after the object as the step left it; the same if nothing was written
 */
export function eventsOf(step: Step, before: KubernetesObject, after: KubernetesObject): readonly Happening[] {
  if (before === after) return [];
  const was = factsOf(before);
  const is = factsOf(after);
  const found = [...recordNotes(step, was, is), ...hop(step, was, is), ...blocking(was, is), ...pruning(was, is)];
  const regarding = subjectFrom(after);
  return found.map((bare) => ({ ...bare, regarding }));
}

interface Facts {
  readonly record: VersionRecord | undefined;
  readonly blocked: Condition | undefined;
  readonly pruneBlocked: Condition | undefined;
}

function factsOf(object: KubernetesObject): Facts {
  const { conditions } = parseStatus(partsOf(object).status);
  const raised = (type: string): Condition | undefined => conditions.find((each) => each.type === type && each.status === 'True');
  return { record: objectState(object).record, blocked: raised('UpgradeBlocked'), pruneBlocked: raised('PruneBlocked') };
}

/** What the record turned out to be, told when it first decides something. */
function recordNotes(step: Step, was: Facts, is: Facts): readonly Bare[] {
  const { effective } = step.decision;
  const isNews = step.step === 'intent' || was.blocked?.reason !== is.blocked?.reason;
  if (!isNews || effective?.note === undefined) return [];
  const versions = effective.applied.map(({ version }) => version).join(', ') || 'no version';
  return effective.note === 'RecordDrift'
    ? [warning('RecordDrift', 'Record', `owned objects carry a version that the record does not hold; it now counts ${versions}`)]
    : [warning('RecordReconstructed', 'Record', `the record was lost; from what is left of it, ${versions} may be there`)];
}

function hop(step: Step, was: Facts, is: Facts): readonly Bare[] {
  const { record: old } = was;
  const { record: now } = is;
  if (step.step === 'finalize')
    return [normal('FinalizeStarted', 'Finalize', `${now?.target ?? 'the version'} passes its point of no return`)];
  if (step.step === 'complete') {
    if (old?.target === undefined) return [];
    const way = wayOf(old);
    return [normal(`${way}Completed`, way, `${old.target} is verified and complete`), ...changed(old, now)];
  }
  if (step.step !== 'intent' || step.why !== 'hop') return [];
  return [...superseded(old, now), ...accepted(old, now), ...started(step.mode, old, now), ...changed(old, now)];
}

function started(mode: string | undefined, old: VersionRecord | undefined, now: VersionRecord | undefined): readonly Bare[] {
  const target = now?.target;
  if (now === undefined || target === undefined || target === old?.target || mode === 'Resume') return [];
  const others = now.applied.map(({ version }) => version).filter((version) => compareVersions(version, target) !== 0);
  const from = highest(others);
  if (from === undefined) return [normal('UpgradeStarted', 'Upgrade', `${target} is being installed`)];
  const way = wayOf(now);
  return [normal(`${way}Started`, way, `going ${way === 'Rollback' ? 'back ' : ''}from ${from} to ${target}`)];
}

function superseded(old: VersionRecord | undefined, now: VersionRecord | undefined): readonly Bare[] {
  const [left, target] = [old?.target, now?.target];
  if (old === undefined || left === undefined || target === undefined || compareVersions(left, target) === 0) return [];
  const way = wayOf(old);
  return [normal(`${way}Superseded`, way, `${left} was left unfinished for ${target}`)];
}

function accepted(old: VersionRecord | undefined, now: VersionRecord | undefined): readonly Bare[] {
  const known = new Set(old?.applied.flatMap((entry) => (entry.accepted ?? []).map((risk) => `${entry.version} ${risk}`)));
  const risks = (now?.applied ?? []).flatMap(({ version, accepted: versions = [] }) =>
    versions.filter((risk) => !known.has(`${version} ${risk}`)).map((risk) => ({ version, risk })),
  );
  return risks.map(({ version, risk }) =>
    warning('RiskAccepted', 'Upgrade', `a person let ${version} act upon ${risk}, which no author declared`),
  );
}

/** The same version with other contents: the code was changed after its release. */
function changed(old: VersionRecord | undefined, now: VersionRecord | undefined): readonly Bare[] {
  return (now?.applied ?? []).flatMap(({ version, digest }) => {
    const before = old?.applied.find((entry) => entry.version === version)?.digest;
    return before === undefined || digest === undefined || before === digest
      ? []
      : [warning('ProcedureContentChanged', 'Upgrade', `${version} is not the procedure that acted here before under this version`)];
  });
}

function blocking({ blocked: was }: Facts, { blocked: is }: Facts): readonly Bare[] {
  if (was?.reason === is?.reason) return [];
  if (is !== undefined) {
    const way = blockedWay(is);
    const make = CALM.has(is.reason) ? normal : warning;
    return [make(`${way}Blocked`, way, `${is.reason}: ${is.message}`)];
  }
  if (was === undefined) return [];
  const way = blockedWay(was);
  return [normal(`${way}Unblocked`, way, `${was.reason} no longer stands in the way`)];
}

function pruning({ pruneBlocked: was }: Facts, { pruneBlocked: is }: Facts): readonly Bare[] {
  return is === undefined || was?.message === is.message ? [] : [warning('PruneSkipped', 'Prune', is.message)];
}

const wayOf = (record: VersionRecord): Way => (isOpenRollback(record) ? 'Rollback' : 'Upgrade');
const blockedWay = ({ reason }: Condition): Way => (reason.startsWith('Rollback') ? 'Rollback' : 'Upgrade');

function normal(reason: EventReason, action: Happening['action'], note: string): Bare {
  return { type: 'Normal', reason, action, note };
}

function warning(reason: EventReason, action: Happening['action'], note: string): Bare {
  return { type: 'Warning', reason, action, note };
}
