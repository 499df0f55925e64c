// The entry point for authors: a package or a catalog in, what was found out.
import type { ProcedureCatalog, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { Tripwire } from '../world/tripwire.ts';
import { DEFAULT_MODES, type Exploration, type ExploreOptions } from './exploration.ts';
import { Explorer } from './explorer.ts';
import { MODES } from './job.ts';
import { packageOfCatalog, subjectsOf } from './subject.ts';

/**
 * Explores a package or a catalog: kills the operator at every write, lets requests and watches fail, and compares every
 * end with a fresh install.
 *
 * @returns what was run, what was found and what was left out; nothing found means `failures` is empty
 * @throws Error if there is no sample object to install, or the API refuses one
 */
export async function exploreCatalog(
  target: ProcedureCatalog | ProcedurePackage,
  options: ExploreOptions = {},
): Promise<Exploration> {
  const from = 'kinds' in target ? target : packageOfCatalog(target);
  const { modes = DEFAULT_MODES, budgetMs = 20_000, seed = 1 } = options;
  const explorer = new Explorer(from.name, { ...options, modes: MODES.filter((mode) => modes.includes(mode)), budgetMs, seed });
  const tripwire = new Tripwire(options.mayTouch?.map(({ path }) => path));
  try {
    await tripwire.watch(async () => {
      for (const subject of subjectsOf(from, options)) await explorer.explore(subject, tripwire);
    });
  } finally {
    tripwire.restore();
  }
  return explorer.result();
}
