// One object under reconciliation in a memory cluster: cycles, plans, and the own status fields that its Actions set.
import type { Action } from '../action.ts';
import type { ExternalApi } from '../external.ts';
import {
  runCycle,
  runTeardown,
  type ActionOutcome,
  type CycleOptions,
  type CycleResult,
  type ResultMemo,
} from '../cycle.ts';
import type { Procedure } from '../procedure.ts';
import type { KubernetesContext } from '../kubernetes/context.ts';
import { clusterHost, type ClusterHostParts } from '../kubernetes/host.ts';
import type { KubernetesObject } from '../kubernetes/model.ts';
import { planProcedure, type Plan } from '../kubernetes/plan.ts';
import type { ResourceType } from '../kubernetes/resource.ts';
import { FakeClock } from './fake-clock.ts';
import { MemoryCluster } from './memory-cluster.ts';
import { runAction } from './run-action.ts';

export interface TestObjectParts {
  /** Default: an empty one. Several objects may share one. */
  readonly cluster?: MemoryCluster;
  readonly clock?: FakeClock;
  readonly fieldManager?: string;
  /** Simulations of external systems, by key. */
  readonly externals?: ReadonlyMap<string, ExternalApi>;
  /** What open kinds may stand for, by name. */
  readonly openKinds?: ReadonlyMap<string, readonly ResourceType[]>;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An object that procedures are run for, one cycle at a time. Nothing decides which procedure: see `TestOperator`. */
export class TestObject<T extends KubernetesObject> {
  readonly cluster: MemoryCluster;
  readonly clock: FakeClock;
  /** Uids of the owned objects that the last cycle applied or kept. */
  kept: ReadonlySet<string> = new Set();
  readonly #parts: TestObjectParts;
  readonly #memo = new Map<string, Parameters<ResultMemo['set']>[1]>();
  #object: T;
  #cycles = 0;
  #ids = 0;

  /** Stores the object unless the cluster has it. */
  constructor(
    object: Omit<T, 'metadata'> & { readonly metadata: { readonly name: string; readonly namespace?: string } },
    parts: TestObjectParts = {},
  ) {
    this.cluster = parts.cluster ?? new MemoryCluster();
    this.clock = parts.clock ?? new FakeClock();
    this.#parts = parts;
    const known = this.cluster
      .all()
      .find(
        ({ kind, metadata }) =>
          kind === (object as unknown as T).kind &&
          metadata.name === object.metadata.name &&
          metadata.namespace === object.metadata.namespace,
      );
    this.#object = (known as T | undefined) ?? this.cluster.put<T>(object);
  }

  /** As the last cycle left it. */
  get object(): T {
    return this.#object;
  }

  /** Changes the object as a user would. */
  change = (fields: Partial<T>): void => {
    this.#object = this.cluster.put<T>({ ...this.#object, ...fields });
    this.#memo.clear();
  };

  /** Evaluates the procedure once. */
  cycle = async (procedure: Procedure<KubernetesContext<T>>, options: CycleOptions = {}): Promise<CycleResult> => {
    await this.#refresh();
    const host = clusterHost(this.#hostParts(procedure.version));
    const result = await runCycle(procedure, host, options);
    this.kept = host.kept;
    await this.#refresh();
    this.#report(host.statusFields);
    return result;
  };

  /** Evaluates the teardown graph once. */
  teardown = async (procedure: Procedure<KubernetesContext<T>>): Promise<CycleResult> =>
    runTeardown(procedure, clusterHost(this.#hostParts(procedure.version)));

  /** What the procedure would do; nothing is written. */
  plan = (procedure: Procedure<KubernetesContext<T>>): Promise<Plan> =>
    planProcedure(procedure, this.#hostParts(procedure.version));

  /** One action by itself; `results` stand in for its prerequisites. */
  run = (
    action: Action<KubernetesContext<T>>,
    results: Readonly<Record<string, unknown>> = {},
  ): Promise<ActionOutcome> => runAction(action, clusterHost(this.#hostParts('0.0.0')), results);

  /** Runs cycles, calling `world` after each, until one is reconciled. */
  settle = async (
    procedure: Procedure<KubernetesContext<T>>,
    world: () => void = () => {},
    options: CycleOptions & { readonly limit?: number } = {},
  ): Promise<number> => {
    for (let count = 1; count <= (options.limit ?? 50); count += 1) {
      const result = await this.cycle(procedure, options);
      if (result.reconciled) return count;
      world();
      this.clock.advance(result.requeueAfterMs ?? 1_000);
    }
    const { outcomes } = await this.cycle(procedure, options);
    const open = [...outcomes.values()].filter(({ result, changes }) => result.status !== 'True' || changes.length > 0);
    throw new Error(
      `not reconciled: ${open.map(({ name, result, changes }) => `${name} ${result.reason} ${result.message} ${changes.map(({ target }) => target).join()}`).join('; ')}`,
    );
  };

  /** Fields of the own status, as the runtime's one write at the end of a cycle. */
  #report(fields: ReadonlyMap<string, unknown>): void {
    if (fields.size === 0) return;
    const status = { ...(this.#object as { readonly status?: object }).status, ...Object.fromEntries(fields) };
    this.cluster.setStatus(this.#object, this.#object.metadata, status);
    this.#object = { ...this.#object, status };
  }

  async #refresh(): Promise<void> {
    this.#object = ((await this.cluster.get(this.#object, this.#object.metadata)) as T | undefined) ?? this.#object;
  }

  #hostParts(version: string): ClusterHostParts<T> {
    this.#cycles += 1;
    const context: KubernetesContext<T> = {
      object: this.#object,
      clock: this.clock,
      log: silent,
      procedure: { version },
      cycleId: `c${this.#cycles}`,
      random: { uuid: () => `uuid-${(this.#ids += 1)}`, bytes: (length) => new Uint8Array(length) },
    };
    return {
      context,
      port: this.cluster,
      packageName: 'test',
      fieldManager: this.#parts.fieldManager ?? 'pawl-test',
      memo: { get: (key) => this.#memo.get(key), set: (key, entry) => this.#memo.set(key, entry) },
      ...(this.#parts.externals === undefined ? {} : { externals: this.#parts.externals }),
      ...(this.#parts.openKinds === undefined ? {} : { openKinds: this.#parts.openKinds }),
    };
  }
}
