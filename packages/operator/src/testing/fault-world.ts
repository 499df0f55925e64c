// A world in one process that suffers: an API with options, its actors, operators behind networks that fail, and hours
// that pass in a moment, for time jumps from timer to timer.
import { createApiServer, startActors, type Actors, type ActorOptions, type ApiServer, type ApiServerOptions } from '@pawl/kube-api';
import type { Logger } from '@pawl/reconciler';
import type { KubernetesObject, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { KubeClient } from '../client/kube-client.ts';
import { operatorConfig, type OperatorConfigInput } from '../config.ts';
import { partsOf } from '../controller/custom-object.ts';
import type { Operator } from '../operator.ts';
import type { Transport } from '../transport/transport.ts';
import { createOperator } from '../wiring/operator-module.ts';
import { faultyTransport, type FaultyTransport } from './faulty-transport.ts';
import { Pages } from './pages.ts';
import { tallyRequests, type RequestTally } from './request-tally.ts';
import { VirtualClock } from './virtual-clock.ts';
import { countingRandom } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

export interface FaultWorldOptions {
  readonly server?: ApiServerOptions;
  /** Default: all; an empty list: none. */
  readonly actors?: ActorOptions['only'];
  /** Distinguishes the chances of several runs. Default 1. */
  readonly seed?: number;
  /** Some operator talks to the server over real connections: each moment waits for them. */
  readonly realIo?: boolean;
}

/** An operator that runs here, and the network that it has to the server. */
export interface Replica {
  readonly podName: string;
  readonly operator: Operator;
  readonly network: FaultyTransport;
}

/** The status of a Page, as far as tests look at it. */
export interface PageStatus {
  readonly procedure?: { readonly phase?: string; readonly version?: string; readonly target?: string };
  readonly actions?: readonly { readonly name: string; readonly status: string; readonly reason: string; readonly message: string }[];
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

/** Turns of the event loop without any request after which nothing more happens before time passes. */
const QUIET_TURNS = 8;

export class FaultWorld {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly api: ApiServer;
  readonly client: KubeClient;
  readonly tally: RequestTally;
  readonly logged: { readonly level: string; readonly message: string; readonly bindings: Json }[] = [];
  readonly #actors: Actors;
  readonly #replicas = new Set<Replica>();
  readonly #turn: () => Promise<unknown>;
  #seed: number;

  constructor({ server = {}, actors, seed = 1, realIo = false }: FaultWorldOptions = {}) {
    const { clock } = this;
    this.#turn = () => new Promise((resolve) => (realIo ? setTimeout(resolve, 1) : setImmediate(resolve)));
    this.#seed = seed * 1_000;
    this.api = createApiServer({ clock, random: countingRandom(this.#next()), ...server });
    this.client = new KubeClient({ transport: this.api, clock, random: countingRandom(this.#next()), userAgent: 'user' });
    this.tally = tallyRequests(this.api);
    const only = actors === undefined ? {} : { only: actors };
    this.#actors = startActors(this.api, { clock, podReadyAfterMs: 200, ...only });
  }

  /** A client of its own name, as other programs and people are. */
  clientOf = (userAgent: string): KubeClient =>
    new KubeClient({ transport: this.api, clock: this.clock, random: countingRandom(this.#next()), userAgent });

  /** Starts an operator and lets `withinMs` pass, by when it works unless something is in its way. */
  operator = async (
    packages: readonly ProcedurePackage[],
    input: OperatorConfigInput = {},
    inner: Transport = this.api,
    withinMs = 2_000,
  ): Promise<Replica> => {
    const network = faultyTransport(inner, this.clock);
    const config = operatorConfig({ operatorName: 'test', settleMs: 0, workers: 4, ...input });
    const ports = { transport: network, clock: this.clock, random: countingRandom(this.#next()), log: this.#log() };
    const replica = { podName: config.podName, operator: createOperator(config, packages, ports), network };
    this.#replicas.add(replica);
    const started = replica.operator.start();
    started.catch(() => {});
    await Promise.race([started, this.run(withinMs)]);
    return replica;
  };

  /** Stops an operator as a SIGTERM does. */
  stop = async (replica: Replica): Promise<void> => {
    this.#replicas.delete(replica);
    await this.#whileTimePasses(replica.operator.stop());
  };

  /** Lets time pass, and with it everything that waits for it. */
  run = async (ms: number): Promise<void> => {
    const end = this.clock.monotonic() + ms;
    for (;;) {
      await this.#drain();
      if (this.clock.monotonic() >= end) return;
      this.clock.moveTo(Math.min(end, this.clock.nextAt));
    }
  };

  /** Lets time pass until something is so. @throws if it is not within `withinMs` */
  until = async (what: string, isSo: () => boolean | Promise<boolean>, withinMs = 300_000): Promise<void> => {
    for (const end = this.clock.monotonic() + withinMs; ; await this.run(250)) {
      await this.#drain();
      if (await isSo()) return;
      if (this.clock.monotonic() < end) continue;
      const logs = this.logged.slice(-5).map(({ message, bindings }) => `${message} ${whyOf(bindings)}`);
      throw new Error(`not within ${withinMs} ms: ${what}; last logs: ${logs.join('\n')}; writes: ${this.tally.lines().slice(-10).join('\n')}`);
    }
  };

  /** Installs the CRDs of packages, as an administrator does before the operator starts. */
  install = async (...packages: readonly ProcedurePackage[]): Promise<void> => {
    for (const crd of packages.flatMap(({ crds }) => crds))
      await this.client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as Json);
    await this.run(500);
  };

  get = (apiVersion: string, kind: string, name: string): Promise<KubernetesObject | undefined> =>
    this.client.find({ apiVersion, kind }, { name, namespace: 'default' });

  /** Changes a Page as a user does. */
  edit = (name: string, spec: Json): Promise<KubernetesObject> =>
    this.client.mergePatch(Pages, { name, namespace: 'default' }, { spec });

  statusOf = async (name = 'front'): Promise<PageStatus> => {
    const found = await this.get(Pages.apiVersion, Pages.kind, name);
    return found === undefined ? {} : (partsOf(found).status as PageStatus);
  };

  /** Whether a Page is Ready, and steady at a version. */
  isAt =
    (version: string, name = 'front') =>
    async (): Promise<boolean> =>
      isSteadyAt(await this.statusOf(name), version);

  /** How many Pages are Ready, and steady at a version. */
  countAt = async (version: string): Promise<number> => {
    const { items } = await this.client.list(Pages, { namespace: 'default' });
    return items.filter((item) => isSteadyAt(partsOf(item).status as PageStatus, version)).length;
  };

  close = async (): Promise<void> => {
    for (const { network } of this.#replicas) network.setFaults(undefined);
    for (const replica of this.#replicas) await this.stop(replica);
    await this.#whileTimePasses(this.#actors.stop());
    this.api.close();
  };

  async #whileTimePasses(ending: Promise<void>): Promise<void> {
    let isOver = false;
    const over = ending.finally(() => (isOver = true));
    for (let tries = 0; tries < 1_000; tries += 1) {
      await this.#drain();
      if (isOver) break;
      await this.run(100);
    }
    await over;
  }

  /** Until nothing happens any more without time passing. */
  async #drain(): Promise<void> {
    let seen = -1;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      const count = this.api.log.count() + this.logged.length;
      if (count !== seen) quiet = 0;
      seen = count;
      await this.#turn();
    }
  }

  #next(): number {
    return (this.#seed += 7);
  }

  #log(): Logger {
    const keep = (level: string) => (bindings: object, message: string) =>
      void this.logged.push({ level, message, bindings: bindings as Json });
    return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  }
}

function isSteadyAt({ procedure, conditions }: PageStatus, version: string): boolean {
  const isReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  return procedure?.version === version && procedure.phase === 'Steady' && isReady;
}

const whyOf = ({ err, why }: Json): string => (err instanceof Error ? err.message : typeof why === 'string' ? why : '');
