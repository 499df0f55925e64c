// An elector from its settings: who this process is, which Lease, how long it lasts.
import type { Logger, MonotonicClock, Random } from '@pawl/reconciler';
import { leaseName } from '@pawl/reconciler/kubernetes';
import { KubeClient } from '../client/kube-client.ts';
import { ConfigError } from '../config.ts';
import type { Transport } from '../transport/transport.ts';
import { LeaderElector, type ElectionObserver } from './leader-elector.ts';
import { LeaseStore } from './lease-store.ts';
import { LEASE_TIMING, timingFaults, type LeaseTiming } from './timing.ts';

export interface ElectionOptions {
  /** The same for all replicas and all releases of an operator. */
  readonly operatorName: string;
  /** The namespace of the Lease: the operator's own. */
  readonly namespace: string;
  /** Name of the pod, for people who read the Lease. */
  readonly podName: string;
  readonly timing?: LeaseTiming | undefined;
  /** Carries the requests about the Lease; nothing else may hold them up. */
  readonly transport: Transport;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly log: Logger;
  /** Milliseconds until no change of this process can take effect any more. */
  readonly writesSettleInMs: () => number;
  readonly observer?: ElectionObserver | undefined;
}

/**
 * The elector of one process, which seeks nothing yet.
 * @throws {ConfigError} if the durations do not fit together
 */
export function createElector(options: ElectionOptions): LeaderElector {
  const { operatorName, namespace, podName, timing = LEASE_TIMING, transport, clock, random, log } = options;
  const faults = timingFaults(timing);
  if (faults.length > 0) throw new ConfigError(faults);
  const identity = `${podName}_${random.uuid()}`;
  const store = new LeaseStore({
    client: new KubeClient({ transport, clock, random, userAgent: `pawl-leader-election/${operatorName}` }),
    namespace,
    name: leaseName(operatorName),
    identity,
    durationMs: timing.leaseDurationMs,
    requestTimeoutMs: timing.requestTimeoutMs,
    now: clock.now,
  });
  const { writesSettleInMs, observer } = options;
  return new LeaderElector({ store, clock, random, log, identity, timing, writesSettleInMs, observer });
}
