// The client by which an operator does its work: no change without the permit, and not more requests than it may send.
import type { MonotonicClock, Random } from '@pawl/reconciler';
import { KubeClient } from '../client/kube-client.ts';
import { RequestThrottle } from '../client/request-throttle.ts';
import type { OperatorConfig } from '../config.ts';
import type { WritePermit } from '../controller/guard.ts';
import { countedAssert } from '../observe/counted-permit.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Transport } from '../transport/transport.ts';

/** How metrics call the API server. */
export const HOST = 'kubernetes';

export interface ClientParts {
  /** Knows which changes may still take effect. */
  readonly transport: Transport;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly config: Pick<OperatorConfig, 'operatorName' | 'requestTimeoutMs' | 'clientQps' | 'clientBurst'>;
  readonly permit: WritePermit;
  readonly metrics: Metrics;
}

/** Requests about the Lease, and Events, are sent by clients of their own: neither waits for what the work asks. */
export function createClient({ transport, clock, random, config, permit, metrics }: ClientParts): KubeClient {
  const { operatorName, requestTimeoutMs: timeoutMs, clientQps: qps, clientBurst } = config;
  const burst = clientBurst === 0 ? 2 * qps : clientBurst;
  const onAdmitted = (method: string, ms: number): void => metrics.throttled(method, HOST, ms);
  return new KubeClient({
    transport,
    clock,
    random,
    userAgent: `pawl/${operatorName}`,
    timeoutMs,
    beforeMutation: countedAssert(permit, metrics),
    throttle: qps === 0 ? undefined : new RequestThrottle({ qps, burst, clock, onAdmitted }),
  });
}
