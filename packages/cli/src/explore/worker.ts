// Exploring in a thread of its own: a procedure that hangs or allocates without bound stops this thread and nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import { loadPackages } from '@pawl/operator';
import {
  describePlan,
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

/** What the thread tells. */
export type WorkerMessage =
  | { readonly says: 'runs'; readonly plan: string }
  | { readonly says: 'progress'; readonly text: string }
  | { readonly says: 'ended'; readonly text: string; readonly plans: readonly Plan[]; readonly isFine: boolean }
  | { readonly says: 'failed'; readonly faults: readonly string[] };

const settings = workerData as ExploreSettings;
const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

async function explore(): Promise<WorkerMessage> {
  const [from] = await loadPackages([settings.package], settings.folder);
  if (from === undefined) throw new Error(`--package: found ${settings.package}, which cannot be loaded`);
  const { objects, edits, modes, seed, budgetMs, output, replay } = settings;
  const options: ExploreOptions = {
    ...(objects === undefined ? {} : { objects }),
    ...(modes === undefined ? {} : { modes }),
    edits,
    seed,
    budgetMs,
    onRun: (plan) => tell({ says: 'runs', plan: describePlan(plan) }),
    onProgress: ({ mode, edge, runs, seconds, failures }) =>
      tell({ says: 'progress', text: `${mode} ${edge}: ${runs} runs, ${(runs / seconds).toFixed(0)}/s, ${failures} found` }),
  };
  if (replay !== undefined) {
    const failure = await replayPlan(from, parsePlan(replay), options);
    const text = failure === undefined ? 'nothing found\n' : `${failureText(failure)}\n`;
    return { says: 'ended', text, plans: [], isFine: failure === undefined };
  }
  const result = await exploreCatalog(from, options);
  const json = (): string => `${JSON.stringify(explorationJson(result), null, 2)}\n`;
  const text = output === 'json' ? json() : output === 'junit' ? explorationJunit(result) : explorationText(result);
  const isPointless = result.notRun.some((says) => says.includes('proves nothing'));
  return { says: 'ended', text, plans: result.failures.map(({ plan }) => plan), isFine: result.failures.length === 0 && !isPointless };
}

explore().then(tell, (error: unknown) => {
  const faults = error instanceof Error && 'faults' in error && Array.isArray(error.faults) ? error.faults.map(String) : [String(error instanceof Error ? error.message : error)];
  tell({ says: 'failed', faults });
});
