// One actor: a pure decision per key, and the shell that runs it.
import type { Clock } from '../../ports.ts';
import type { Transport } from '../../transport.ts';
import type { Activity } from './activity.ts';
import { Client } from './client.ts';
import type { Cluster } from './cluster.ts';
import type { Kind } from './kind.ts';
import type { KnownKind, KnownKinds, Live } from './model.ts';
import { perform } from './perform.ts';
import { WorkQueue } from './queue.ts';
import type { Decision } from './step.ts';
import type { Change } from './store.ts';

/** For each watched kind: the keys that a changed object touches. */
export type Watches = { readonly [K in KnownKind]?: (object: KnownKinds[K], cluster: Cluster) => readonly string[] };

/** The actors there are. */
export type ActorName =
  | 'deployment'
  | 'replicaSet'
  | 'statefulSet'
  | 'daemonSet'
  | 'job'
  | 'pod'
  | 'node'
  | 'volume'
  | 'disruption'
  | 'namespace'
  | 'garbageCollector';

/** A part of the cluster that lives outside the API server. */
export interface Actor {
  readonly name: ActorName;
  /** Sent as `user-agent`; the part before the slash becomes the field manager. */
  readonly userAgent: string;
  readonly watches: Watches;
  /** Keys touched by an object of any kind. An actor with this watches everything that is served. */
  readonly watchesEvery?: (object: Live, cluster: Cluster) => readonly string[];
  /** Pure: what is wanted for a key, given all that is known and the time in ms. */
  readonly decide: (key: string, cluster: Cluster, now: number) => Decision;
}

/** What running an actor needs from outside. */
export interface RunnerOptions {
  readonly transport: Transport;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly turn: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly changed: (kind: Kind, change: Change) => void;
  /** Hears of every refusal and fault, which are retried in any case. */
  readonly failed: (actor: string, key: string, error: unknown) => void;
}

const IMMEDIATE_RETRIES = 3;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;

/** Runs one actor: changes in, requests out. */
export class Runner {
  readonly actor: Actor;
  readonly #options: RunnerOptions;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #failures = new Map<string, number>();

  constructor(actor: Actor, options: RunnerOptions) {
    this.actor = actor;
    this.#options = options;
    this.#client = new Client(options.transport, actor.userAgent, options.signal);
    this.#queue = new WorkQueue({ ...options, run: (key) => this.#run(key) });
  }

  /** Queues the keys that a change touches; both sides count, for an object may have moved between owners. */
  hear(name: string, { before, after }: Change): void {
    const { watches, watchesEvery } = this.actor;
    // The store under a known name holds objects of exactly that kind.
    const keysOf = (watches as Record<string, ((object: never, cluster: Cluster) => readonly string[]) | undefined>)[
      name
    ];
    for (const object of [after, before]) {
      if (object === undefined) continue;
      for (const key of keysOf?.(object as never, this.#options.cluster) ?? []) this.#queue.add(key);
      for (const key of watchesEvery?.(object, this.#options.cluster) ?? []) this.#queue.add(key);
    }
  }

  /** Lets work begin: everything that the actor watches is known now. */
  open(): void {
    this.#queue.open();
  }

  /** Ends; resolves when nothing of this actor is in flight. */
  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** Decides and acts. Outdated views are decided again at once, a few times; refusals ever later. */
  async #run(key: string): Promise<number | undefined> {
    const { cluster, clock, signal, changed, failed } = this.#options;
    const options = { client: this.#client, cluster, changed };
    let report: Decision['report'];
    try {
      for (let attempt = 0; attempt <= IMMEDIATE_RETRIES; attempt++) {
        const decision = this.actor.decide(key, cluster, clock.now());
        report = decision.steps.length > 0 ? decision.report : undefined;
        const wanted = decision.steps.length > 0 ? decision.steps : (decision.report ?? []);
        const performed = await perform(wanted, options);
        if (performed === 'outdated') continue;
        if (performed === 'done' && decision.steps.length > 0) this.#queue.add(key);
        this.#failures.delete(key);
        return decision.againAfterMs;
      }
    } catch (error) {
      if (signal.aborted) return undefined;
      failed(this.actor.name, key, error);
      await perform(report ?? [], options).catch((again: unknown) => {
        failed(this.actor.name, key, again);
      });
    }
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
  }
}
