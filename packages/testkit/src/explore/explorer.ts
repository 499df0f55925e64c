// Runs modes until they are through or the budget is spent, checks every run, and shrinks what failed.
import type { Violation } from '../checks/check.ts';
import { violationsOf } from '../checks/index.ts';
import { actionOf, writesOf } from '../checks/writes.ts';
import { shrink } from '../report/shrink.ts';
import { traceHash } from '../world/history.ts';
import type { Tripwire } from '../world/tripwire.ts';
import { createContext, type Context } from './context.ts';
import { installOf, tell } from './crash-modes.ts';
import type { Exploration, ExploreOptions, Failure } from './exploration.ts';
import type { Execute, Job, ModeName } from './job.ts';
import { KILLING, RUN_BY } from './modes.ts';
import { planKey } from './plan.ts';
import { writesInAnHour } from './quiet.ts';
import { runPlan, type Run } from './run-plan.ts';
import { canonical, STANDARD_MASKS } from './state.ts';
import { now } from './stopwatch.ts';
import type { Subject } from './subject.ts';

/** One run in so many is repeated, and must give the same history. */
const REPEAT_EVERY = 40;
const PROGRESS_MS = 500;

export type Settings = ExploreOptions & { readonly modes: readonly ModeName[]; readonly budgetMs: number; readonly seed: number };

/** Explores one subject after the other and keeps account. */
export class Explorer {
  readonly #name: string;
  readonly #settings: Settings;
  readonly #started = now();
  readonly #coverage = new Map<string, { mode: ModeName; edge: string; runs: number; crashPoints: number }>();
  readonly #faults: Record<string, number> = {};
  readonly #wrote = new Set<string>();
  readonly #actions = new Set<string>();
  readonly #failures: Failure[] = [];
  readonly #notRun: string[] = [];
  readonly #assumptions = new Set<string>(STANDARD_MASKS);
  readonly #ends = new Set<string>();
  #runs = 0;
  #repeated = 0;
  #toldAt = 0;

  constructor(name: string, settings: Settings) {
    this.#name = name;
    this.#settings = settings;
    for (const { says } of settings.masks ?? []) this.#assumptions.add(says);
    for (const { path, why } of settings.mayTouch ?? []) this.#assumptions.add(`${path} may reach outside: ${why}`);
  }

  explore = async (subject: Subject, tripwire: Tripwire): Promise<void> => {
    const { modes, seed, masks = [], invariants = [] } = this.#settings;
    for (const { actions } of subject.catalog.procedures) for (const name of actions.keys()) this.#actions.add(name);
    for (const { key } of subject.package.external)
      this.#assumptions.add(
        subject.fakes.some((fake) => fake.key === key) ? `external system ${key} is a stand-in` : `external system ${key} has no stand-in: its own client was used`,
      );
    const context = createContext(subject, { seed, masks, invariants });
    if (!(await this.#installs(context, tripwire))) return;
    for (const [index, mode] of modes.entries()) {
      const deadline = this.#shareOf(index, modes.length);
      const isOver = (): boolean => now() >= deadline || this.#failures.length >= (this.#settings.mostFailures ?? 5);
      if (isOver()) {
        this.#notRun.push(`${mode} of ${subject.catalog.resource.kind}: ${this.#why()}`);
        continue;
      }
      await RUN_BY[mode](context, this.#execute(context, mode, tripwire), isOver);
      if (isOver() && mode !== 'random') this.#notRun.push(`the rest of ${mode} of ${subject.catalog.resource.kind}: ${this.#why()}`);
      this.#demandCrashPoints(mode, subject);
    }
  };

  /** Ends are compared with plain installs: without one there is nothing to explore. */
  async #installs(context: Context, tripwire: Tripwire): Promise<boolean> {
    const { versions, catalog } = context.subject;
    const execute = this.#execute(context, 'install', tripwire);
    for (const version of versions) await tell(context, execute, installOf(version));
    const newest = versions.at(-1) ?? '';
    const { isAtRest } = (await tell(context, execute, installOf(newest))).outcome;
    if (!isAtRest) this.#notRun.push(`everything of ${catalog.resource.kind}: a plain install of ${newest} does not come to rest`);
    return isAtRest;
  }

  result = (): Exploration => {
    const seconds = (now() - this.#started) / 1_000;
    const coverage = [...this.#coverage.values()];
    return {
      package: this.#name,
      seed: this.#settings.seed,
      runs: this.#runs,
      seconds,
      runsPerSecond: this.#runs / seconds,
      coverage,
      actions: {
        wrote: [...this.#wrote].sort(),
        silent: [...this.#actions].filter((name) => !this.#wrote.has(name)).sort(),
      },
      faults: this.#faults,
      crashPoints: coverage.reduce((sum, { crashPoints }) => sum + crashPoints, 0),
      failures: this.#failures,
      notRun: this.#notRun,
      assumptions: [...this.#assumptions],
      repeated: this.#repeated,
    };
  };

  /** What is left of the budget is shared among the modes that are still to come. */
  #shareOf(index: number, count: number): number {
    const left = this.#started + this.#settings.budgetMs - now();
    return now() + left / (count - index);
  }

  #why(): string {
    const most = this.#settings.mostFailures ?? 5;
    return this.#failures.length >= most ? `stopped after ${most} failures` : 'the budget was spent';
  }

  #demandCrashPoints(mode: ModeName, subject: Subject): void {
    const points = [...this.#coverage.values()].filter((each) => each.mode === mode);
    const isPointless = KILLING.has(mode) && points.length > 0 && points.every(({ crashPoints }) => crashPoints === 0);
    if (isPointless) this.#notRun.push(`${mode} of ${subject.catalog.resource.kind}: there was no crash point, which proves nothing`);
  }

  #execute(context: Context, mode: ModeName, tripwire: Tripwire): Execute {
    return async (job) => {
      const run = await this.#run(context, job, tripwire);
      this.#note(mode, job, run);
      const violations = violationsOf(run.outcome);
      if (violations.length > 0) await this.#fail(context, mode, job, run, tripwire);
      else if (!(await this.#isQuietForLong(context, run))) this.#failures.push(this.#restless(mode, job, run));
      else if (this.#runs % REPEAT_EVERY === 1) await this.#repeat(context, mode, job, run);
      return run;
    };
  }

  /** Of each end state that was not seen before: a fresh process and an hour write nothing. */
  async #isQuietForLong(context: Context, run: Run): Promise<boolean> {
    const { expectation, final, plan } = run.outcome;
    const [turn] = plan.turns.slice(-1);
    // Of two releases the other one may have led in the end.
    if (expectation.ends !== 'at' || expectation.or !== undefined || turn === undefined) return true;
    const key = JSON.stringify([turn, [...final.values()].map((object) => canonical(object, false, []))]);
    if (this.#ends.has(key)) return true;
    this.#ends.add(key);
    return (await writesInAnHour(context, run.finalSnapshot, turn.release)) === 0;
  }

  #restless(mode: ModeName, { edge, plan }: Job, run: Run): Failure {
    const says = 'a fresh process over the end state writes within the next hour, although nothing happens';
    return { mode, edge, plan, found: plan, run, violations: [{ check: 'stays quiet', says }] };
  }

  async #run(context: Context, job: Pick<Job, 'plan' | 'options'>, tripwire: Tripwire): Promise<Run> {
    this.#settings.onRun?.(job.plan);
    const run = await runPlan(context, job.plan, job.options);
    const escapes = tripwire.taken();
    return escapes.length === 0 ? run : { ...run, outcome: { ...run.outcome, escapes } };
  }

  async #repeat(context: Context, mode: ModeName, job: Job, run: Run): Promise<void> {
    const again = await runPlan(context, job.plan, job.options);
    this.#repeated += 1;
    if (traceHash(again.outcome.history) === traceHash(run.outcome.history)) return;
    const at = run.outcome.history.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(again.outcome.history[index]));
    const says = `the same seed gave two different histories; they part at event ${at + 1}: something depends on more than time and seed`;
    this.#failures.push({ mode, edge: job.edge, plan: job.plan, found: job.plan, run, violations: [{ check: 'is deterministic', says, at }] });
  }

  async #fail(context: Context, mode: ModeName, job: Job, run: Run, tripwire: Tripwire): Promise<void> {
    const known = new Set(this.#failures.map(({ edge, violations }) => `${edge} ${signature(violations)}`));
    if (known.has(`${job.edge} ${signature(violationsOf(run.outcome))}`)) return;
    const small = await shrink(job.plan, run, async (plan) => this.#run(context, { plan, options: {} }, tripwire));
    const violations = violationsOf(small.run.outcome);
    if (this.#failures.some((failure) => planKey(failure.plan) === planKey(small.plan))) return;
    this.#failures.push({ mode, edge: job.edge, plan: small.plan, found: job.plan, run: small.run, violations });
  }

  #note(mode: ModeName, { edge, plan, options }: Job, run: Run): void {
    this.#runs += 1;
    const key = `${mode} ${edge}`;
    const known = this.#coverage.get(key) ?? { mode, edge, runs: 0, crashPoints: 0 };
    known.runs += 1;
    if (options.from !== undefined && plan.faults.length > 0) known.crashPoints += 1;
    this.#coverage.set(key, known);
    for (const fault of plan.faults) {
      const name = 'failure' in fault ? `${fault.kind} ${fault.failure}` : fault.kind;
      this.#faults[name] = (this.#faults[name] ?? 0) + 1;
    }
    for (const { event } of writesOf(run.outcome.history)) {
      const action = actionOf(event);
      if (action !== undefined) this.#wrote.add(action);
    }
    this.#tell(mode, edge);
  }

  #tell(mode: ModeName, edge: string): void {
    const { onProgress } = this.#settings;
    if (onProgress === undefined || now() - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = now();
    onProgress({ mode, edge, runs: this.#runs, seconds: (now() - this.#started) / 1_000, failures: this.#failures.length });
  }
}

/** What makes two failures the same in the eyes of a person. */
export function signature(violations: readonly Violation[]): string {
  const [first] = violations;
  return first === undefined ? '' : `${first.check} ${first.object ?? ''}`;
}
