// A work queue that reports how long keys wait and how long they are worked on.
import type { MonotonicClock } from '@pawl/reconciler';
import { WorkQueue, type Urgency, type WorkQueueOptions } from '../queue/work-queue.ts';
import type { Metrics, QueueMetrics, QueueState } from './metrics.ts';

export interface MeteredQueueOptions extends WorkQueueOptions {
  readonly clock: MonotonicClock;
  readonly metrics: Metrics;
  /** The kind whose keys it holds. */
  readonly name: string;
}

/** Has every guarantee of {@link WorkQueue}: it only looks on. */
export class MeteredQueue extends WorkQueue {
  readonly #monotonic: () => number;
  readonly #metrics: QueueMetrics;
  /** Since when a key waits, and since when it is in hands. */
  readonly #waiting = new Map<string, number>();
  readonly #working = new Map<string, number>();

  constructor(options: MeteredQueueOptions) {
    super(options);
    this.#monotonic = options.clock.monotonic;
    this.#metrics = options.metrics.queue(options.name, () => this.state);
  }

  get state(): QueueState {
    const now = this.#monotonic();
    const ages = [...this.#working.values()].map((since) => now - since);
    const unfinishedMs = ages.reduce((sum, age) => sum + age, 0);
    const { ready, processing } = this.size;
    return { depth: ready, processing, unfinishedMs, longestMs: Math.max(0, ...ages) };
  }

  /** Also called for keys that come back later, when it is time. */
  override add(key: string, urgency?: Urgency): void {
    if (!this.#waiting.has(key)) {
      this.#waiting.set(key, this.#monotonic());
      this.#metrics.added();
    }
    super.add(key, urgency);
  }

  override retry(key: string, atLeastMs?: number): number {
    this.#metrics.retried();
    return super.retry(key, atLeastMs);
  }

  override async next(): Promise<string | undefined> {
    const key = await super.next();
    if (key === undefined) return undefined;
    const now = this.#monotonic();
    this.#metrics.waited(now - (this.#waiting.get(key) ?? now));
    this.#waiting.delete(key);
    this.#working.set(key, now);
    return key;
  }

  override done(key: string): void {
    const since = this.#working.get(key);
    if (since !== undefined) this.#metrics.worked(this.#monotonic() - since);
    this.#working.delete(key);
    super.done(key);
  }

  override shutDown(): Promise<void> {
    const drained = super.shutDown();
    this.#waiting.clear();
    return drained;
  }
}
