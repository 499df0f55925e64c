// The simulated side of a comparison with a real server, in a thread of its own as all simulation is.
import { loadPackages } from '@pawl/operator';
import { samplePlans, simulatePlans, type Sample, type Simulated } from '@pawl/testkit';
import type { ExploreSettings } from './explore-settings.ts';
import { stateOptions } from './states.ts';
import type { TargetSettings } from './target-settings.ts';
import { serve, type ThreadSide } from './thread-side.ts';

export interface ToSimulate {
  readonly settings: ExploreSettings;
  readonly target: TargetSettings;
}

/** Plans with what the simulation made of them. */
export interface SimulatedSample {
  readonly simulated: readonly Simulated[];
  readonly leftOut: readonly string[];
}

async function simulate({ settings, target }: ToSimulate, { watching }: ThreadSide): Promise<SimulatedSample> {
  const [from] = await loadPackages([settings.package], settings.folder);
  if (from === undefined) throw new Error(`--package: found ${settings.package}, which cannot be loaded`);
  const { objects, edits, modes, seed, budgetMs } = settings;
  const options = {
    ...(objects === undefined ? {} : { objects }),
    ...(modes === undefined ? {} : { modes }),
    ...(await stateOptions(settings.states, from)),
    edits,
    seed,
    budgetMs,
    ...watching,
  };
  const { plans, leftOut }: Sample = target.plans === undefined ? await samplePlans(from, target.sample, options) : { plans: target.plans, leftOut: [] };
  return { simulated: await simulatePlans(from, plans, options), leftOut };
}

serve(simulate);
