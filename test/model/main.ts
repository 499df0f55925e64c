// Checks the product's own decision and protocol on every catalog, and that each rule matters.
//
//   npm run model [-- --quick] [-- --states N]
//
// Prints what was explored, each weakened rule with the catalogs that show it, and `violations N` at the end; exits with
// 1 if there are any, if a weakened rule goes unnoticed, or if less was explored than must be. `--states` raises the
// number of states after which one exploration stops.
import { parseArgs } from 'node:util';
import { allLadders, OPERATORS, PLAIN_WORLDS } from './catalogs.ts';
import { summed, type ExploreJob, type JobResult } from './jobs.ts';
import { Pool } from './pool.ts';
import { PROFILES } from './profiles.ts';
import { FULL, QUICK, type Size } from './sizes.ts';
import { WEAKENED } from './weakened.ts';

const ladders = allLadders();
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** A profile on every so manieth catalog. */
function jobsOf(profile: number, size: Size): readonly ExploreJob[] {
  const stride = profile === 0 ? size.stride : size.stride * size.sparser * (PROFILES[profile]?.every ?? 1);
  const jobs: ExploreJob[] = [];
  for (let catalog = 0; catalog < ladders.length; catalog += stride)
    jobs.push({
      kind: 'explore',
      profile,
      catalog,
      operators: (catalog + jobs.length) % OPERATORS.length,
      maxStates: size.maxStates,
    });
  return jobs;
}

function show(result: JobResult): JobResult {
  for (const [what, count] of Object.entries(result.violations))
    print(`    VIOLATION ${what} (${count}): ${result.examples[what] ?? ''}`);
  return result;
}

async function exploreAll(pool: Pool, size: Size): Promise<readonly JobResult[]> {
  const results: JobResult[] = [];
  for (const [profile, { name }] of PROFILES.entries()) {
    const jobs = jobsOf(profile, size);
    const result = summed(await pool.run(jobs));
    print(`${name}: catalogs ${jobs.length}, states ${result.states}, cut off ${result.cutOff}`);
    const ends = Object.entries(result.ends).map(([end, count]) => `${end} ${count}`);
    print(`    fair runs end: ${ends.join('; ')}`);
    results.push(show(result));
  }
  const plain = await pool.run(
    [...PLAIN_WORLDS.keys()].map((world) => ({ kind: 'plain', world, maxStates: size.maxPlainStates })),
  );
  for (const [world, result] of plain.entries()) {
    print(`${PLAIN_WORLDS[world]?.name ?? ''}: states ${result.states}, cut off ${result.cutOff}`);
    results.push(show(result));
  }
  const sharp = await pool.run(
    Array.from({ length: size.sharp }, (_, attempt) => ({ kind: 'sharp', attempt, maxStates: size.maxWeakenedStates })),
  );
  const unweakened = summed(sharp);
  print(`nothing weakened, in the worlds of the weakened rules: catalogs ${sharp.length}, states ${unweakened.states}`);
  return [...results, show(unweakened)];
}

/** How many weakened rules go unnoticed. */
async function weakenAll(pool: Pool, size: Size): Promise<number> {
  const { tries, maxWeakenedStates: maxStates, untilShown } = size;
  const results = await pool.run(
    [...WEAKENED.keys()].map((rule) => ({ kind: 'weakened', rule, tries, maxStates, untilShown })),
  );
  for (const [rule, { shown, tried, states, violations }] of results.entries()) {
    const kinds = Object.keys(violations).join('; ');
    const verdict = shown === 0 ? 'UNNOTICED' : 'noticed  ';
    print(`${verdict} ${WEAKENED[rule]?.name ?? ''}: catalogs ${shown} of ${tried}, states ${states}: ${kinds}`);
  }
  return results.filter(({ shown }) => shown === 0).length;
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, states: { type: 'string' } } });
const asked = Number(values.states ?? 1);
if (!Number.isInteger(asked) || asked < 1)
  throw new Error(`--states: found ${values.states}; allowed is a whole number above 0`);
const chosen = values.quick ? QUICK : FULL;
const size = { ...chosen, maxStates: Math.max(chosen.maxStates, asked) };
const catalogs = jobsOf(0, size).length;
const pool = new Pool();
const total = summed(await exploreAll(pool, size));
const unnoticed = await weakenAll(pool, size);
await pool.close();
const violations = Object.values(total.violations).reduce((sum, count) => sum + count, 0);
const isTooSmall = catalogs < size.leastCatalogs || total.states < size.leastStates;
print(`catalogs ${catalogs}, at least ${size.leastCatalogs}`);
print(`states ${total.states}, at least ${size.leastStates}`);
print(`weakened rules ${WEAKENED.length}, unnoticed ${unnoticed}`);
if (isTooSmall) print('less was explored than must be');
print(`violations ${violations}`);
process.exitCode = violations > 0 || unnoticed > 0 || isTooSmall ? 1 : 0;
