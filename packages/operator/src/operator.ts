// The operator as a whole: caches first, then the controllers; stopped in the reverse order.
import type { Clock, Logger } from '@pawl/reconciler';
import type { ClusterCaches } from './cluster/cluster-caches.ts';
import type { KindController } from './controller/kind-controller.ts';

export interface OperatorParts {
  readonly caches: ClusterCaches;
  readonly controllers: readonly KindController[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly shutdownMs: number;
}

/** Started once; {@link Operator.stop} is final. */
export class Operator {
  readonly #parts: OperatorParts;
  readonly #controller = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  /**
   * Fills the caches, then begins to reconcile. Resolves when every cache is complete and the workers run; rejects only
   * if the operator is stopped before.
   */
  start = async (): Promise<void> => {
    const { caches, controllers, log } = this.#parts;
    for (const controller of controllers) controller.listen();
    await Promise.all(caches.informers.map((informer) => informer.synced()));
    if (this.#controller.signal.aborted) throw new Error('the operator was stopped before its caches were complete');
    for (const controller of controllers) controller.start(this.#controller.signal);
    log.info({ kinds: controllers.length }, 'the caches are complete, reconciling begins');
  };

  /** Whether every cache is complete: the process is ready. */
  get isReady(): boolean {
    return this.#parts.caches.informers.every((informer) => informer.isSynced);
  }

  /** Takes no more work, lets what is in flight end within the configured time, then lets go of the caches. */
  stop = (): Promise<void> => (this.#stopped ??= this.#stop());

  /** Brings up every object of every kind. */
  resync = (): void => {
    for (const controller of this.#parts.controllers) controller.resync();
  };

  async #stop(): Promise<void> {
    const { caches, controllers, clock, log, shutdownMs } = this.#parts;
    log.info({}, 'stopping: no more work is taken');
    const cancel = clock.setTimer(shutdownMs, () => {
      log.warn({ shutdownMs }, 'work in flight did not end in time and is aborted');
      this.#controller.abort(new Error('the operator stops'));
    });
    await Promise.all(controllers.map((controller) => controller.stop()));
    cancel();
    this.#controller.abort(new Error('the operator stops'));
    await caches.stop();
    log.info({}, 'stopped');
  }
}
