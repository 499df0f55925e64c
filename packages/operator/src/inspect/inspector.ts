// Looks at objects as the operator would, without a cache and without ever writing: what would be decided, what would change.
import {
  isVersion,
  nextStep,
  type ActionOutcome,
  type ActionResult,
  type Clock,
  type Decision,
  type Logger,
  type ProtocolState,
  type Random,
  type Step,
} from '@pawl/reconciler';
import {
  ANNOTATIONS,
  pruneCandidates,
  type KubernetesObject,
  type ObjectRef,
  type Plan,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import type { DryRun } from '../cluster/cycle-port.ts';
import type { OperatorConfig } from '../config.ts';
import type { ClusterView } from '../cluster/view.ts';
import { ActionsRunner } from '../controller/actions-runner.ts';
import { objectState } from '../controller/custom-object.ts';
import { CycleAbandoned, WriteGuard } from '../controller/guard.ts';
import { procedureFor, type KindSetup } from '../controller/kind-setup.ts';
import { Pass, stampOf, type ObjectMemory } from '../controller/pass.ts';
import { kindSetups } from '../wiring/kind-setups.ts';
import { fieldChanges, type FieldChange } from './field-changes.ts';
import { noMetrics } from '../observe/metrics.ts';

/** What the operator with these packages would make of an object, now. */
export interface Inspection {
  readonly setup: KindSetup;
  readonly object: KubernetesObject;
  readonly state: ProtocolState;
  readonly step: Step;
  readonly decision: Decision;
  /** The objects that belong to it, from live lists. */
  readonly owned: readonly KubernetesObject[];
}

/** One change that a version would make. */
export interface PlannedChange {
  readonly operation: 'create' | 'update' | 'delete' | 'edit' | 'evict' | 'status' | 'effect';
  /** Such as `Deployment default/web`. */
  readonly target: string;
  readonly action: string;
  readonly fields: readonly FieldChange[];
  /** A changed pod template: all pods of the object are replaced. */
  readonly restartsPods: boolean;
  /** Why the server would refuse it. */
  readonly refused?: string;
}

/** What one version would do to one object. */
export interface ObjectPlan {
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly PlannedChange[];
  /** Actions that cannot be told before others have taken effect: the others by name. */
  readonly unknown: ReadonlyMap<string, readonly string[]>;
  /** Actions that something beside the plan keeps from running. */
  readonly blocked: ReadonlyMap<string, readonly string[]>;
  /** Actions past the point of no return. */
  readonly irreversible: readonly string[];
  /** What Actions that are True say about what they found. */
  readonly notes: readonly { readonly action: string; readonly message: string }[];
  /** Kinds that the caller may not write: their changes are worked out without the server. */
  readonly guessed: readonly string[];
}

export interface InspectorParts {
  readonly packages: readonly ProcedurePackage[];
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** What the operator's configuration says of open kinds and external systems. */
  readonly config?: Pick<OperatorConfig, 'openKinds' | 'external'>;
}

/** Sees nothing: every read is live. */
const NO_CACHES: ClusterView = {
  holds: () => 'nothing',
  get: () => undefined,
  list: () => [],
  owned: () => [],
  wrote: () => {},
  removed: () => {},
};
const READ_ONLY = { assert: (): never => refuse(), settled: () => true, settlesInMs: () => 0 };
const ENDLESS = new AbortController().signal;

function refuse(): never {
  throw new CycleAbandoned('an inspection never writes');
}

export class Inspector {
  readonly kinds: readonly KindSetup[];
  readonly #parts: InspectorParts;

  constructor(parts: InspectorParts) {
    this.#parts = parts;
    this.kinds = kindSetups({ ...parts, config: parts.config ?? { openKinds: {}, external: {} } });
  }

  /** An object by name; undefined if it is not there. */
  find = (setup: KindSetup, ref: ObjectRef): Promise<KubernetesObject | undefined> =>
    this.#parts.client.find(setup.resource, ref);

  /** The objects of a kind. */
  list = async (
    setup: KindSetup,
    selection: { readonly namespace?: string | undefined; readonly labelSelector?: string | undefined },
  ): Promise<readonly KubernetesObject[]> => (await this.#parts.client.list(setup.resource, selection)).items;

  /** What would be decided for an object, from its record, its requests and the traces of it. */
  inspect = async (setup: KindSetup, object: KubernetesObject): Promise<Inspection> => {
    const { pass } = await this.#look(setup, object);
    const state = pass.state({ settled: true, notPersisted: false, now: this.#parts.clock.now() });
    const step = nextStep(state);
    return { setup, object, state, step, decision: step.decision, owned: pass.live ?? [] };
  };

  /** What a version would do: its Actions run by dry runs on live reads. Nothing is written. */
  plan = async (setup: KindSetup, object: KubernetesObject, version: string): Promise<ObjectPlan> => {
    const { pass, runner } = await this.#look(setup, object);
    const runs = new Map<string, DryRun>();
    const plan = await runner.plan(pass, version, ENDLESS, (run) => runs.set(targetOf(run), run));
    const { record } = objectState(object);
    const procedure = procedureFor(setup, version);
    const finalize = [...procedure.actions.values()].filter(({ stage }) => stage === 'finalize');
    return {
      from: record?.version ?? record?.applied.find(({ state }) => state === 'Complete')?.version,
      to: version,
      changes: [...planned(plan, runs), ...deletions(plan, pass, setup, version)],
      unknown: plan.unknown,
      blocked: plan.blocked,
      irreversible: finalize.map(({ name }) => name).filter((name) => plan.outcomes.get(name)?.result.reason !== 'NotApplicable'),
      notes: [...plan.outcomes.values()].flatMap(({ name, result: { status, message } }) =>
        status === 'True' && message !== '' ? [{ action: name, message }] : [],
      ),
      guessed: [...new Set([...runs.values()].filter(({ isGuess }) => isGuess).map(({ request }) => request.type.kind))],
    };
  };

  async #look(setup: KindSetup, object: KubernetesObject): Promise<{ readonly pass: Pass; readonly runner: ActionsRunner }> {
    const { client, clock, random, log } = this.#parts;
    const runner = new ActionsRunner({
      client,
      view: NO_CACHES,
      setup,
      clock,
      random,
      log,
      metrics: noMetrics,
      guardFor: () => new WriteGuard(READ_ONLY, () => Promise.resolve()),
      onReads: () => {},
    });
    const pass = new Pass(setup, object, emptyMemory());
    await runner.look(pass, ENDLESS);
    return { pass, runner };
  }
}

const emptyMemory = (): ObjectMemory => ({ cleanSince: undefined, preflight: undefined, memo: undefined, progress: undefined, restless: 0 });

function targetOf({ request: { type, namespace, name } }: DryRun): string {
  return `${type.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function planned({ changes }: Plan, runs: ReadonlyMap<string, DryRun>): readonly PlannedChange[] {
  return changes.map(({ action, operation, target, refused }) => {
    const run = runs.get(target);
    const fields = run === undefined ? [] : fieldChanges(run.before as never, run.after as never);
    return {
      operation,
      target,
      action,
      fields,
      restartsPods: run?.before !== undefined && fields.some(({ path }) => path.startsWith('spec.template')),
      ...(refused === undefined ? {} : { refused }),
    };
  });
}

/** The result that an Action has once its planned changes have taken effect. */
function established({ result }: ActionOutcome): ActionResult {
  return result.status === 'True' ? result : { status: 'True', reason: 'AsExpected', message: '', value: undefined };
}

/** What nothing would want any more, if every Action of the plan ends as it should. */
function deletions(
  { outcomes, kept, unknown, blocked }: Plan,
  pass: Pass,
  setup: KindSetup,
  version: string,
): readonly PlannedChange[] {
  const owned = pass.live ?? [];
  const stamps = owned.map(stampOf).filter(isVersion);
  const untold = new Set([...unknown.keys(), ...blocked.keys()]);
  const wanted = new Set(kept);
  // What an Action would want that the plan could not reach is not known: its objects stay.
  for (const { metadata } of owned)
    if (untold.has(metadata.annotations?.[ANNOTATIONS.action] ?? '')) wanted.add(metadata.uid);
  const reached = new Map([...outcomes].map(([name, outcome]) => [name, { ...outcome, result: established(outcome) }] as const));
  const { prune } = pruneCandidates({
    owner: pass.object,
    owned,
    kept: wanted,
    outcomes: reached,
    procedure: procedureFor(setup, version),
    applied: stamps,
    approved: undefined,
  });
  return prune.map(({ kind, metadata: { namespace, name } }) => ({
    operation: 'delete',
    target: `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`,
    action: 'pruning',
    fields: [],
    restartsPods: false,
  }));
}
