// A whole world: an API, the parts of a cluster beside it, and operators that come and go, all on one scheduler.
import { createApiServer, startActors, type ActorName, type Actors, type ApiServer } from '@pawl/kube-api';
import type { ApiRequest, ApiResponse } from '@pawl/operator';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { ExternalFake } from './external-fake.ts';
import type { Fault } from './faults.ts';
import type { HistoryEvent } from './history.ts';
import { OperatorProcess, type ProcessOptions } from './operator-process.ts';
import { Scheduler } from './scheduler.ts';
import { SimClock, type SimClockPort } from './sim-clock.ts';
import { randomStream } from './sim-random.ts';
import { needsWebhook, Webhook } from './webhook.ts';
import { WorldFaults } from './world-faults.ts';

/** The state of a world between two moments: what survives when every operator is gone. */
export interface Snapshot {
  readonly api: ApiServer;
  readonly nowMs: number;
  readonly externals: Readonly<Record<string, object>>;
}

export interface WorldOptions {
  readonly seed: number;
  readonly faults?: readonly Fault[];
  readonly fakes?: readonly ExternalFake[];
  /** The parts of the cluster that are wanted; none if empty. */
  readonly actors: readonly ActorName[];
  /** Picks among parked requests. Default: the order of arrival. */
  readonly choose?: (parked: readonly { readonly who: string }[]) => number;
}

const EPOCH_MS = Date.UTC(2026, 0, 1);

export class World {
  readonly history: HistoryEvent[] = [];
  readonly clock: SimClock;
  readonly scheduler: Scheduler;
  readonly api: ApiServer;
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly fakes: readonly ExternalFake[];
  readonly externals: Record<string, object>;
  /** Lets a fault of the world around the operators happen. */
  readonly strike: WorldFaults['strike'];
  readonly #worldFaults: WorldFaults;
  readonly #actors: Actors | undefined;
  #isAlive = true;
  #holder: string | undefined;

  constructor(options: WorldOptions, from?: Snapshot) {
    const { seed, faults = [], fakes = [], actors } = options;
    this.seed = seed;
    this.faults = faults;
    this.fakes = fakes;
    this.clock = new SimClock(from?.nowMs ?? EPOCH_MS);
    this.scheduler = new Scheduler(this.clock, options.choose);
    const clock = this.#port();
    // Forks must not name new objects as those that they were made with.
    const random = randomStream(seed, `api from ${from?.api.resourceVersion() ?? 'nothing'}`);
    const webhook = needsWebhook(faults) ? new Webhook() : undefined;
    const asked = { clock, random, logLimit: 0, ...(webhook === undefined ? {} : { webhooks: { send: webhook.send } }) };
    this.api = from === undefined ? createApiServer(asked) : from.api.fork(asked);
    webhook?.configure(this.api);
    this.#worldFaults = new WorldFaults({ api: this.api, now: this.clock.now, setTimer: clock.setTimer, history: this.history, webhook });
    this.strike = this.#worldFaults.strike;
    this.externals = structuredClone(from?.externals ?? Object.fromEntries(fakes.map(({ key, initial }) => [key, initial])));
    if (actors.length > 0) this.#actors = startActors(this.#actorTransport(), { clock, only: actors, turn: () => Promise.resolve() });
  }

  /** Starts an operator. It runs as far as the scheduler lets it. @param number which process of the story it is */
  start = (number: number, packages: readonly ProcedurePackage[], options: ProcessOptions = {}): OperatorProcess =>
    new OperatorProcess(this, number, packages, options);

  /** Lets things happen for so long, or until something is so at a quiet moment. */
  run = (forMs: number, isReached: () => boolean | Promise<boolean> = () => false, isStopped?: () => boolean): Promise<boolean> =>
    this.scheduler.run(this.clock.now() + forMs, isReached, isStopped);

  /** A request of a person or a test: it happens at once and is not part of the history. */
  ask = (request: ApiRequest): Promise<ApiResponse> =>
    this.api.request({ ...request, headers: { 'user-agent': 'user', ...request.headers } });

  /** Identity in the Lease of the operator, if there is one: kept up to date by {@link World.watchLease}. */
  leaseHolder = (): string | undefined => this.#holder;

  /** Follows the Lease from now on. */
  watchLease = async (): Promise<void> => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases?resourceVersion=0';
    const { events } = await this.api.watch({ method: 'GET', path });
    void (async () => {
      for await (const { object } of events) {
        const { spec } = object as { readonly spec?: { readonly holderIdentity?: string } };
        this.#holder = spec?.holderIdentity;
      }
    })();
  };

  /** What survives if everything that runs ended now. */
  snapshot = (): Snapshot => ({
    api: this.api.fork({ clock: this.#port(), logLimit: 0 }),
    nowMs: this.clock.now(),
    externals: Object.keys(this.externals).length === 0 ? this.externals : structuredClone(this.externals),
  });

  /** Ends everything: nothing of this world happens any more. */
  end = (): void => {
    this.#isAlive = false;
    void this.#actors?.stop();
    this.api.close();
  };

  #port(): SimClockPort {
    return this.clock.portOf({ isAlive: () => this.#isAlive });
  }

  #actorTransport(): Pick<ApiServer, 'request' | 'watch'> {
    const { api, scheduler } = this;
    return {
      request: async (request) => {
        await this.#worldFaults.passed(request);
        await scheduler.park('cluster');
        return api.request(request);
      },
      watch: async (request) => {
        await scheduler.park('cluster');
        return api.watch(request);
      },
    };
  }
}
