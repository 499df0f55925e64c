// Runs modes until they are through or the budget is spent, checks every run, and shrinks what failed.
import { canonicalJson } from '@pawl/reconciler';
import type { Violation } from '../checks/check.ts';
import { violationsOf } from '../checks/index.ts';
import { actionOf, writesOf } from '../checks/writes.ts';
import { checkPairs } from '../pairs/check-pairs.ts';
import type { PairFinding } from '../pairs/pair.ts';
import { shrink } from '../report/shrink.ts';
import { nameOfFault } from '../world/faults.ts';
import type { Tripwire } from '../world/tripwire.ts';
import { createContext, masksOf, type Context } from './context.ts';
import { installOf, planOf, tell, type Story } from './crash-modes.ts';
import type { Exploration, ExploreOptions, Failure } from './exploration.ts';
import type { Execute, Job, ModeName } from './job.ts';
import { KILLING, RUN_BY } from './modes.ts';
import { divergenceIn, isClearWithoutRepetition, partingOf } from './parting.ts';
import { planKey } from './plan.ts';
import { faultsInAnHour } from './quiet.ts';
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
  readonly #coverage = new Map<string, { mode: ModeName; kind: string; edge: string; runs: number; crashPoints: number }>();
  readonly #faults: Record<string, number> = {};
  readonly #wrote = new Set<string>();
  readonly #actions = new Set<string>();
  readonly #failures: Failure[] = [];
  readonly #pairs: PairFinding[] = [];
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

  /**
   * @param modes those of the subject
   * @param later how many modes of other subjects are still to come
   */
  explore = async (subject: Subject, tripwire: Tripwire, modes = this.#settings.modes, later = 0): Promise<void> => {
    const { seed, masks = [], invariants = [] } = this.#settings;
    for (const { says } of masksOf(subject)) this.#assumptions.add(says);
    for (const { actions } of subject.catalog.procedures) for (const name of actions.keys()) this.#actions.add(name);
    for (const { key } of subject.package.external)
      this.#assumptions.add(
        subject.fakes.some((fake) => fake.key === key) ? `external system ${key} is a stand-in` : `external system ${key} has no stand-in: its own client was used`,
      );
    const context = createContext(subject, { seed, masks, invariants, onAction: this.#settings.onAction });
    if (!(await this.#installs(context, tripwire))) return;
    if (subject.starts === undefined) await this.#compare(context, modes, tripwire);
    for (const [index, mode] of modes.entries()) {
      const deadline = this.#shareOf(index, modes.length + later);
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
    const newest = versions.at(-1) ?? '';
    // A state from outside may ask for what older versions cannot do.
    for (const version of context.subject.starts === undefined ? versions : [newest]) await tell(context, execute, installOf(version));
    const { isAtRest } = (await tell(context, execute, installOf(newest))).outcome;
    if (!isAtRest) this.#notRun.push(`everything of ${catalog.resource.kind}: a plain install of ${newest} does not come to rest`);
    return isAtRest;
  }

  /** Every hop, by what it changes. Its upgrade is told once, and is the one that the mode of upgrades begins with. */
  async #compare(context: Context, modes: readonly ModeName[], tripwire: Tripwire): Promise<void> {
    const isExplored = modes.includes('upgrade');
    const run = (story: Story): Promise<Run> =>
      isExplored || story.start === undefined ? tell(context, this.#execute(context, 'upgrade', tripwire), story) : runPlan(context, planOf(context, story));
    const isOver = (): boolean => now() >= this.#started + this.#settings.budgetMs;
    const { findings, failures, leftOut } = await checkPairs(context, { run, isExplored, isOver });
    this.#pairs.push(...findings);
    this.#failures.push(...failures);
    this.#notRun.push(...leftOut.map((edge) => `comparison of ${edge} of ${context.subject.catalog.resource.kind}: the budget was spent`));
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
      pairs: this.#pairs,
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
    const points = [...this.#coverage.values()].filter((each) => each.mode === mode && each.kind === subject.catalog.resource.kind);
    const isPointless = KILLING.has(mode) && points.length > 0 && points.every(({ crashPoints }) => crashPoints === 0);
    if (isPointless) this.#notRun.push(`${mode} of ${subject.catalog.resource.kind}: there was no crash point, which proves nothing`);
  }

  #execute(context: Context, mode: ModeName, tripwire: Tripwire): Execute {
    return async (job) => {
      const run = await this.#run(context, job, tripwire);
      this.#note(mode, job, run);
      const violations = violationsOf(run.outcome);
      if (violations.length > 0) await this.#fail(context, mode, job, run, tripwire);
      else if (!(await this.#isQuietForLong(context, mode, job, run))) return run;
      else if (this.#runs % REPEAT_EVERY === 1) await this.#repeat(context, mode, job, run);
      return run;
    };
  }

  /** Of each end state that was not seen before: a fresh process and an hour write nothing, and it ends. If not, that is a failure. */
  async #isQuietForLong(context: Context, mode: ModeName, { edge, plan: found }: Job, run: Run): Promise<boolean> {
    const { expectation, final, plan } = run.outcome;
    const [turn] = plan.turns.slice(-1);
    // Of two releases the other one may have led in the end.
    if (expectation.ends !== 'at' || expectation.or !== undefined || turn === undefined) return true;
    const key = canonicalJson([turn, [...final.values()].map((object) => canonical(object, false, []))]);
    if (this.#ends.has(key)) return true;
    this.#ends.add(key);
    const violations = await faultsInAnHour(context, run.finalSnapshot, turn.release);
    if (violations.length > 0) this.#failures.push({ mode, edge, plan: found, found, run, violations });
    return violations.length === 0;
  }

  async #run(context: Context, job: Pick<Job, 'plan' | 'options'>, tripwire: Tripwire): Promise<Run> {
    this.#settings.onRun?.(job.plan);
    const run = await runPlan(context, job.plan, job.options);
    const [escapes, unhandled] = [tripwire.taken(), tripwire.unhandled.taken()];
    return escapes.length + unhandled.length === 0 ? run : { ...run, outcome: { ...run.outcome, escapes, unhandled } };
  }

  /** Runs a job once more. Answers whether it gave the same history; if not, that is a failure. */
  async #repeat(context: Context, mode: ModeName, job: Job, run: Run): Promise<boolean> {
    const again = await runPlan(context, job.plan, job.options);
    this.#repeated += 1;
    const parting = partingOf(run.outcome.history, again.outcome.history);
    if (parting === undefined) return true;
    this.#failures.push({ mode, edge: job.edge, plan: job.plan, found: job.plan, run, violations: [{ check: 'is deterministic', ...parting }] });
    return false;
  }

  async #fail(context: Context, mode: ModeName, job: Job, run: Run, tripwire: Tripwire): Promise<void> {
    const known = new Set(this.#failures.map(({ edge, violations }) => `${edge} ${signature(violations)}`));
    if (known.has(`${job.edge} ${signature(violationsOf(run.outcome))}`)) return;
    // What differs from run to run is found in as many ways as there are runs, and each of them means the same.
    if (!isClearWithoutRepetition(run) && !(await this.#repeat(context, mode, job, run))) return;
    const small = await shrink(job.plan, run, async (plan) => this.#run(context, { plan, options: {} }, tripwire));
    const violations = violationsOf(small.run.outcome);
    if (this.#failures.some((failure) => planKey(failure.plan) === planKey(small.plan))) return;
    const divergence = await divergenceIn(context, small);
    this.#failures.push({ mode, edge: job.edge, plan: small.plan, found: job.plan, run: small.run, violations, divergence });
  }

  #note(mode: ModeName, { edge, plan, options }: Job, run: Run): void {
    this.#runs += 1;
    const { kind } = plan;
    const key = `${mode} ${kind} ${edge}`;
    const known = this.#coverage.get(key) ?? { mode, kind, edge, runs: 0, crashPoints: 0 };
    known.runs += 1;
    if (options.from !== undefined && plan.faults.length > 0) known.crashPoints += 1;
    this.#coverage.set(key, known);
    for (const fault of plan.faults) {
      const name = nameOfFault(fault);
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
