// The entry point for authors: a package or a catalog in, what was found out.
import type { ProcedureCatalog, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { unknownReleases } from '../start-state/released.ts';
import { subjectsFrom } from '../start-state/subjects.ts';
import { Tripwire } from '../world/tripwire.ts';
import { DEFAULT_MODES, type Exploration, type ExploreOptions } from './exploration.ts';
import { Explorer } from './explorer.ts';
import { MODES, type ModeName } from './job.ts';
import { packageOfCatalog, subjectsOf, type Subject } from './subject.ts';

/**
 * Explores a package or a catalog: kills the operator at every write, lets requests and watches fail, and compares every
 * end with a fresh install.
 *
 * @returns what was run, what was found and what was left out; nothing found means `failures` is empty
 * @throws Error if there is no sample object to install, or the API refuses one; {@link StartStateError} if a state from
 *   outside is not what a cluster holds
 */
export async function exploreCatalog(
  target: ProcedureCatalog | ProcedurePackage,
  options: ExploreOptions = {},
): Promise<Exploration> {
  const from = 'kinds' in target ? target : packageOfCatalog(target);
  const { budgetMs = 20_000, seed = 1, recorded = [], released } = options;
  const { modes = recorded.length === 0 ? DEFAULT_MODES : [...DEFAULT_MODES, 'recorded'] } = options;
  const wanted = MODES.filter((mode) => modes.includes(mode));
  const explorer = new Explorer(from.name, { ...options, modes: wanted, budgetMs, seed });
  const rounds = await roundsOf(from, options, wanted, seed);
  const tripwire = new Tripwire(options.mayTouch?.map(({ path }) => path));
  try {
    await tripwire.watch(async () => {
      for (const [index, round] of rounds.entries()) {
        const later = rounds.slice(index + 1).reduce((count, next) => count + next.modes.length, 0);
        await explorer.explore(round.subject, tripwire, round.modes, later);
      }
    });
  } finally {
    tripwire.restore();
  }
  const result = explorer.result();
  const unknown = released === undefined ? [] : unknownReleases(from.kinds, recorded, released);
  return { ...result, notRun: [...result.notRun, ...unknown] };
}

/** What is explored one after the other: the samples, then the states from outside. */
async function roundsOf(
  from: ProcedurePackage,
  options: ExploreOptions,
  modes: readonly ModeName[],
  seed: number,
): Promise<readonly { readonly subject: Subject; readonly modes: readonly ModeName[] }[]> {
  const { from: state, recorded = [] } = options;
  const states = state !== undefined ? [state] : modes.includes('recorded') ? recorded : [];
  const begun = (await subjectsFrom(from, states, options, seed)).map((subject) => ({ subject, modes: ['recorded'] as const }));
  const rest = modes.filter((mode) => mode !== 'recorded');
  if (state !== undefined || rest.length === 0) return begun;
  return [...subjectsOf(from, options).map((subject) => ({ subject, modes: rest })), ...begun];
}
