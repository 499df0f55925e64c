// The operator as a whole: caches first, then the leadership, then the controllers; stopped in the reverse order.
import type { Clock, Logger } from '@pawl/reconciler';
import type { HealthServer } from './observe/health-server.ts';
import type { RolloutCensus } from './census/rollout-census.ts';
import type { ClusterCaches } from './cluster/cluster-caches.ts';
import type { KindController } from './controller/kind-controller.ts';
import type { Leadership } from './leader/leadership.ts';

/** Looks after the event loop of the process. */
export interface OperatorWatchdog {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Writes down what blocked the process before this one. Never throws. */
  readonly record: () => Promise<void>;
}

export interface OperatorParts {
  readonly caches: ClusterCaches;
  readonly controllers: readonly KindController[];
  readonly leadership: Leadership;
  readonly census: RolloutCensus;
  /** Other replicas go on while this one is held back. */
  readonly hasReplicas: boolean;
  /** Writes the last Events. */
  readonly stopEvents: () => Promise<void>;
  readonly watchdog?: OperatorWatchdog | undefined;
  readonly health: HealthServer;
  /** 0: health is not served. */
  readonly healthPort: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly shutdownMs: number;
}

/** Started once; {@link Operator.stop} is final. */
export class Operator {
  readonly #parts: OperatorParts;
  /** Aborts the work in flight. */
  readonly #controller = new AbortController();
  readonly #stopping = new AbortController();
  readonly #lost = Promise.withResolvers<string>();
  #stopped: Promise<void> | undefined;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
    parts.leadership.onLost((reason) => {
      this.#controller.abort(new Error(`the leadership is lost: ${reason}`));
      this.#lost.resolve(reason);
    });
  }

  /** Resolves with the reason if the leadership is lost: the process has to end, and a new one to begin. */
  get lost(): Promise<string> {
    return this.#lost.promise;
  }

  /**
   * Serves its health, fills the caches, makes sure that no object would be stranded, waits until this process leads, then begins to reconcile. Resolves when the workers run; rejects
   * if the operator is stopped before, or the port of its health is taken.
   */
  start = async (): Promise<void> => {
    const { caches, controllers, leadership, census, hasReplicas, health, healthPort, watchdog, log } = this.#parts;
    watchdog?.start();
    if (healthPort !== 0) await health.listen(healthPort);
    for (const controller of controllers) controller.listen();
    await Promise.all(caches.informers.map((informer) => informer.synced()));
    if (this.#stopping.signal.aborted) throw new Error('the operator was stopped before its caches were complete');
    log.info({ kinds: controllers.length }, 'the caches are complete');
    await watchdog?.record();
    const counted = census.passed(this.#stopping.signal);
    // Whoever would strand objects does not even seek the leadership. Without replicas nobody else would act for the rest.
    if (hasReplicas) await counted;
    else counted.catch(() => {});
    await leadership.whenLeading(this.#stopping.signal);
    for (const controller of controllers) controller.start(this.#controller.signal);
    log.info({ kinds: controllers.length }, 'reconciling begins');
  };

  /** Whether every cache is complete and no object would be stranded: the process is ready, whether it leads or not. */
  get isReady(): boolean {
    return this.#parts.census.isPassed && this.#parts.caches.informers.every((informer) => informer.isSynced);
  }

  /** Takes no more work, lets what is in flight end within the configured time, then lets go of Lease and caches. */
  stop = (): Promise<void> => (this.#stopped ??= this.#stop());

  /** Brings up every object of every kind. */
  resync = (): void => {
    for (const controller of this.#parts.controllers) controller.resync();
  };

  async #stop(): Promise<void> {
    const { caches, controllers, leadership, stopEvents, watchdog, health, healthPort, clock, log, shutdownMs } = this.#parts;
    log.info({}, 'stopping: no more work is taken');
    this.#stopping.abort(new Error('the operator stops'));
    const cancel = clock.setTimer(shutdownMs, () => {
      log.warn({ shutdownMs }, 'work in flight did not end in time and is aborted');
      this.#controller.abort(new Error('the operator stops'));
    });
    await Promise.all(controllers.map((controller) => controller.stop()));
    cancel();
    this.#controller.abort(new Error('the operator stops'));
    await stopEvents();
    await leadership.release();
    await caches.stop();
    if (healthPort !== 0) await health.close();
    await watchdog?.stop();
    log.info({}, 'stopped');
  }
}
