// Who may act: the holder of a Lease, or an operator that is declared to be the only one.
import type { Logger, MonotonicClock, Random } from '@pawl/reconciler';
import { leaseName } from '@pawl/reconciler/kubernetes';
import type { OperatorConfig } from '../config.ts';
import { singletonPermit } from '../controller/guard.ts';
import { createElector } from '../leader/elect.ts';
import { singletonLeadership, type Leadership } from '../leader/leadership.ts';
import type { WriteLedger } from '../leader/write-ledger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Transport } from '../transport/transport.ts';

export interface LeadershipParts {
  readonly config: OperatorConfig;
  /** Requests about the Lease go past the ledger and need no permit. */
  readonly transport: Transport;
  readonly ledger: WriteLedger;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export function createLeadership({ config, transport, ledger, clock, random, log, metrics }: LeadershipParts): Leadership {
  const { operatorName, podName, leaseNamespace, settleMs } = config;
  if (leaseNamespace === undefined)
    return singletonLeadership(singletonPermit({ monotonic: clock.monotonic, startedAt: clock.monotonic(), settleMs }));
  const lease = leaseName(operatorName);
  metrics.leading(lease, false);
  return createElector({
    operatorName,
    podName,
    namespace: leaseNamespace,
    timing: config,
    transport,
    clock,
    random,
    log,
    writesSettleInMs: ledger.settlesInMs,
    observer: { leading: (isLeading) => metrics.leading(lease, isLeading), holderChanged: metrics.leaseChanged },
  });
}
