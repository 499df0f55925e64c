// Exploring in a thread of its own: a procedure that hangs or allocates without bound stops this thread and nothing else.
import { loadPackages } from '@pawl/operator';
import {
  exploreCatalog,
  explorationJson,
  explorationJunit,
  explorationText,
  failureText,
  parsePlan,
  replayPlan,
  type ExploreOptions,
  type Plan,
} from '@pawl/testkit';
import type { ExploreSettings } from './explore-settings.ts';
import { recordInto, stateOptions } from './states.ts';
import { serve, type ThreadSide } from './thread-side.ts';

/** What came of it. */
export interface Explored {
  readonly text: string;
  readonly plans: readonly Plan[];
  readonly isFine: boolean;
}

async function explore(settings: ExploreSettings, { watching }: ThreadSide): Promise<Explored> {
  const [from] = await loadPackages([settings.package], settings.folder);
  if (from === undefined) throw new Error(`--package: found ${settings.package}, which cannot be loaded`);
  const { objects, edits, modes, seed, budgetMs, output, replay } = settings;
  const options: ExploreOptions = {
    ...(objects === undefined ? {} : { objects }),
    ...(modes === undefined ? {} : { modes }),
    ...(await stateOptions(settings.states, from)),
    edits,
    seed,
    budgetMs,
    ...watching,
  };
  const { record } = settings.states;
  if (record !== undefined) return { text: await recordInto(record, from, options), plans: [], isFine: true };
  if (replay !== undefined) {
    const failure = await replayPlan(from, parsePlan(replay), options);
    const text = failure === undefined ? 'nothing found\n' : `${failureText(failure)}\n`;
    return { text, plans: [], isFine: failure === undefined };
  }
  const result = await exploreCatalog(from, options);
  const json = (): string => `${JSON.stringify(explorationJson(result), null, 2)}\n`;
  const text = output === 'json' ? json() : output === 'junit' ? explorationJunit(result) : explorationText(result);
  const isPointless = result.notRun.some((says) => says.includes('proves nothing'));
  return { text, plans: result.failures.map(({ plan }) => plan), isFine: result.failures.length === 0 && !isPointless };
}

serve(explore);
