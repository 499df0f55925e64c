// `pawl explore`: lets a thread explore, prints what came of it, and keeps the plans of failures.
import { join, resolve } from 'node:path';
import type { Ports } from '../ports.ts';
import { exploreSettings, type ExploreFlags, type ExploreSettings } from './explore-settings.ts';
import type { TargetSettings } from './target-settings.ts';
import { runInThread } from './thread.ts';
import type { Explored } from './worker.ts';

export type { ExploreFlags } from './explore-settings.ts';

/**
 * @returns 0 if nothing was found, 1 otherwise
 * @throws {InputError} for bad flags, packages and objects
 */
export async function runExplore(flags: ExploreFlags, ports: Ports): Promise<number> {
  const settings = await exploreSettings(flags, ports);
  if (settings.target !== undefined) return exploreReal(settings, settings.target, flags, ports);
  const thread = { module: './worker', base: import.meta.url, settings, isWatched: settings.output === 'text' };
  return conclude(await runInThread<Explored>(thread, ports), flags, ports);
}

async function exploreReal(settings: ExploreSettings, target: TargetSettings, flags: ExploreFlags, ports: Ports): Promise<number> {
  const { exploreTarget, targetReport } = await import('./target.ts');
  const { exploration, isFine } = await exploreTarget(settings, target, ports);
  const text = targetReport(exploration, settings.output);
  return conclude({ text, plans: exploration.findings.map(({ plan }) => plan), isFine }, flags, ports);
}

async function conclude({ text, plans, isFine }: Explored, flags: ExploreFlags, ports: Ports): Promise<number> {
  ports.terminal.write(text);
  for (const [index, plan] of plans.entries()) {
    const file = join(flags.save, `pawl-failure-${index + 1}.json`);
    await ports.files.write(resolve(ports.workingFolder, file), `${JSON.stringify(plan, null, 2)}\n`);
    if (flags.output === undefined) ports.terminal.write(`replay: ${replayCommand(flags, file)}\n`);
  }
  return isFine ? 0 : 1;
}

function replayCommand({ package: name, filename, edit = [], from, recorded, config, target, kubeconfig, context, yes }: ExploreFlags, file: string): string {
  const where = Object.entries({ '--target': target, '--kubeconfig': kubeconfig, '--context': context }).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  if (yes === true) where.push('--yes');
  const objects = filename === undefined ? [] : ['-f', filename];
  const states = [...(from === undefined ? [] : ['--from', from]), ...(recorded === undefined ? [] : ['--recorded', recorded]), ...(config === undefined ? [] : ['--config', config])];
  return ['pawl explore --package', name, ...objects, ...states, ...edit.flatMap((each) => ['--edit', each]), '--replay', file, ...where].join(' ');
}
