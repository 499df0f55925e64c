// What all plans on one real server share, and the settings of the operators there.
import type { OperatorConfigInput } from '@pawl/operator';
import type { ExploreOptions } from '../explore/exploration.ts';
import type { Plan } from '../explore/plan.ts';
import type { State } from '../explore/state.ts';
import type { Subject } from '../explore/subject.ts';
import type { RealPorts } from './ports.ts';
import { REQUEST_TIMEOUT_MS } from './sense.ts';
import type { Stage } from './stage.ts';

export interface RealContext extends Pick<ExploreOptions, 'masks' | 'invariants'> {
  readonly subject: Subject;
  readonly stage: Stage;
  readonly ports: RealPorts;
  /** How long the operators may take until everything is at rest. */
  readonly patienceMs: number;
  /** So long at rest nothing may be written, while the operator looks again and again. */
  readonly quietMs: number;
  /** States that fresh installs led to, made when they are asked for first. */
  readonly fresh: Map<string, State>;
}

/** The operator looks again so often. */
const LOOK_AGAIN_MS = 1_000;

/** Times that fit to a server on which nothing is slow, unless the plan is about slowness. */
export function configOf({ subject }: RealContext, { seed, turns, faults }: Plan, number: number): OperatorConfigInput {
  const isShared = turns.some(({ beside }) => beside === true);
  const isSlow = faults.some(({ kind }) => kind === 'partition');
  const { namespaces } = subject.config;
  const [leaseNamespace] = Array.isArray(namespaces) ? (namespaces as readonly unknown[]) : ['default'];
  const hasty = { requestTimeoutMs: REQUEST_TIMEOUT_MS, skewMs: 1_000, leaseDurationMs: 9_000, renewDeadlineMs: 5_000, retryPeriodMs: 1_000 };
  return {
    ...subject.config,
    operatorName: 'explore',
    podName: `replica-${number}`,
    settleMs: 0,
    workers: 1,
    resyncMs: LOOK_AGAIN_MS,
    seed,
    ...(isSlow ? {} : hasty),
    ...(isShared ? { leaseNamespace } : {}),
  };
}
