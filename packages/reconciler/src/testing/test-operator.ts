// An operator in a unit test: asks the protocol for the next step of one object and carries it out in a memory cluster.
import type { CycleResult } from '../cycle.ts';
import type { Procedure } from '../procedure.ts';
import { withBookkeeping } from '../versions/bookkeeping.ts';
import type { GateReason, ProcedureSettings, Requests } from '../versions/inputs.ts';
import { nextStep } from '../versions/next-step.ts';
import { recordInvariantFaults } from '../versions/record-invariants.ts';
import type { RecordMirror, VersionRecord } from '../versions/record.ts';
import type { CycleReport, MetadataStep, ProtocolState, RunActionsStep, Step } from '../versions/step.ts';
import { UNKNOWN_VERSION } from '../versions/version.ts';
import type { KubernetesContext } from '../kubernetes/context.ts';
import type { KubernetesObject } from '../kubernetes/model.ts';
import { ANNOTATIONS, LABELS, ownerHashOf } from '../kubernetes/names.ts';
import type { ProcedureCatalog } from '../kubernetes/package.ts';
import { pruneCandidates } from '../kubernetes/prune.ts';
import type { TestObject } from './test-object.ts';

/** What stands on the object: another operator begins with it. */
export interface TestRecord {
  record?: VersionRecord | undefined;
  mirror?: RecordMirror | undefined;
  finalizer: boolean;
  requests: Requests;
  settings: ProcedureSettings;
}

/**
 * One release of an operator at work on one object.
 *
 * A crash is the end of one `TestOperator` and the beginning of another over the same object and the same `state`. Every
 * write of the record is checked against what must hold between two records.
 */
export class TestOperator<T extends KubernetesObject> {
  readonly state: TestRecord;
  /** Closed gates by version. */
  readonly gates: Record<string, GateReason> = {};
  readonly #object: TestObject<T>;
  readonly #catalog: ProcedureCatalog;
  #cycle: CycleReport | undefined;
  #ran: CycleResult | undefined;

  constructor(
    object: TestObject<T>,
    catalog: ProcedureCatalog,
    state: TestRecord = { finalizer: false, requests: {}, settings: {} },
  ) {
    this.#object = object;
    this.#catalog = catalog;
    this.state = state;
  }

  /** The outcome of the last cycle of Actions. */
  get ran(): CycleResult | undefined {
    return this.#ran;
  }

  /** Carries out one step and answers it. */
  step = async (): Promise<Step> => {
    const step = nextStep(this.#protocolState());
    switch (step.step) {
      case 'intent':
      case 'finalize':
      case 'complete':
        this.#write(step.record);
        break;
      case 'metadata':
        this.#patch(step);
        break;
      case 'runActions':
        await this.#run(step);
        break;
      case 'prune':
        await this.#prune(step.version);
        break;
      case 'report':
      case 'hold':
        break;
    }
    return step;
  };

  /**
   * Carries out steps until nothing is left to do, calling `world` after each cycle that is not clean.
   *
   * @returns the last step: a report, or a hold with its reason
   * @throws Error if that takes more than `limit` steps
   */
  settle = async (world: () => void = () => {}, limit = 100): Promise<Step> => {
    for (let count = 0; count < limit; count += 1) {
      const step = await this.step();
      if (step.step === 'report' || step.step === 'hold') return step;
      if (step.step === 'runActions' && this.#cycle?.clean === false) {
        world();
        this.#object.clock.advance(this.#ran?.requeueAfterMs ?? 1_000);
      }
    }
    const open = [...(this.#ran?.outcomes.values() ?? [])].filter(({ result }) => result.status !== 'True');
    throw new Error(
      `not settled after ${limit} steps: ${open.map(({ name, result }) => `${name} ${result.message}`).join('; ') || 'every Action is True'}`,
    );
  };

  /** The objects in the cluster that carry the owner label of this one. */
  owned = (): readonly KubernetesObject[] => {
    const label = ownerHashOf(this.#object.object);
    return this.#object.cluster.all().filter(({ metadata }) => metadata.labels?.[LABELS.owner] === label);
  };

  #protocolState(): ProtocolState {
    const { record, mirror, finalizer, requests, settings } = this.state;
    const { uid, deletionTimestamp } = this.#object.object.metadata;
    const stamps = this.owned().map(({ metadata }) => metadata.annotations?.[ANNOTATIONS.version] ?? UNKNOWN_VERSION);
    return {
      catalog: this.#catalog.versions,
      cr: { uid, deleting: deletionTimestamp !== undefined, spec: settings, requests, finalizer, mirror, record },
      stamps: [...new Set(stamps)],
      facts: { settled: true, gates: this.gates },
      scope: [],
      cycle: this.#cycle,
    };
  }

  #write(record: VersionRecord): void {
    const faults = recordInvariantFaults(this.state.record, record);
    if (faults.length > 0) throw new Error(`the record breaks its rules: ${faults.join('; ')}`);
    const now = this.#object.clock.now();
    this.state.record = withBookkeeping(record, this.state.record, { now, operator: 'test', lease: 'test' });
    this.#cycle = undefined;
  }

  #patch({ finalizer, mirror, drop }: MetadataStep): void {
    if (finalizer !== undefined) this.state.finalizer = finalizer;
    if (mirror !== undefined) this.state.mirror = mirror;
    const kept = Object.entries(this.state.requests).filter(([name]) => !drop.some((dropped) => dropped === name));
    this.state.requests = Object.fromEntries(kept);
    this.#cycle = undefined;
  }

  #procedure(version: string): Procedure<KubernetesContext<T>> {
    const found = this.#catalog.procedures.find((procedure) => procedure.version === version);
    if (found === undefined) throw new Error(`no procedure ${version}`);
    // The catalog was defined for this kind.
    return found as Procedure<unknown>;
  }

  async #run({ mode, version }: RunActionsStep): Promise<void> {
    if (mode === 'Teardown') return this.#tearDown(version);
    if (version === undefined) return;
    const procedure = this.#procedure(version);
    const isFinal = mode === 'Finalize' || this.#entryOf(version)?.finalized === true;
    this.#ran = await this.#object.cycle(procedure, {
      stage: isFinal ? 'finalize' : 'apply',
      verify: mode === 'Verify',
    });
    const { reconciled, outcomes } = this.#ran;
    const extras = reconciled ? this.#surplus(procedure).length : 0;
    const failed = [...outcomes.values()].some(({ result }) => result.status === 'Unknown');
    const verified = mode === 'Verify' || mode === 'Finalize';
    this.#cycle = { version, clean: reconciled, verified, extras, failed };
  }

  #entryOf(version: string): VersionRecord['applied'][number] | undefined {
    return this.state.record?.applied.find((entry) => entry.version === version);
  }

  async #tearDown(version: string | undefined): Promise<void> {
    const procedure = version === undefined ? undefined : this.#procedure(version);
    const ran = procedure === undefined ? undefined : await this.#object.teardown(procedure);
    if (ran?.reconciled !== false) for (const object of this.owned()) await this.#object.cluster.remove(object, object);
    const ownedLeft = this.owned().length;
    this.#cycle = { version: version ?? '', clean: ownedLeft === 0, verified: true, extras: 0, ownedLeft };
  }

  #surplus(procedure: Procedure<KubernetesContext<T>>): readonly KubernetesObject[] {
    const plan = pruneCandidates({
      owner: this.#object.object,
      owned: this.owned(),
      kept: this.#object.kept,
      outcomes: this.#ran?.outcomes ?? new Map(),
      procedure,
      applied: (this.state.record?.applied ?? []).map((entry) => entry.version),
    });
    return plan.prune;
  }

  async #prune(version: string): Promise<void> {
    for (const object of this.#surplus(this.#procedure(version))) await this.#object.cluster.remove(object, object);
    this.#cycle = undefined;
  }
}
