// One evaluation of one procedure for one object. Owns the cache of results; nothing here outlives it.
import type { Action, Stage } from './action.ts';
import { accessRecords, type Grant, type Level } from './access.ts';
import { closureOf, isPureCheck, type ActionsByName } from './graph.ts';
import { ActionLease, type Change, type Lease } from './lease.ts';
import { after, all, isPending, type Maybe } from './maybe.ts';
import type { Procedure } from './procedure.ts';
import { resultOfError } from './result-of-error.ts';
import { done, notApplicable, undetermined, type ActionResult, type NotDone } from './result.ts';
import type { Clock } from './runtime.ts';
import { runInOrder, scheduleOf, type Order } from './schedule.ts';

/** Keeps results of checks with `cacheForMs` for one object and generation. */
export interface ResultMemo {
  readonly get: (key: string) => { readonly at: number; readonly result: ActionResult } | undefined;
  readonly set: (key: string, entry: { readonly at: number; readonly result: ActionResult }) => void;
}

/** What the cycle needs from the runtime. */
export interface CycleHost<C> {
  readonly context: C;
  readonly clock: Clock;
  /** The client for one declaration of one running action. */
  readonly open: (grant: Grant, lease: Lease) => unknown;
  readonly memo?: ResultMemo;
  /** Runs the body of an action for somebody who looks on, and answers what the body answers. Absent: it just runs. */
  readonly around?: ((action: string, body: () => Maybe<Ran>) => Maybe<Ran>) | undefined;
}

export interface CycleOptions {
  /** Default: strict. */
  readonly order?: Order;
  /** `finalize` also runs the actions past the point of no return. Default: `apply`. */
  readonly stage?: Stage;
  /** Runs only what cannot write: for an object that this operator must not touch. */
  readonly observeOnly?: boolean;
  /** Ignores kept results. */
  readonly verify?: boolean;
  /** Goes on with `expected` values behind planned changes. Only with a host whose clients do not write. */
  readonly plan?: boolean;
  readonly signal?: AbortSignal;
}

export interface ActionOutcome {
  readonly name: string;
  readonly level: Level;
  readonly result: ActionResult;
  readonly changes: readonly Change[];
  readonly durationMs: number;
  /** Plans only: not True yet, but the planned changes should make it so; the value is `expected`. */
  readonly assumed: boolean;
}

export interface CycleResult {
  /** By name; an action that no `firstOf` asked for is absent. */
  readonly outcomes: ReadonlyMap<string, ActionOutcome>;
  readonly changes: readonly Change[];
  /** Every action is True and nothing was written. */
  readonly reconciled: boolean;
  /** The shortest wait that an action asked for. */
  readonly requeueAfterMs: number | undefined;
}

type AnyAction = Action<never>;
type Results = Readonly<Record<string, unknown>>;
interface Ran {
  readonly result: ActionResult;
  readonly changes: readonly Change[];
}
const NEVER = new AbortController().signal;
const NO_CHANGES: readonly Change[] = [];

/** Evaluates the procedure once. Never throws for an action's fault: that is the action's result. */
export async function runCycle<C>(
  procedure: Procedure<C>,
  host: CycleHost<C>,
  options: CycleOptions = {},
): Promise<CycleResult> {
  return new ReconcileCycle(procedure.actions, procedure.onDemand, procedure.version, host, options).run();
}

const NONE_ON_DEMAND: ReadonlySet<string> = new Set();

/** Evaluates the teardown graph once. */
export async function runTeardown<C>(
  procedure: Procedure<C>,
  host: CycleHost<C>,
  options: CycleOptions = {},
): Promise<CycleResult> {
  return new ReconcileCycle(procedure.teardown, NONE_ON_DEMAND, procedure.version, host, options).run();
}

/** Evaluates the checks that must be True before a hop to this version begins. Nothing that could write runs. */
export async function runPreconditions<C>(
  procedure: Procedure<C>,
  host: CycleHost<C>,
  options: Pick<CycleOptions, 'signal'> = {},
): Promise<CycleResult> {
  const checks = closureOf(procedure.preconditions ?? [], new Map(), []);
  const careful = { ...options, observeOnly: true, verify: true };
  return new ReconcileCycle(checks, NONE_ON_DEMAND, procedure.version, host, careful).run();
}

class ReconcileCycle<C> {
  readonly #actions: ActionsByName;
  readonly #onDemand: ReadonlySet<string>;
  readonly #version: string;
  readonly #host: CycleHost<C>;
  readonly #options: CycleOptions;
  /**
   * What makes an action run at most once. Nobody asks for one between the start of its body and its entry here: only
   * dependants ask, and the graph has no cycles.
   */
  readonly #started = new Map<string, Maybe<ActionOutcome>>();
  readonly #outcomes = new Map<string, ActionOutcome>();

  constructor(actions: ActionsByName, onDemand: ReadonlySet<string>, version: string, host: CycleHost<C>, options: CycleOptions) {
    this.#actions = actions;
    this.#onDemand = onDemand;
    this.#version = version;
    this.#host = host;
    this.#options = options;
  }

  run(): Maybe<CycleResult> {
    const { order = { mode: 'strict' }, stage = 'apply' } = this.#options;
    const schedule = scheduleOf(this.#actions, this.#onDemand, stage);
    const ended = runInOrder(schedule, order, (action) => this.#outcomeOf(action));
    return after(ended, () => this.#summary());
  }

  #summary(): CycleResult {
    const changes: Change[] = [];
    let requeueAfterMs: number | undefined;
    let isEstablished = true;
    for (const { name, result, changes: made } of this.#outcomes.values()) {
      if (made.length > 0) changes.push(...made);
      const isTrue = result.status === 'True';
      if (!isTrue && !this.#onDemand.has(name)) isEstablished = false;
      const wait = isTrue ? result.recheckAfterMs : result.requeueAfterMs;
      if (wait !== undefined) requeueAfterMs = Math.min(wait, requeueAfterMs ?? wait);
    }
    return { outcomes: this.#outcomes, changes, reconciled: isEstablished && changes.length === 0, requeueAfterMs };
  }

  /** Prerequisites are bound here, late and by name: whoever replaced an action is what its dependants see. */
  #named(name: string): Maybe<ActionOutcome> {
    const known = this.#started.get(name);
    if (known !== undefined) return known;
    const action = this.#actions.get(name);
    if (action === undefined) throw new Error(`no action ${name} in ${this.#version}`);
    return this.#outcomeOf(action);
  }

  #outcomeOf(action: AnyAction): Maybe<ActionOutcome> {
    const { name } = action;
    const known = this.#started.get(name);
    if (known !== undefined) return known;
    const startedAt = this.#host.clock.now();
    const settle: Settle = (result, changes = NO_CHANGES, assumed = false) => {
      const durationMs = this.#host.clock.now() - startedAt;
      const outcome = { name, level: action.level, result, changes, durationMs, assumed };
      this.#outcomes.set(name, outcome);
      this.#started.set(name, outcome);
      return outcome;
    };
    const outcome = this.#evaluate(action, settle);
    // A body that is still running is found here by whoever asks meanwhile.
    if (!this.#outcomes.has(name)) this.#started.set(name, outcome);
    return outcome;
  }

  #evaluate(action: AnyAction, settle: Settle): Maybe<ActionOutcome> {
    const skipped = this.#isSkipped(action);
    if (skipped !== false) return settle(skipped === true ? notApplicable() : skipped);
    const aliases = Object.keys(action.requires);
    const before = all(aliases.map((alias) => this.#named(action.requires[alias]?.name ?? alias)));
    return after(before, (outcomes) => {
      const blocked = blockedBy(outcomes);
      if (blocked !== undefined) return settle(blocked);
      if (this.#options.observeOnly === true && !isPureCheck(action, this.#actions))
        return settle(undetermined('ObservedOnly', 'this operator does not act on the object'));
      const results: Record<string, unknown> = {};
      for (const [index, alias] of aliases.entries()) results[alias] = valueOf(outcomes[index]);
      const isAssumed = outcomes.some(({ assumed }) => assumed);
      return after(this.#resultOf(action, results), (ran) => this.#concluded(action, ran, { results, isAssumed, settle }));
    });
  }

  #isSkipped(action: AnyAction): boolean | NotDone {
    if (action.when === undefined) return false;
    try {
      return !action.when(this.#host.context as never);
    } catch (error) {
      return resultOfError(error);
    }
  }

  /** In a plan, an action whose changes are still to come may let its dependants go on with what is expected. */
  #concluded(
    action: AnyAction,
    { result, changes }: Ran,
    { results, isAssumed, settle }: { readonly results: Results; readonly isAssumed: boolean; readonly settle: Settle },
  ): ActionOutcome {
    if (this.#options.plan !== true || result.status === 'True') return settle(result, changes);
    if (changes.length === 0 && !isAssumed) return settle(result, changes);
    if (action.expected === undefined) return settle({ ...result, reason: 'KnownAfterApply' }, changes);
    try {
      return settle(done(action.expected(this.#host.context as never, results as never)), changes, true);
    } catch (error) {
      return settle(resultOfError(error), changes);
    }
  }

  #resultOf(action: AnyAction, results: Results): Maybe<Ran> {
    const { cacheForMs } = action;
    if (cacheForMs === undefined) return this.#run(action, results);
    const key = `${this.#version}/${action.name}`;
    const kept = this.#options.verify === true ? undefined : this.#host.memo?.get(key);
    if (kept !== undefined && this.#host.clock.now() - kept.at < cacheForMs)
      return { result: kept.result, changes: NO_CHANGES };
    return after(this.#run(action, results), (ran) => {
      if (ran.result.status === 'True') this.#host.memo?.set(key, { at: this.#host.clock.now(), result: ran.result });
      return ran;
    });
  }

  #run(action: AnyAction, results: Results): Maybe<Ran> {
    const { around } = this.#host;
    return around === undefined ? this.#runBody(action, results) : around(action.name, () => this.#runBody(action, results));
  }

  #runBody(action: AnyAction, results: Results): Maybe<Ran> {
    const whole = this.#options.signal ?? NEVER;
    const controller = action.timeoutMs === undefined ? undefined : new AbortController();
    const signal = controller === undefined ? whole : AbortSignal.any([controller.signal, whole]);
    const lease = new ActionLease(action.name, signal);
    let body: Maybe<ActionResult>;
    try {
      const { cluster, external } = accessRecords(action, (grant) => this.#host.open(grant, lease));
      const context = { ...this.#host.context, cluster, external, signal };
      const evaluate = (name: string): Maybe<ActionOutcome> => this.#named(name);
      body = action.evaluate({ context, results, evaluate, planning: this.#options.plan === true });
      if (controller !== undefined) body = this.#within(action.timeoutMs ?? 0, body, controller);
      else if (isPending(body)) body = Promise.resolve(body).catch(resultOfError);
    } catch (error) {
      body = resultOfError(error);
    }
    return after(body, (result) => after(lease.end(), (forgotten) => ran(action, lease, result, forgotten)));
  }

  async #within(ms: number, body: Maybe<ActionResult>, controller: AbortController): Promise<ActionResult> {
    const late = Promise.withResolvers<ActionResult>();
    const cancel = this.#host.clock.setTimer(ms, () => {
      controller.abort();
      late.resolve(undetermined('TimedOut', `no answer within ${ms} ms`));
    });
    return Promise.race([body, late.promise]).catch(resultOfError).finally(cancel);
  }
}

type Settle = (result: ActionResult, changes?: readonly Change[], assumed?: boolean) => ActionOutcome;

/** A call that nobody waited for may have written anything: the result is not to be believed. */
function ran({ name }: AnyAction, lease: ActionLease, result: ActionResult, forgotten: number): Ran {
  const { changes } = lease;
  if (forgotten > 0) {
    const fault = `${name} returned before ${forgotten} of its calls: an await is missing`;
    return { result: undetermined('CallNotAwaited', fault), changes };
  }
  return { result: isResult(result) ? result : undetermined('NoResult', `${name} returned no result`), changes };
}

/** An author without types may return anything. */
function isResult(value: unknown): boolean {
  const status = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined;
  return status === 'True' || status === 'False' || status === 'Unknown';
}

function valueOf(outcome: ActionOutcome | undefined): unknown {
  return outcome?.result.status === 'True' ? outcome.result.value : undefined;
}

/** Unknown, naming root causes, if a prerequisite is not True. */
function blockedBy(before: readonly ActionOutcome[]): NotDone | undefined {
  if (before.every(({ result }) => result.status === 'True')) return undefined;
  const roots = new Map<string, string>();
  for (const { name, result } of before) {
    if (result.status === 'True') continue;
    for (const root of result.blockedBy ?? [name])
      roots.set(root, result.blockedBy === undefined ? `${name}: ${result.message}` : result.message);
  }
  return {
    status: 'Unknown',
    reason: 'PrerequisiteNotMet',
    message: [...new Set(roots.values())].join('; '),
    blockedBy: [...roots.keys()].sort(),
  };
}
