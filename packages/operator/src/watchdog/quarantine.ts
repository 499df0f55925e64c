// The mark of an object that blocked the process, and what follows from it. Pure.
import { timeOf } from '@pawl/reconciler';
import type { Condition, KubernetesObject } from '@pawl/reconciler/kubernetes';
import { ANNOTATIONS, parseStatus, requestCommand, subjectOf } from '@pawl/reconciler/kubernetes';
import { partsOf } from '../controller/custom-object.ts';
import type { BlockReport } from './block-report.ts';

/** Once is forgiven. */
const FORGIVEN = 1;
const HOUR_MS = 3_600_000;

export interface BlockedMark {
  readonly action: string;
  readonly times: number;
  /** RFC 3339: the last time. */
  readonly at: string;
  /** Another spec, or another release, may not block any more. */
  readonly generation: number;
  readonly release: string;
}

/** What decides about a mark. */
export interface QuarantineFacts {
  readonly release: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Json = Readonly<Record<string, unknown>>;

/** The mark of an object; undefined if it has none that can be read. */
export function markOf({ metadata }: KubernetesObject): BlockedMark | undefined {
  const text = metadata.annotations?.[ANNOTATIONS.blocked];
  if (text === undefined) return undefined;
  try {
    const mark = JSON.parse(text) as Partial<BlockedMark>;
    const { action, times, at, generation, release } = mark;
    if (typeof action !== 'string' || typeof times !== 'number' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return undefined;
    return typeof generation === 'number' && typeof release === 'string' ? { action, times, at, generation, release } : undefined;
  } catch {
    return undefined;
  }
}

/** The mark after one more time. Under another spec or another release counting begins anew. */
export function nextMark(known: BlockedMark | undefined, report: BlockReport): BlockedMark | undefined {
  const { active, at, release } = report;
  if (active === undefined) return undefined;
  const { action, generation } = active;
  const isSame = known !== undefined && known.generation === generation && known.release === release;
  return { action, times: isSame ? known.times + 1 : 1, at, generation, release };
}

/** For how long an object is still left out, in milliseconds; undefined if it is not in quarantine. */
export function quarantinedForMs(object: KubernetesObject, { release, now }: QuarantineFacts): number | undefined {
  const mark = markOf(object);
  if (mark === undefined || mark.times <= FORGIVEN) return undefined;
  if (mark.generation !== object.metadata.generation || mark.release !== release) return undefined;
  return Math.max(0, Date.parse(mark.at) + HOUR_MS - now);
}

/** The object's status while it is left out: the same every time, so that it is written once. */
export function quarantinedStatus(object: KubernetesObject, mark: BlockedMark, now: number): Json {
  const { status } = partsOf(object);
  const { conditions } = parseStatus(status);
  const message = textOf(object, mark);
  const procedure = { ...(status['procedure'] as Json | undefined), phase: 'Stalled', summary: message };
  const set = (type: string, is: Condition['status'], reason: string): Condition => {
    const known = conditions.find((condition) => condition.type === type);
    const at = known?.status === is ? known.lastTransitionTime : timeOf(now);
    return { type, status: is, reason, message, lastTransitionTime: at, observedGeneration: mark.generation };
  };
  const changed = [set('Reconciling', 'False', 'Stalled'), set('Stalled', 'True', 'Quarantined')];
  const others = conditions.filter(({ type }) => !changed.some((condition) => condition.type === type));
  return { ...status, procedure, conditions: [...others, ...changed] };
}

function textOf(object: KubernetesObject, { action }: BlockedMark): string {
  const subject = { ...object, ...object.metadata };
  return (
    `Action ${action} of ${subjectOf(subject)} has blocked the process more than once; the object is left out, and tried again ` +
    `each hour after all others. Another spec or another release ends this. To try now, run: ${requestCommand(subject, 'retry', 'now')}`
  );
}
