// A thing, an API in memory and one operator after the other, with time that is pushed: what a report from the field must
// come to, looked at one thing at a time.
import { createApiServer, startActors, type WebhookOptions } from '@pawl/kube-api';
import { createOperator, Inspector, KubeClient, operatorConfig, type ObjectPlan, type Operator, type OperatorConfigInput } from '@pawl/operator';
import { compareVersions, type Logger, type MonotonicClock, type Procedure, type Random } from '@pawl/reconciler';
import { defineCatalog, definePackage, type Condition, type KubernetesContext, type KubernetesObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { FakeClock } from '@pawl/reconciler/testing';
import { thing, Things, type ThingSpec } from './shared.ts';

/** What a status says. */
export interface Status {
  readonly ordered?: string;
  readonly procedure?: {
    readonly phase?: string;
    readonly version?: string;
    readonly target?: string;
    readonly history?: readonly { readonly version: string; readonly result: string }[];
    readonly record?: { readonly target?: string; readonly applied: readonly object[]; readonly scope: readonly object[] };
  };
  readonly actions?: readonly { readonly name: string; readonly status: string }[];
  readonly conditions?: readonly Condition[];
}

const STEP_MS = 100;
const ref = { name: 'one', namespace: 'default' };
const DEFINITIONS = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const ignore = (): void => {};
/** The same sequence in every run. */
function counting(seed: number): Random {
  let count = seed;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    bytes: (length) => Uint8Array.from({ length }, () => ((count += 1) * 97) % 256),
  };
}

const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The package as it was when a version was the newest. */
export function releaseOf(from: ProcedurePackage, version: string): ProcedurePackage {
  const kinds = from.kinds.map(({ resource, procedures }) => {
    const kept = procedures.filter((procedure) => compareVersions(procedure.version, version) <= 0);
    return defineCatalog(resource, kept as unknown as readonly Procedure<KubernetesContext<KubernetesObject>>[]);
  });
  return definePackage({ ...from, kinds });
}

export class Lab {
  readonly #fake = new FakeClock(Date.UTC(2026, 0, 1));
  readonly clock: MonotonicClock = { now: this.#fake.now, monotonic: this.#fake.now, setTimer: this.#fake.setTimer };
  readonly api;
  readonly client;
  readonly #actors;
  readonly #operators = new Set<Operator>();

  constructor(webhooks: WebhookOptions = {}) {
    this.api = createApiServer({ clock: this.clock, random: counting(7), webhooks });
    this.client = new KubeClient({ transport: this.api, clock: this.clock, random: counting(3), userAgent: 'person' });
    this.#actors = startActors(this.api, { clock: this.clock, random: counting(5), podReadyAfterMs: 200 });
  }

  /** A thing that a release has brought to a version; the operator has ended. */
  static at = async (version: string, from: ProcedurePackage, spec: ThingSpec = {}, webhooks: WebhookOptions = {}): Promise<Lab> => {
    const lab = await Lab.with(from, spec, webhooks);
    const operator = await lab.start(from);
    await lab.reaches(version);
    await lab.stop(operator);
    return lab;
  };

  /** A thing that no operator has seen. */
  static with = async (from: ProcedurePackage, spec: ThingSpec = {}, webhooks: WebhookOptions = {}): Promise<Lab> => {
    const lab = new Lab(webhooks);
    await lab.install(from);
    await lab.client.create(Things, thing(spec));
    return lab;
  };

  install = async ({ crds }: ProcedurePackage): Promise<void> => {
    for (const crd of crds) await this.client.create(DEFINITIONS, crd as object as Readonly<Record<string, unknown>>);
    await this.run(500);
  };

  start = async (from: ProcedurePackage, input: Partial<OperatorConfigInput> = {}): Promise<Operator> => {
    const config = operatorConfig({ operatorName: 'lab', settleMs: 0, seed: 1, ...input });
    const operator = createOperator(config, [from], { transport: this.api, clock: this.clock, random: counting(11), log: silent });
    this.#operators.add(operator);
    let isStarted = false;
    void operator.start().then(() => (isStarted = true));
    await this.until('the operator is started', () => Promise.resolve(isStarted));
    return operator;
  };

  stop = async (operator: Operator): Promise<void> => {
    this.#operators.delete(operator);
    await Promise.all([operator.stop(), this.run(200)]);
  };

  run = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await drain();
      this.#fake.advance(STEP_MS);
    }
    await drain();
  };

  until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (let passed = 0; passed < 120_000; passed += STEP_MS) {
      await drain();
      if (await isSo()) return;
      this.#fake.advance(STEP_MS);
    }
    throw new Error(`not within two minutes: ${what}; the thing is ${JSON.stringify(await this.client.find(Things, ref))}`);
  };

  status = async (): Promise<Status> => ((await this.client.get(Things, ref)) as { readonly status?: Status }).status ?? {};

  reaches = (version: string): Promise<void> =>
    this.until(`it is at ${version}`, async () => {
      const { procedure, conditions } = await this.status();
      return procedure?.version === version && procedure.phase === 'Steady' && conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
    });

  /** Waits until a condition has a reason. */
  says = (type: string, reason: string): Promise<void> =>
    this.until(`${type} is ${reason}`, async () => (await this.status()).conditions?.some((each) => each.type === type && each.reason === reason) === true);

  ask = async (request: string, value: string): Promise<void> => {
    await this.client.mergePatch(Things, ref, { metadata: { annotations: { [`procedures.pawl.dev/${request}`]: value } } });
  };

  edit = async (spec: ThingSpec): Promise<void> => {
    await this.client.mergePatch(Things, ref, { spec });
  };

  list = async (apiVersion: string, kind: string): Promise<readonly KubernetesObject[]> => {
    const { items } = await this.client.list({ apiVersion, kind }, { namespace: 'default' });
    return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  };

  /** `name uid` of the objects of a kind. */
  uids = async (apiVersion: string, kind: string): Promise<readonly string[]> =>
    (await this.list(apiVersion, kind)).map(({ metadata }) => `${metadata.name} ${metadata.uid}`).sort();

  /** `reason: note` of the Events of a reason. */
  events = async (wanted: string): Promise<readonly string[]> => {
    const { items } = await this.client.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace: '*' });
    return (items as readonly (KubernetesObject & { readonly reason?: string; readonly note?: string })[]).flatMap(({ reason, note }) => (reason === wanted ? [`${reason}: ${note}`] : []));
  };

  /** What `pawl plan` would say of a version. */
  plan = async (from: ProcedurePackage, version: string): Promise<ObjectPlan> => {
    const inspector = new Inspector({ packages: [from], client: this.client, clock: this.clock, random: counting(2), log: silent });
    const [setup] = inspector.kinds;
    const found = setup === undefined ? undefined : await inspector.find(setup, ref);
    if (setup === undefined || found === undefined) throw new Error('there is no thing');
    return inspector.plan(setup, found, version);
  };

  /** A mark for {@link Lab.childWrites}. */
  mark = (): number => this.api.log.count();

  /** What an operator has changed since a mark, Events aside. */
  writesOf = (operatorName: string, since = 0): readonly string[] =>
    this.api.log
      .entries()
      .filter(({ sequence, mutating, dryRun, userAgent }) => sequence > since && mutating && !dryRun && userAgent.startsWith(`pawl/${operatorName}`))
      .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`)
      .filter((write) => !write.includes(' events'));

  /** What the operator has changed since a mark beside the thing itself. */
  childWrites = (since: number): readonly string[] => this.writesOf('lab', since).filter((write) => !write.includes(' things.'));

  close = async (): Promise<void> => {
    for (const operator of this.#operators) await this.stop(operator);
    await Promise.all([this.#actors.stop(), this.run(200)]);
    this.api.close();
  };
}

/** Until nothing happens any more without time passing. */
async function drain(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
