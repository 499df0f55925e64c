// Runs the Actions of one procedure for one object in a given mode, with clients that the cycle's guard limits.
import {
  runCycle,
  runPreconditions,
  runTeardown,
  uniteScopes,
  coversScope,
  type ActionsMode,
  type Clock,
  type CycleReport,
  type CycleResult,
  type Logger,
  type Order,
  type Procedure,
  type Random,
  type ResultMemo,
  type ScopeEntry,
} from '@pawl/reconciler';
import {
  clusterHost,
  groupOf,
  ownerHashOf,
  planProcedure,
  pruneCandidates,
  type KubernetesContext,
  type KubernetesObject,
  type Plan,
  type PrunePlan,
  type ClusterHostParts,
} from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import { CyclePort, snapshotKey, type DryRun } from '../cluster/cycle-port.ts';
import { listOwned } from '../cluster/inventory.ts';
import type { ClusterView } from '../cluster/view.ts';
import type { Metrics } from '../observe/metrics.ts';
import { tracedActions } from '../observe/traced-actions.ts';
import { noTracer, type Tracer } from '../observe/tracing.ts';
import { fraction } from '../waiting.ts';
import { objectState } from './custom-object.ts';
import type { WriteGuard } from './guard.ts';
import { procedureFor, wantedScope, type KindSetup } from './kind-setup.ts';
import type { ObjectMemory, Pass } from './pass.ts';
import { ReadLog } from './read-index.ts';
import { runOutcome, type RunOutcome } from './run-outcome.ts';

export interface ActionsRunnerParts {
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly setup: KindSetup;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | undefined;
  /** Fixes the order of independent Actions; absent: a new seed for each cycle. */
  readonly seed?: number | undefined;
  /** Makes the guard of one cycle over this object. */
  readonly guardFor: (object: KubernetesObject, signal: AbortSignal) => WriteGuard;
  /** Told when an owned object is replaced, for a field of it cannot be changed in place. */
  readonly onReplaced?: (owner: KubernetesObject, replaced: KubernetesObject) => void;
  /** Lets somebody know which Action runs. */
  readonly watch?: ((procedure: AnyProcedure) => AnyProcedure) | undefined;
  /** Told what a cycle read, when it has ended. */
  readonly onReads: (object: KubernetesObject, reads: ReadLog) => void;
}

/** Independent Actions of a fresh install run together, so many at once. */
const INSTALL_LIMIT = 8;
/** A verification looks at the cluster as it is, not as it was seen. */
const LIVE_MODES: ReadonlySet<ActionsMode> = new Set(['Verify', 'Finalize']);

type AnyProcedure = Procedure<KubernetesContext<KubernetesObject>>;

export class ActionsRunner {
  readonly #parts: ActionsRunnerParts;
  #cycles = 0;

  constructor(parts: ActionsRunnerParts) {
    this.#parts = parts;
  }

  /** Runs the forward graph; leaves the outcome and the cycle report on the pass. */
  run = async (pass: Pass, mode: Exclude<ActionsMode, 'Teardown'>, version: string, signal: AbortSignal): Promise<RunOutcome> => {
    const procedure = this.#procedure(version);
    const isLive = LIVE_MODES.has(mode);
    if (isLive) await this.look(pass, signal);
    const entry = objectState(pass.object).record?.applied.find((known) => known.version === version);
    const widen: ScopeEntry[] = [];
    const order = this.#order(pass, mode);
    const { outcome, host } = await this.#cycle(pass, { mode, version, widen, signal }, async (hostParts) => {
      const host = clusterHost(hostParts);
      const result = await runCycle(procedure, host, {
        order,
        stage: mode === 'Finalize' || entry?.finalized === true ? 'finalize' : 'apply',
        verify: mode !== 'Steady',
        signal,
      });
      return { outcome: runOutcome(result, host), host };
    });
    if (!outcome.clean && order.mode === 'shuffled') this.#tellOrder(pass.object, order.seed);
    const owned = pass.live ?? this.#cachedOwned(pass.object);
    const { record, requests } = objectState(pass.object);
    pass.leftovers = pruneCandidates({
      owner: pass.object,
      owned,
      kept: host.kept,
      outcomes: outcome.outcomes,
      procedure,
      applied: record?.applied.map((known) => known.version) ?? [],
      approved: requests['approve-prune'],
    });
    for (const { name, result, durationMs } of outcome.outcomes.values())
      this.#parts.metrics.actionRan(name, result.status, durationMs);
    pass.run = outcome;
    pass.ranVersion = version;
    pass.ranGraph = 'actions';
    pass.verified = isLive && outcome.clean;
    pass.finalizeDone ||= mode === 'Finalize' && outcome.clean;
    pass.cycle = {
      version,
      clean: outcome.clean,
      verified: pass.verified,
      extras: outcome.clean ? extrasOf(pass.leftovers) : 0,
      failed: outcome.failed,
      finalizePending: [...procedure.actions.values()].some(({ stage }) => stage === 'finalize') && !pass.finalizeDone,
      ...(widen.length > 0 ? { widen: uniteScopes(widen) } : {}),
      used: usedScope(owned),
    } satisfies CycleReport;
    return outcome;
  };

  /** Runs the teardown graph of a version; true when everything in it is True. */
  teardown = async (pass: Pass, version: string, signal: AbortSignal): Promise<RunOutcome> => {
    const procedure = this.#procedure(version);
    const outcome = await this.#cycle(pass, { mode: 'Teardown', version, widen: [], signal }, async (hostParts) => {
      const host = clusterHost(hostParts);
      return runOutcome(await runTeardown(procedure, host, { verify: true, signal }), host);
    });
    pass.run = outcome;
    pass.ranVersion = version;
    pass.ranGraph = 'teardown';
    return outcome;
  };

  /** The checks in front of a version's first hop; they write nothing. */
  preconditions = (pass: Pass, version: string, signal: AbortSignal): Promise<CycleResult> =>
    this.#cycle(pass, { mode: 'Hop', version, widen: [], signal }, (hostParts) =>
      runPreconditions(procedureFor(this.#parts.setup, version) as AnyProcedure, clusterHost(hostParts), { signal }),
    );

  /** What a version would do, by dry runs: the last gate before its intent. */
  plan = (pass: Pass, version: string, signal: AbortSignal, onDryRun?: (run: DryRun) => void): Promise<Plan> =>
    this.#cycle(pass, { mode: 'Hop', version, widen: [], signal, onDryRun }, (hostParts) =>
      planProcedure(this.#procedure(version), hostParts),
    );

  /** Reads the owned objects live, once a pass: after that they are the pass's own truth. */
  look = async (pass: Pass, signal: AbortSignal): Promise<readonly KubernetesObject[]> => {
    const { client, setup } = this.#parts;
    const { record, mirror } = objectState(pass.object);
    const scope = uniteScopes(record?.scope, mirror?.scope, wantedScope(setup, pass.object));
    pass.live = await listOwned(client, scope, ownerHashOf(pass.object), setup.typeOf, signal);
    return pass.live;
  };

  /** The setting `seed` repeats an order in which something went wrong. */
  #tellOrder({ kind, metadata: { namespace, name } }: KubernetesObject, seed: number): void {
    this.#parts.log.info({ kind, namespace, name, seed }, 'not every action is as it should be in this order');
  }

  #procedure(version: string): AnyProcedure {
    const { setup, watch = (same: AnyProcedure) => same } = this.#parts;
    return watch(procedureFor(setup, version) as AnyProcedure);
  }

  /** Owned objects as the caches know them, where the cluster need not be asked. */
  #cachedOwned(object: KubernetesObject): readonly KubernetesObject[] {
    const { view, setup } = this.#parts;
    const hash = ownerHashOf(object);
    return setup.owned.flatMap((type) => view.owned(type, hash));
  }

  async #cycle<T>(
    pass: Pass,
    cycle: {
      readonly mode: ActionsMode;
      readonly version: string;
      readonly widen: ScopeEntry[];
      readonly signal: AbortSignal;
      readonly onDryRun?: ((run: DryRun) => void) | undefined;
    },
    body: (host: ClusterHostParts<KubernetesObject>) => Promise<T>,
  ): Promise<T> {
    const { setup, clock, random, log, guardFor, onReads, client, view, tracer = noTracer } = this.#parts;
    const { mode, version, widen, signal } = cycle;
    const { object, memory } = pass;
    const { record } = objectState(object);
    const recorded = record?.scope ?? [];
    const reads = new ReadLog();
    const guard = guardFor(object, signal);
    const isLive = LIVE_MODES.has(mode) && pass.live !== undefined;
    const port = new CyclePort({
      client,
      view,
      guard,
      reads,
      repairs: memory.repairs,
      spellings: memory.spellings,
      ownerHash: ownerHashOf(object),
      signal,
      restamp: mode !== 'Steady',
      mayCreateIn: (place) => coversScope(recorded, [place]),
      widen: (place) => widen.push(place),
      onDryRun: cycle.onDryRun,
      onReplaced: (replaced) => this.#parts.onReplaced?.(object, replaced),
      snapshot: isLive ? new Map(pass.live?.map((owned) => [snapshotKey(owned, owned.metadata), owned])) : undefined,
    });
    this.#cycles += 1;
    const cycleId = `${object.metadata.uid}/${this.#cycles}`;
    const traced = { 'pawl.procedure.version': version, 'pawl.mode': mode, 'pawl.cycle.id': cycleId };
    tracer.current()?.set({ ...traced, 'pawl.procedure.target': record?.target });
    try {
      return await body({
        context: { object, clock, log, random, procedure: { version }, cycleId },
        port,
        packageName: setup.packageName,
        fieldManager: setup.managers.children,
        externals: setup.externals,
        openKinds: setup.openKinds,
        beforeEffect: guard.admit,
        memo: memoOf(memory, object),
        around: tracedActions(tracer, traced),
      });
    } finally {
      guard.revoke('the cycle has ended');
      onReads(object, reads);
    }
  }

  #order(pass: Pass, mode: ActionsMode): Order {
    const { record } = objectState(pass.object);
    if (mode === 'Steady') return { mode: 'shuffled', seed: this.#parts.seed ?? Math.floor(fraction(this.#parts.random) * 2 ** 32) };
    const isInstall = record?.applied.length === 1 && mode === 'Hop';
    return isInstall ? { mode: 'parallel', limit: INSTALL_LIMIT } : { mode: 'strict' };
  }
}

/** What is not wanted any more and still there: to be deleted, being deleted, or waiting for a person's word. */
function extrasOf({ prune, keep, blocked }: PrunePlan): number {
  return prune.length + (blocked?.count ?? 0) + keep.filter(({ reason }) => reason === 'Deleting').length;
}

function usedScope(owned: readonly KubernetesObject[]): readonly ScopeEntry[] {
  return uniteScopes(
    owned.map(({ apiVersion, kind, metadata: { namespace } }) => ({
      group: groupOf(apiVersion),
      kind,
      namespaces: namespace === undefined ? [] : [namespace],
    })),
  );
}

/** Results are kept for one generation of the object. */
function memoOf(memory: ObjectMemory, { metadata: { generation } }: KubernetesObject): ResultMemo {
  if (memory.memo === undefined || memory.memo.generation !== generation)
    memory.memo = { generation, results: new Map() };
  const results = memory.memo.results as Map<string, Parameters<ResultMemo['set']>[1]>;
  return { get: (key) => results.get(key), set: (key, entry) => results.set(key, entry) };
}
