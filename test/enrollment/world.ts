// A whole world in one process: the in-memory API with its actors, virtual time, a plugin, and enrollment operators.
import { createApiServer, startActors, type ApiServer } from '@pawl/kube-api';
import {
  createOperator,
  KubeClient,
  operatorConfig,
  type MonotonicClock,
  type Operator,
  type OperatorConfigInput,
  type Transport,
} from '@pawl/operator';
import {
  enrollmentPackage,
  Enrollments,
  type Enrollment,
  type EnrollmentPackageOptions,
  type EnrollmentSpec,
} from '@pawl/procedures-enrollment';
import type { Logger, Random } from '@pawl/reconciler';
import { defineCatalog, type KubernetesObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { FakeClock } from '@pawl/reconciler/testing';

type Json = Readonly<Record<string, unknown>>;

const STEP_MS = 100;
export const KINDS = {
  SourceMember: [
    { apiVersion: 'v1', kind: 'Pod', plural: 'pods' },
    { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
    { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false },
  ],
  SinkEntry: [
    { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
    { apiVersion: 'v1', kind: 'Service', plural: 'services' },
  ],
};

/** The same sequence in every run. */
function counting(seed: number): Random {
  let count = seed;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    bytes: (length) => Uint8Array.from({ length }, () => ((count += 1) * 97) % 256),
  };
}

/** The status as tests look at it. */
export interface EnrollmentView {
  readonly phase?: string;
  readonly version?: string;
  readonly summary?: string;
  readonly ready?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly counts?: Json;
  readonly entries: readonly Json[];
  readonly history: readonly { readonly version?: string; readonly to?: string }[];
}

export class EnrollmentWorld {
  readonly fake = new FakeClock(Date.UTC(2026, 0, 1));
  readonly clock: MonotonicClock = { now: this.fake.now, monotonic: this.fake.now, setTimer: this.fake.setTimer };
  readonly api: ApiServer = createApiServer({ clock: this.clock, random: counting(7) });
  readonly client = new KubeClient({ transport: this.api, clock: this.clock, random: counting(3), userAgent: 'user' });
  readonly errors: unknown[] = [];
  readonly #actors = startActors(this.api, { clock: this.clock, random: counting(5), podReadyAfterMs: 200 });
  readonly #operators = new Set<Operator>();
  #processes = 0;

  /** Starts an operator that knows all versions, or those up to one. */
  operator = async (
    options: EnrollmentPackageOptions = {},
    input: OperatorConfigInput = {},
    { upTo = '9.9.9', transport = this.api }: { readonly upTo?: string; readonly transport?: Transport } = {},
  ): Promise<Operator> => {
    const from = releaseOf(enrollmentPackage(options), upTo);
    const config = operatorConfig({ operatorName: 'test', settleMs: 0, workers: 2, openKinds: KINDS, ...input });
    this.#processes += 1;
    const operator = createOperator(config, [from], {
      transport,
      clock: this.clock,
      random: counting(100 * this.#processes),
      log: this.#log(),
    });
    this.#operators.add(operator);
    await Promise.race([operator.start(), this.run(2_000)]);
    return operator;
  };

  stop = async (operator: Operator): Promise<void> => {
    this.#operators.delete(operator);
    let isStopped = false;
    const stopped = operator.stop().then(() => (isStopped = true));
    while (!isStopped) await this.run(STEP_MS);
    await stopped;
  };

  /** Nothing of it is waited for any more, as after a kill. */
  abandon = (operator: Operator): void => void this.#operators.delete(operator);

  install = async (): Promise<void> => {
    for (const crd of enrollmentPackage().crds)
      await this.client.create(
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        crd as Json,
      );
    await this.run(500);
  };

  create = (name: string, spec: EnrollmentSpec): Promise<KubernetesObject> =>
    this.client.create(Enrollments, {
      apiVersion: Enrollments.apiVersion,
      kind: 'Enrollment',
      metadata: { name, namespace: 'default' },
      spec,
    } as unknown as Json);

  patch = (name: string, patch: Json): Promise<KubernetesObject> =>
    this.client.mergePatch(Enrollments, { name, namespace: 'default' }, patch);

  remove = (name: string): Promise<unknown> => this.client.remove(Enrollments, { name, namespace: 'default' });

  find = async (name: string): Promise<Enrollment | undefined> =>
    (await this.client.find(Enrollments, { name, namespace: 'default' })) as Enrollment | undefined;

  see = async (name: string): Promise<EnrollmentView> => {
    const { status = {} } = ((await this.find(name)) ?? {}) as { readonly status?: Json };
    const { procedure = {}, conditions = [], counts, entries = [] } = status as Readonly<Record<string, never>>;
    const { phase, version, summary, history = [] } = procedure as Readonly<Record<string, never>>;
    const ready = (conditions as readonly Json[]).find(({ type }) => type === 'Ready') ?? {};
    return {
      phase,
      version,
      summary,
      history,
      ready: ready['status'],
      reason: ready['reason'],
      message: ready['message'],
      counts,
      entries,
    } as unknown as EnrollmentView;
  };

  /** True once it is steady, Ready and at a version. */
  isAt = (name: string, version: string) => async (): Promise<boolean> => {
    const seen = await this.see(name);
    return seen.version === version && seen.phase === 'Steady' && seen.ready === 'True';
  };

  /** Names of the ConfigMaps of the default namespace that are entries. */
  names = async (kind = 'ConfigMap'): Promise<readonly string[]> => {
    const { items } = await this.client.list({ apiVersion: 'v1', kind }, { namespace: 'default' });
    return items
      .map(({ metadata }) => metadata.name)
      .filter((name) => !name.startsWith('kube'))
      .sort();
  };

  /** Requests of operators that changed something since the mark, but for the status of Enrollments. */
  writes = (since = 0): readonly string[] =>
    this.api.log
      .entries()
      .filter(
        (entry) => entry.sequence > since && entry.mutating && !entry.dryRun && entry.userAgent.startsWith('pawl/test'),
      )
      .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`)
      .filter((write) => !/enrollments|leases/.test(write));

  get mark(): number {
    return this.api.log.count();
  }

  run = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await drain();
      this.fake.advance(STEP_MS);
    }
    await drain();
  };

  /** @throws if it is not so within that time */
  until = async (what: string, isSo: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> => {
    for (let passed = 0; passed < withinMs; passed += STEP_MS) {
      await drain();
      if (await isSo()) return;
      this.fake.advance(STEP_MS);
    }
    throw new Error(`not within ${withinMs} ms: ${what}; last errors: ${JSON.stringify(this.errors.slice(-4))}`);
  };

  close = async (): Promise<void> => {
    await Promise.all([...this.#operators].map((operator) => this.stop(operator)));
    await Promise.all([this.#actors.stop(), this.run(200)]);
    this.api.close();
  };

  #log(): Logger {
    const keep = (bindings: object, message: string): void => {
      const { err, why } = bindings as { readonly err?: unknown; readonly why?: unknown };
      this.errors.push([message, err instanceof Error ? err.message : (why ?? '')]);
    };
    return { debug: () => {}, info: () => {}, warn: keep, error: keep };
  }
}

/** The package as an older release had it. */
function releaseOf(from: ProcedurePackage, upTo: string): ProcedurePackage {
  return {
    ...from,
    kinds: from.kinds.map(({ resource, procedures }) =>
      defineCatalog(resource, procedures.filter(({ version }) => version <= upTo) as never),
    ),
  };
}

/** Until nothing happens any more without time passing. */
async function drain(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
