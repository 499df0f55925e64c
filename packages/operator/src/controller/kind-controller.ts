// The controller of one kind: events become keys in a queue, workers bring them up one by one, outcomes say when again.
import type { Logger, MonotonicClock } from '@pawl/reconciler';
import { isEqualJson } from '@pawl/reconciler';
import { LABELS, ownerHashOf, requestAnnotation, type KubernetesObject, type ObjectRef } from '@pawl/reconciler/kubernetes';
import type { InformerEvent } from '../cache/informer.ts';
import { KubeError } from '../client/api-error.ts';
import type { ClusterCaches } from '../cluster/cluster-caches.ts';
import type { MeteredQueue } from '../observe/metered-queue.ts';
import type { Metrics, PassOutcome } from '../observe/metrics.ts';
import { errorTypeOf, type Span, type Tracer } from '../observe/tracing.ts';
import type { QuarantineGate } from '../watchdog/quarantine-gate.ts';
import { CycleAbandoned } from './guard.ts';
import type { KindSetup } from './kind-setup.ts';
import type { Next } from './next.ts';
import type { ObjectReconciler } from './object-reconciler.ts';
import { ReadIndex, type ReadLog } from './read-index.ts';

export interface KindControllerParts {
  readonly setup: KindSetup;
  readonly caches: ClusterCaches;
  readonly queue: MeteredQueue;
  readonly reconciler: ObjectReconciler;
  readonly quarantine: QuarantineGate;
  readonly clock: MonotonicClock;
  readonly log: Logger;
  readonly workers: number;
  readonly resyncMs: number;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
}

const LONGEST_ASKED_MS = 300_000;
/** So many passes in a row may follow each other at once. More are slowed down: an Action that is never content would not give back the thread. */
const MOST_AT_ONCE = 64;
const LONGEST_PAUSE_MS = 1_000;

export class KindController {
  readonly #parts: KindControllerParts;
  readonly #reads = new ReadIndex();
  /** Keys whose objects rest, and until when, on the monotonic clock. */
  readonly #rests = new Map<string, number>();
  /** How many passes in a row asked for another one at once. */
  readonly #atOnce = new Map<string, number>();
  /** Value of the owner label to the key of the object that it stands for. */
  readonly #owners = new Map<string, string>();
  #workers: readonly Promise<void>[] = [];

  constructor(parts: KindControllerParts) {
    this.#parts = parts;
  }

  get kind(): string {
    return this.#parts.setup.resource.kind;
  }

  /** For how long the oldest pass that is under way has been. */
  longestPassMs = (): number => this.#parts.queue.state.longestMs;

  /** Remembers what a cycle read, so that a change of it brings the object up. */
  noteReads = (object: KubernetesObject, log: ReadLog): void => {
    this.#reads.set(keyOf(object.metadata), log);
  };

  /** Listens to the kind itself and to all that its procedures touch. To be called before the caches fill. */
  listen = (): void => {
    const { setup, caches } = this.#parts;
    caches.onChange(setup.resource, this.#onObject);
    for (const type of [...setup.owned, ...setup.touched]) caches.onChange(type, this.#onTouched);
    const { parent } = setup.catalog;
    if (parent !== undefined) caches.onChange(parent.of, this.#onParent);
  };

  /** Begins to work. @param signal aborts the work in flight */
  start = (signal: AbortSignal): void => {
    this.#workers = Array.from({ length: this.#parts.workers }, () => this.#work(signal));
  };

  /** Takes nothing more; resolves when the work in flight has ended. */
  stop = async (): Promise<void> => {
    await this.#parts.queue.shutDown();
    await Promise.all(this.#workers);
  };

  /** Brings up every object, as after something that no event tells of. */
  resync = (): void => {
    const { caches, setup, queue } = this.#parts;
    for (const { metadata } of caches.list(setup.resource, { namespace: '*' })) queue.add(keyOf(metadata), 'resync');
  };

  #onObject = (event: InformerEvent): void => {
    const { type, object, echo } = event;
    const { queue, reconciler } = this.#parts;
    const key = keyOf(object.metadata);
    if (type === 'deleted') {
      reconciler.forget(object.metadata.uid);
      this.#reads.forget(key);
      this.#rests.delete(key);
      this.#owners.delete(ownerHashOf(object));
      queue.discard(key);
      return;
    }
    this.#owners.set(ownerHashOf(object), key);
    if (echo) return;
    if (event.type !== 'updated' || isChangedByHand(event.old, object)) {
      this.#rests.delete(key);
      if (event.type === 'updated' && requestsRetry(object) && !requestsRetry(event.old)) queue.forget(key);
      queue.add(key);
    } else this.#bringUp(key);
  };

  #onTouched = (event: InformerEvent): void => {
    if (event.echo) return;
    const { object } = event;
    const before = event.type === 'updated' ? event.old : undefined;
    for (const state of before === undefined ? [object] : [object, before]) {
      const owner = this.#owners.get(state.metadata.labels?.[LABELS.owner] ?? '');
      if (owner !== undefined) this.#bringUp(owner);
    }
    for (const key of this.#reads.readersOf(object, before)) this.#bringUp(key);
  };

  /**
   * Something around the object has happened. An object that rests is not brought up before its time: what its own writes
   * set off may arrive before their answers do, and would keep it going without a pause.
   */
  #bringUp(key: string): void {
    const { queue, clock } = this.#parts;
    const leftMs = (this.#rests.get(key) ?? 0) - clock.monotonic();
    if (leftMs > 0) queue.addAfter(key, leftMs);
    else queue.add(key);
  }

  #onParent = ({ object, echo }: InformerEvent): void => {
    const { setup, caches, queue } = this.#parts;
    if (echo) return;
    for (const child of caches.list(setup.resource, { namespace: '*' }))
      if (child.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid) === true)
        queue.add(keyOf(child.metadata));
  };

  async #work(signal: AbortSignal): Promise<void> {
    const { queue, metrics, clock } = this.#parts;
    for (;;) {
      const key = await queue.next();
      if (key === undefined) return;
      const began = clock.monotonic();
      metrics.passBegan(this.kind);
      try {
        metrics.passEnded(this.kind, await this.#traced(key, signal), clock.monotonic() - began);
      } finally {
        queue.done(key);
      }
    }
  }

  /** Never throws. */
  #traced(key: string, signal: AbortSignal): PassOutcome | Promise<PassOutcome> {
    const { queue, setup, tracer } = this.#parts;
    const { apiVersion, kind } = setup.resource;
    const { namespace, name } = refOf(key);
    const attributes = {
      'k8s.object.api_version': apiVersion,
      'k8s.object.kind': kind,
      'k8s.namespace.name': namespace,
      'k8s.object.name': name,
      'pawl.reconcile.attempt': queue.failures(key) + 1,
    };
    return tracer.span({ name: `reconcile ${kind}`, isRoot: true, attributes }, async (span) => {
      const outcome = await this.#pass(key, signal, span);
      span.set({ 'pawl.reconcile.result': outcome });
      return outcome;
    });
  }

  /** Never throws. */
  async #pass(key: string, signal: AbortSignal, span: Span): Promise<PassOutcome> {
    const { queue, log, setup } = this.#parts;
    try {
      return this.#schedule(key, await this.#next(refOf(key), signal), span);
    } catch (error) {
      if (signal.aborted) return 'requeue';
      const inMs = queue.retry(key, askedWaitMs(error));
      const bindings = { kind: setup.resource.kind, object: key, inMs, err: error };
      if (error instanceof CycleAbandoned) {
        log.debug(bindings, 'the cycle was abandoned');
        return 'requeue';
      }
      span.fail(errorTypeOf(error));
      log.warn(bindings, 'the object could not be reconciled and is tried again');
      return 'error';
    }
  }

  async #next(ref: ObjectRef, signal: AbortSignal): Promise<Next> {
    const { reconciler, quarantine, caches, setup } = this.#parts;
    const object = caches.get(setup.resource, ref);
    const leftOut = object === undefined ? undefined : await quarantine.hold(object, signal);
    if (leftOut !== undefined) return leftOut;
    const next = await reconciler.reconcile(ref, signal);
    await quarantine.ended(caches.get(setup.resource, ref));
    return next;
  }

  #schedule(key: string, next: Next, span: Span): PassOutcome {
    const { queue, resyncMs, log, setup } = this.#parts;
    if (next.again === 'backoff') {
      const inMs = queue.retry(key);
      span.fail('ActionFailed');
      log.warn({ kind: setup.resource.kind, object: key, inMs, why: next.why }, 'an action failed and is tried again');
      return 'error';
    }
    queue.forget(key);
    this.#rests.delete(key);
    const isAtOnce = next.again === 'after' && next.ms <= 0;
    const atOnce = isAtOnce ? (this.#atOnce.get(key) ?? 0) + 1 : 0;
    if (isAtOnce) this.#atOnce.set(key, atOnce);
    else this.#atOnce.delete(key);
    if (next.again === 'after' && next.rests === true) this.#rests.set(key, this.#parts.clock.monotonic() + next.ms);
    if (next.again === 'when-changed') {
      queue.addAfter(key, resyncMs, 'resync');
      return 'success';
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(0, atOnce - MOST_AT_ONCE));
    if (next.ms + pauseMs <= 0) queue.add(key);
    else queue.addAfter(key, Math.max(next.ms, pauseMs));
    return next.ms <= 0 ? 'requeue' : 'requeue_after';
  }
}

/** How long the server asks to wait, within reason. */
const askedWaitMs = (error: unknown): number =>
  error instanceof KubeError ? Math.min(error.retryAfterMs ?? 0, LONGEST_ASKED_MS) : 0;

const requestsRetry = ({ metadata }: KubernetesObject): boolean =>
  metadata.annotations?.[requestAnnotation('retry')] !== undefined;

/** Anything but status: what people and their tools change. */
function isChangedByHand({ metadata: old }: KubernetesObject, { metadata: now }: KubernetesObject): boolean {
  return (
    old.generation !== now.generation ||
    old.deletionTimestamp !== now.deletionTimestamp ||
    !isEqualJson(old.annotations, now.annotations)
  );
}

const keyOf = ({ namespace, name }: ObjectRef): string => (namespace === undefined ? name : `${namespace}/${name}`);

function refOf(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return slash === -1 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
