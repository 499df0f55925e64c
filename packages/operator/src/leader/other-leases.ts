// Whether another installation drives an object: the Lease that its record names, judged as an elector judges one.
import type { MonotonicClock } from '@pawl/reconciler';
import type { KubeClient } from '../client/kube-client.ts';
import { LEASES, readLease } from './lease.ts';

interface Observed {
  readonly fingerprint: string;
  /** When this fingerprint was first seen, on our own monotonic clock: wall clocks are never compared. */
  readonly since: number;
  readonly readAt: number;
  readonly durationMs: number;
}

/** An answer is kept for so long. */
const KEPT_MS = 30_000;

export class OtherLeases {
  readonly #client: KubeClient;
  readonly #clock: Pick<MonotonicClock, 'monotonic'>;
  readonly #namespace: string;
  readonly #own: string;
  readonly #observed = new Map<string, Observed>();

  /** @param own the name of our own Lease, in the same namespace as the others */
  constructor(client: KubeClient, clock: Pick<MonotonicClock, 'monotonic'>, namespace: string, own: string) {
    this.#client = client;
    this.#clock = clock;
    this.#namespace = namespace;
    this.#own = own;
  }

  /** The name of the Lease if it is another's and its holder is alive. A missing, released or expired one is nobody's. */
  live = async (name: string | undefined, signal: AbortSignal): Promise<string | undefined> => {
    if (name === undefined || name === this.#own) return undefined;
    const now = this.#clock.monotonic();
    const known = this.#observed.get(name);
    if (known !== undefined && now - known.readAt < KEPT_MS) return this.#isLive(known, now) ? name : undefined;
    const state = readLease(await this.#client.find(LEASES, { namespace: this.#namespace, name }, { signal }));
    if (state.is !== 'held') {
      this.#observed.delete(name);
      return state.is === 'foreign' ? name : undefined;
    }
    const { fingerprint, durationMs } = state;
    const since = known?.fingerprint === fingerprint ? known.since : now;
    const observed = { fingerprint, since, readAt: now, durationMs };
    this.#observed.set(name, observed);
    return this.#isLive(observed, now) ? name : undefined;
  };

  #isLive({ since, durationMs }: Observed, now: number): boolean {
    return now - since <= durationMs;
  }
}
