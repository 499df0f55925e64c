// A whole world in one process for tests: an in-memory API, its actors, time that is pushed, and operators that come and go.
import { createApiServer, startActors, type ApiServer } from '@pawl/kube-api';
import type { Logger, MonotonicClock, Random } from '@pawl/reconciler';
import { FakeClock } from '@pawl/reconciler/testing';
import type { KubernetesObject, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { KubeClient } from '../client/kube-client.ts';
import { operatorConfig, type OperatorConfigInput } from '../config.ts';
import type { Operator } from '../operator.ts';
import type { Transport } from '../transport/transport.ts';
import { createOperator } from '../wiring/operator-module.ts';

type Json = Readonly<Record<string, unknown>>;

/** The same sequence in every run. */
export function countingRandom(seed = 1): Random {
  let count = seed;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    bytes: (length) => Uint8Array.from({ length }, () => ((count += 1) * 97) % 256),
  };
}

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const STEP_MS = 100;

export class World {
  readonly fake = new FakeClock(Date.UTC(2026, 0, 1));
  readonly clock: MonotonicClock = {
    now: this.fake.now,
    monotonic: this.fake.now,
    setTimer: (ms, callback) => this.fake.setTimer(ms, callback),
  };
  readonly api: ApiServer = createApiServer({ clock: this.clock, random: countingRandom(7) });
  readonly client = new KubeClient({ transport: this.api, clock: this.clock, random: countingRandom(3), userAgent: 'user' });
  readonly logged: { readonly level: string; readonly message: string; readonly bindings: Json }[] = [];
  readonly #actors = startActors(this.api, { clock: this.clock, random: countingRandom(5), podReadyAfterMs: 200 });
  readonly #operators = new Set<Operator>();

  /** Starts an operator of some release. Its caches are complete when this resolves. */
  operator = async (
    packages: readonly ProcedurePackage[],
    input: OperatorConfigInput = {},
    transport: Transport = this.api,
  ): Promise<Operator> => {
    const config = operatorConfig({ operatorName: 'test', settleMs: 0, workers: 2, ...input });
    const operator = createOperator(config, packages, {
      transport,
      clock: this.clock,
      random: countingRandom(11),
      log: this.#log(),
    });
    this.#operators.add(operator);
    const started = operator.start();
    await Promise.race([started, this.run(2_000)]);
    return operator;
  };

  /** Stops an operator as a SIGTERM does. */
  stop = async (operator: Operator): Promise<void> => {
    this.#operators.delete(operator);
    await Promise.all([operator.stop(), this.run(200)]);
  };

  /** Lets time pass, and with it everything that waits for it. */
  run = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await drain();
      this.fake.advance(STEP_MS);
    }
    await drain();
  };

  /** Lets time pass until something is so. @throws if it is not within `withinMs` */
  until = async (what: string, isSo: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> => {
    for (let passed = 0; passed < withinMs; passed += STEP_MS) {
      await drain();
      if (await isSo()) return;
      this.fake.advance(STEP_MS);
    }
    throw new Error(`not within ${withinMs} ms: ${what}; last logs: ${JSON.stringify(this.logged.slice(-5))}`);
  };

  /** Installs the CRDs of packages, as an administrator does before the operator starts. */
  install = async (...packages: readonly ProcedurePackage[]): Promise<void> => {
    for (const crd of packages.flatMap(({ crds }) => crds))
      await this.client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as Json);
    await this.run(500);
  };

  /** Requests that changed something since the mark, as `verb resource name`, of one client. */
  writes = (since = 0, userAgent = 'pawl/test'): readonly string[] =>
    this.api.log
      .entries()
      .filter((entry) => entry.sequence > since && entry.mutating && !entry.dryRun && entry.userAgent.startsWith(userAgent))
      .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`);

  /** A mark for {@link World.writes}. */
  get mark(): number {
    return this.api.log.count();
  }

  get = (apiVersion: string, kind: string, name: string, namespace?: string): Promise<KubernetesObject | undefined> =>
    this.client.find({ apiVersion, kind }, namespace === undefined ? { name } : { name, namespace });

  /** Ends a world in which some operator hangs for ever, as after a crash. */
  abandon = async (): Promise<void> => {
    await Promise.all([this.#actors.stop(), this.run(200)]);
    this.api.close();
  };

  close = async (): Promise<void> => {
    await Promise.all([...this.#operators].map((operator) => this.stop(operator)));
    await Promise.all([this.#actors.stop(), this.run(200)]);
    this.api.close();
  };

  #log(): Logger {
    const keep = (level: string) => (bindings: object, message: string) =>
      void this.logged.push({ level, message, bindings: bindings as Json });
    return { ...silent, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  }
}

/** Until nothing happens any more without time passing. */
async function drain(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
