// Checks the product's own decision and protocol on every catalog, and that each rule matters.
//
//   node --conditions=@pawl/source test/model/main.ts [--quick]
//
// Prints what was explored, each weakened rule with the catalogs that show it, and `violations N` at the end; exits with
// 1 if there are any, if a weakened rule goes unnoticed, or if less was explored than must be.
import { allLadders, OPERATORS, PLAIN_WORLDS } from './catalogs.ts';
import { explore, type Explored } from './explore.ts';
import type { ModelOptions } from './model.ts';
import { PLAIN_PROFILE, PROFILES, SHARP } from './profiles.ts';
import { weakenedProtocol, workshop } from './weaken.ts';
import { WEAKENED, type WeakenedRule } from './weakened.ts';

interface Size {
  /** Of so many catalogs one is explored. */
  readonly stride: number;
  readonly maxStates: number;
  readonly maxPlainStates: number;
  /** Catalogs on which a weakened rule is tried until it shows. */
  readonly tries: number;
  readonly maxWeakenedStates: number;
  /** Less than that proves nothing. */
  readonly leastStates: number;
}

const QUICK: Size = {
  stride: 48,
  maxStates: 4_000,
  maxPlainStates: 20_000,
  tries: 12,
  maxWeakenedStates: 6_000,
  leastStates: 200_000,
};
const FULL: Size = {
  stride: 1,
  maxStates: 20_000,
  maxPlainStates: 300_000,
  tries: 32,
  maxWeakenedStates: 20_000,
  leastStates: 10_000_000,
};

const ladders = allLadders();
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

interface Total {
  states: number;
  violations: number;
}

function add(total: Total, { states, violations, examples }: Explored): void {
  total.states += states;
  for (const [what, count] of violations) {
    total.violations += count;
    print(`    VIOLATION ${what} (${count}): ${examples.get(what) ?? ''}`);
  }
}

function exploreAll(size: Size): Total {
  const total: Total = { states: 0, violations: 0 };
  for (const { name, every = 1, ...profile } of PROFILES) {
    const before = total.states;
    let catalogs = 0;
    let cutOff = 0;
    const ends = new Map<string, number>();
    for (let index = 0; index < ladders.length; index += size.stride * every) {
      const ladder = ladders[index];
      const operators = OPERATORS[(index + catalogs) % OPERATORS.length];
      if (ladder === undefined || operators === undefined) continue;
      catalogs += 1;
      const explored = explore(ladder, operators, { profile, maxStates: size.maxStates, ownsData: index % 3 === 0 });
      cutOff += explored.isCutOff ? 1 : 0;
      for (const [end, count] of explored.ends) ends.set(end, (ends.get(end) ?? 0) + count);
      add(total, explored);
    }
    print(`${name}: catalogs ${catalogs}, states ${total.states - before}, cut off ${cutOff}`);
    print(`    fair runs end: ${[...ends].map(([end, count]) => `${end} ${count}`).join('; ')}`);
  }
  for (const { name, ladder, operators } of PLAIN_WORLDS) {
    const explored = explore(ladder, operators, {
      profile: PLAIN_PROFILE,
      maxStates: size.maxPlainStates,
      anything: true,
    });
    add(total, explored);
    print(`${name}: states ${explored.states}`);
  }
  return total;
}

/** The product as it is, in the very worlds in which its weakened rules must show: nothing may show here. */
function explorePlainly(size: Size, total: Total): void {
  const before = total.states;
  const tries = Math.ceil(size.tries / 2);
  for (let index = 0; index < tries; index += 1) {
    const ladder = ladders[(index * 97 + 5) % ladders.length];
    const operators = OPERATORS[index % OPERATORS.length];
    if (ladder === undefined || operators === undefined) continue;
    for (const profile of Object.values(SHARP))
      add(total, explore(ladder, operators, { profile, maxStates: size.maxWeakenedStates }));
  }
  print(`nothing weakened, in the worlds of the weakened rules: catalogs ${tries}, states ${total.states - before}`);
}

/** On how many catalogs a weakened rule shows; stops at the first when only that matters. */
async function showsOn(rule: WeakenedRule, folder: string, index: number, size: Size): Promise<string> {
  const { patches = [], weakness, profiles, only, leastStates = 0 } = rule;
  const maxStates = Math.max(size.maxWeakenedStates, leastStates);
  const protocol = patches.length === 0 ? undefined : await weakenedProtocol(folder, `rule-${index}`, patches);
  const pool = only === undefined ? ladders : ladders.filter((_, place) => only(place));
  const kinds = new Set<string>();
  let states = 0;
  let shown = 0;
  let tried = 0;
  for (; tried < size.tries && (size === FULL || shown === 0); tried += 1) {
    const ladder = pool[(tried * 97 + 5) % pool.length];
    const operators = OPERATORS[tried % OPERATORS.length];
    if (ladder === undefined || operators === undefined) continue;
    let isShown = false;
    for (const profile of profiles) {
      const options: ModelOptions = { profile, maxStates, protocol, weakness };
      const explored = explore(ladder, operators, options);
      states += explored.states;
      for (const kind of explored.violations.keys()) kinds.add(kind);
      isShown ||= explored.violations.size > 0;
    }
    shown += isShown ? 1 : 0;
  }
  if (shown === 0) return `UNNOTICED  ${rule.name}: catalogs 0 of ${tried}, states ${states}`;
  return `noticed    ${rule.name}: catalogs ${shown} of ${tried}, states ${states}: ${[...kinds].join('; ')}`;
}

async function weakenAll(size: Size): Promise<number> {
  const { folder, remove } = workshop();
  let unnoticed = 0;
  try {
    for (const [index, rule] of WEAKENED.entries()) {
      const line = await showsOn(rule, folder, index, size);
      if (line.startsWith('UNNOTICED')) unnoticed += 1;
      print(line);
    }
  } finally {
    remove();
  }
  return unnoticed;
}

const size = process.argv.includes('--quick') ? QUICK : FULL;
print(`catalogs ${ladders.length}, weakened rules ${WEAKENED.length}`);
const total = exploreAll(size);
explorePlainly(size, total);
const unnoticed = await weakenAll(size);
print(`states ${total.states}, weakened rules unnoticed ${unnoticed}`);
if (total.states < size.leastStates) print(`too few states: must be at least ${size.leastStates}`);
print(`violations ${total.violations}`);
process.exitCode = total.violations > 0 || unnoticed > 0 || total.states < size.leastStates ? 1 : 0;
