// Job: runs pods until enough have succeeded, too many have failed, or time is up.
import { timestamp } from '../../ports.ts';
import type { Cluster } from '../base/cluster.ts';
import { isTrue, withCondition } from '../base/condition.ts';
import { earliest } from '../base/counts.ts';
import { splitKey } from '../base/kind.ts';
import { mergeDiff } from '../base/merge.ts';
import type { Condition, Job, Pod } from '../base/model.ts';
import { controlledBy } from '../base/owners.ts';
import { isActive, isReady, podFrom } from '../base/pods.ts';
import type { Decision, Step } from '../base/step.ts';
import { NOTHING } from '../base/step.ts';

/** The pods of a Job, sorted by what became of them. */
interface Pods {
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
}

/** Why a Job ended. */
interface Outcome {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

/** What the Job of this key needs. */
export function decideJob(key: string, cluster: Cluster, now: number): Decision {
  const { namespace, name } = splitKey(key);
  const job = cluster.get('jobs.batch', namespace, name);
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return NOTHING;
  if (isFinished(job)) return expire(job, now);
  const all = cluster.controlledBy('pods', job.metadata.uid);
  const pods: Pods = {
    active: all.filter(isActive),
    succeeded: all.filter((pod) => pod.status?.phase === 'Succeeded').length,
    failed: all.filter(
      (pod) =>
        pod.status?.phase === 'Failed' ||
        (pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== 'Succeeded'),
    ).length,
  };
  const outcome = outcomeOf(job, pods, now);
  const steps = outcome === undefined && job.spec.suspend !== true ? run(job, pods) : pods.active.map(remove);
  const again = outcome === undefined ? earliest(deadlineInMs(job, now)) : undefined;
  return { steps, report: report(job, pods, outcome, now), ...(again === undefined ? {} : { againAfterMs: again }) };
}

function isFinished({ status }: Job): boolean {
  return isTrue(status?.conditions, 'Complete') || isTrue(status?.conditions, 'Failed');
}

/** Deletes a finished Job when its time to live is over. */
function expire(job: Job, now: number): Decision {
  const seconds = job.spec.ttlSecondsAfterFinished;
  if (seconds === undefined) return NOTHING;
  const end = job.status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const left = Date.parse(end?.lastTransitionTime ?? '') + seconds * 1000 - now;
  if (left > 0) return { steps: [], againAfterMs: left };
  return { steps: [{ step: 'delete', target: job, propagation: 'Foreground' }] };
}

function outcomeOf(job: Job, { succeeded, failed }: Pods, now: number): Outcome | undefined {
  const wanted = job.spec.completions ?? 1;
  if (succeeded >= wanted)
    return { type: 'Complete', reason: 'CompletionsReached', message: 'All pods that were wanted have succeeded.' };
  if (failed > (job.spec.backoffLimit ?? 6))
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'More pods have failed than the limit allows.' };
  if (deadlineInMs(job, now) === 0)
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'The Job has run longer than its deadline.' };
  return undefined;
}

function deadlineInMs(job: Job, now: number): number | undefined {
  const { startTime } = job.status ?? {};
  const seconds = job.spec.activeDeadlineSeconds;
  return startTime === undefined || seconds === undefined
    ? undefined
    : Math.max(0, Date.parse(startTime) + seconds * 1000 - now);
}

function run(job: Job, { active, succeeded }: Pods): readonly Step[] {
  const parallelism = job.spec.parallelism ?? 1;
  const wanted = Math.min(parallelism, (job.spec.completions ?? parallelism) - succeeded);
  if (active.length > wanted) return active.slice(wanted).map(remove);
  const { name, namespace, uid } = job.metadata;
  const labels = {
    'batch.kubernetes.io/job-name': name,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'controller-uid': uid,
  };
  const pod = podFrom(job.spec.template, { generateName: `${name}-`, namespace, owner: controlledBy(job), labels });
  return Array.from({ length: wanted - active.length }, () => ({ step: 'create', object: pod }));
}

function remove(target: Pod): Step {
  return { step: 'delete', target };
}

function report(
  job: Job,
  { active, succeeded, failed }: Pods,
  outcome: Outcome | undefined,
  now: number,
): readonly Step[] {
  const known = job.status ?? {};
  const suspended = job.spec.suspend === true;
  const startTime = known.startTime ?? (suspended ? undefined : timestamp(now));
  const ready = active.filter(isReady).length;
  const conditions = conditionsOf(job, outcome, suspended, now);
  const patch = mergeDiff(known, {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(outcome?.type === 'Complete' ? { completionTime: timestamp(now) } : {}),
    ...(active.length === 0 ? {} : { active: active.length }),
    ready,
    terminating: 0,
    uncountedTerminatedPods: {},
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(failed === 0 ? {} : { failed }),
  });
  return patch === undefined ? [] : [{ step: 'patch', target: job, patch: { status: patch }, subresource: 'status' }];
}

function conditionsOf(job: Job, outcome: Outcome | undefined, suspended: boolean, now: number): readonly Condition[] {
  let conditions = job.status?.conditions ?? [];
  if (suspended || isTrue(conditions, 'Suspended')) {
    const reason = suspended ? 'JobSuspended' : 'JobResumed';
    conditions = withCondition(
      conditions,
      { type: 'Suspended', status: suspended ? 'True' : 'False', reason, message: '' },
      now,
    );
  }
  if (outcome === undefined) return conditions;
  const { type, reason, message } = outcome;
  const target = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const shared = { status: 'True', reason, message, lastProbeTime: timestamp(now) } as const;
  conditions = withCondition(conditions, { type: target, ...shared }, now);
  return withCondition(conditions, { type, ...shared }, now);
}
