// How a pod is to behave: by options, and per pod by annotations. This is where a test makes things go wrong.
import type { Pod } from '../base/model.ts';

/** What becomes of a pod. */
export interface PodBehaviour {
  /** How long it stays Pending, in ms. Infinity: it never starts. */
  readonly startAfterMs: number;
  /** How long after its start it becomes ready, in ms. Infinity: it never does. */
  readonly readyAfterMs: number;
  /** How long it takes to end when it is deleted, in ms; its grace period is the limit. */
  readonly stopAfterMs: number;
  /** The phase in which it ends by itself instead of becoming ready. Pods of Jobs succeed unless told otherwise. */
  readonly exit: 'Succeeded' | 'Failed' | undefined;
}

/** Options of the pod actor. */
export interface PodOptions {
  /** Delay between start and readiness, in ms; default 0. */
  readonly podReadyAfterMs?: number;
  /** Delay between creation and start, in ms; default 0. */
  readonly podStartAfterMs?: number;
  /** Delay between deletion and end, in ms; default 0. */
  readonly podStopAfterMs?: number;
  /** Overrides for single pods, such as `{ readyAfterMs: Infinity }` for one that never gets ready. */
  readonly podBehaviour?: (pod: Pod) => Partial<PodBehaviour> | undefined;
}

const PREFIX = 'actors.pawl.dev/';

/**
 * The behaviour of a pod: annotations before `podBehaviour` before the general delays. The annotations are
 * `actors.pawl.dev/start-after-ms`, `ready-after-ms` and `stop-after-ms` (a number or `never`) and `exit`
 * (`Succeeded` or `Failed`).
 */
export function behaviourOf(pod: Pod, options: PodOptions): PodBehaviour {
  const special = options.podBehaviour?.(pod);
  const annotations = pod.metadata.annotations ?? {};
  return {
    startAfterMs: delay(annotations, 'start-after-ms') ?? special?.startAfterMs ?? options.podStartAfterMs ?? 0,
    readyAfterMs: delay(annotations, 'ready-after-ms') ?? special?.readyAfterMs ?? options.podReadyAfterMs ?? 0,
    stopAfterMs: delay(annotations, 'stop-after-ms') ?? special?.stopAfterMs ?? options.podStopAfterMs ?? 0,
    exit: exitOf(annotations) ?? special?.exit ?? (isOfJob(pod) ? 'Succeeded' : undefined),
  };
}

function delay(annotations: Readonly<Record<string, string>>, name: string): number | undefined {
  const value = annotations[PREFIX + name];
  if (value === undefined) return undefined;
  if (value === 'never') return Infinity;
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

function exitOf(annotations: Readonly<Record<string, string>>): PodBehaviour['exit'] {
  const value = annotations[`${PREFIX}exit`];
  return value === 'Succeeded' || value === 'Failed' ? value : undefined;
}

function isOfJob(pod: Pod): boolean {
  return pod.metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller === true) ?? false;
}
