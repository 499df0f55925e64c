// The parts of a model run, each small enough for one worker: a catalog under a profile, or a weakened rule.
import { allLadders, OPERATORS, PLAIN_WORLDS, type Ladder } from './catalogs.ts';
import { explore } from './explore.ts';
import type { ModelOptions } from './model.ts';
import { PLAIN_PROFILE, PROFILES, SHARP } from './profiles.ts';
import { weakenedProtocol, workshop } from './weaken.ts';
import { WEAKENED } from './weakened.ts';

/** One catalog under a profile, by index into what `catalogs.ts` and `profiles.ts` list. */
export interface ExploreJob {
  readonly kind: 'explore';
  readonly profile: number;
  readonly catalog: number;
  readonly operators: number;
  readonly maxStates: number;
}

/** One product without versions. */
export interface PlainJob {
  readonly kind: 'plain';
  readonly world: number;
  readonly maxStates: number;
}

/** The product as it is in a world in which its weakened rules must show: nothing may show here. */
export interface SharpJob {
  readonly kind: 'sharp';
  readonly attempt: number;
  readonly maxStates: number;
}

/** A weakened rule on so many catalogs, or until it shows. */
export interface WeakenedJob {
  readonly kind: 'weakened';
  readonly rule: number;
  readonly tries: number;
  readonly maxStates: number;
  readonly untilShown: boolean;
}

export type Job = ExploreJob | PlainJob | SharpJob | WeakenedJob;

/** What a job found; plain data, for it travels between threads. */
export interface JobResult {
  readonly states: number;
  /** Explorations that stopped at the limit. */
  readonly cutOff: number;
  /** Kind of fault to how often it was found. */
  readonly violations: Readonly<Record<string, number>>;
  readonly examples: Readonly<Record<string, string>>;
  /** How fair runs ended, and how often. */
  readonly ends: Readonly<Record<string, number>>;
  /** Of a weakened rule: catalogs on which it showed, and on which it was tried. */
  readonly shown: number;
  readonly tried: number;
}

const ladders = allLadders();

/** Carries out one job. */
export async function runJob(job: Job): Promise<JobResult> {
  switch (job.kind) {
    case 'explore': {
      const { name: _name, every: _every, ...profile } = named(PROFILES, job.profile);
      const ladder = named(ladders, job.catalog);
      const ownsData = job.catalog % 3 === 0;
      return summed([
        explored(ladder, named(OPERATORS, job.operators), { profile, maxStates: job.maxStates, ownsData }),
      ]);
    }
    case 'plain': {
      const { ladder, operators } = named(PLAIN_WORLDS, job.world);
      return summed([explored(ladder, operators, { profile: PLAIN_PROFILE, maxStates: job.maxStates, anything: true })]);
    }
    case 'sharp': {
      const [ladder, operators] = worldOf(ladders, job.attempt);
      return summed(
        Object.values(SHARP).map((profile) => explored(ladder, operators, { profile, maxStates: job.maxStates })),
      );
    }
    case 'weakened':
      return weakened(job);
  }
}

async function weakened({ rule, tries, maxStates, untilShown }: WeakenedJob): Promise<JobResult> {
  const { patches = [], weakness, profiles, only, leastStates = 0 } = named(WEAKENED, rule);
  const { folder, remove } = workshop();
  try {
    const protocol = patches.length === 0 ? undefined : await weakenedProtocol(folder, `rule-${rule}`, patches);
    const pool = only === undefined ? ladders : ladders.filter((_, index) => only(index));
    const results: JobResult[] = [];
    let shown = 0;
    let tried = 0;
    for (; tried < tries && !(untilShown && shown > 0); tried += 1) {
      const [ladder, operators] = worldOf(pool, tried);
      const found = profiles.map((profile) =>
        explored(ladder, operators, { profile, maxStates: Math.max(maxStates, leastStates), protocol, weakness }),
      );
      if (found.some(({ violations }) => Object.keys(violations).length > 0)) shown += 1;
      results.push(...found);
    }
    return { ...summed(results), shown, tried };
  } finally {
    remove();
  }
}

/** Different catalogs and operators for each attempt, far from each other. */
function worldOf(pool: readonly Ladder[], attempt: number): readonly [Ladder, (typeof OPERATORS)[number]] {
  return [named(pool, (attempt * 97 + 5) % pool.length), named(OPERATORS, attempt % OPERATORS.length)];
}

function explored(ladder: Ladder, operators: (typeof OPERATORS)[number], options: ModelOptions): JobResult {
  const { states, isCutOff, violations, examples, ends } = explore(ladder, operators, options);
  return {
    states,
    cutOff: isCutOff ? 1 : 0,
    violations: Object.fromEntries(violations),
    examples: Object.fromEntries(examples),
    ends: Object.fromEntries(ends),
    shown: 0,
    tried: 0,
  };
}

/** Several results as one. */
export function summed(results: readonly JobResult[]): JobResult {
  const counts = (pick: (result: JobResult) => Readonly<Record<string, number>>): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const result of results)
      for (const [what, count] of Object.entries(pick(result))) all[what] = (all[what] ?? 0) + count;
    return all;
  };
  const total = (pick: (result: JobResult) => number): number => results.reduce((sum, result) => sum + pick(result), 0);
  return {
    states: total(({ states }) => states),
    cutOff: total(({ cutOff }) => cutOff),
    violations: counts(({ violations }) => violations),
    examples: Object.assign({}, ...results.map(({ examples }) => examples).toReversed()) as Record<string, string>,
    ends: counts(({ ends }) => ends),
    shown: total(({ shown }) => shown),
    tried: total(({ tried }) => tried),
  };
}

function named<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`nothing at ${index} of ${list.length}`);
  return found;
}
