// `pawl explore` on the command line.
import type { Command } from 'commander';
import type { Ports } from '../ports.ts';
import type { ExploreFlags } from './run-explore.ts';

/** Adds `explore`, for authors. */
export function addExploreCommand(program: Command, ports: Ports, exits: (code: number) => void): void {
  program.commandsGroup('Write an operator:');
  program
    .command('explore')
    .description('kill the operator at every write of installs, upgrades and ways back, let requests fail, and compare every end (exit 1: found something)')
    .requiredOption('--package <name or path>', 'procedure package to explore')
    .option('-f, --filename <file>', "manifests of the objects to try (default: the package's examples)")
    .option('--edit <file>', 'YAML or JSON with a merge patch of the object; may be repeated', collected)
    .option('--mode <mode>', 'what to do; may be repeated, `all` for everything (default: what belongs into npm test)', collected)
    .option('--seed <number>', 'seed of everything that is left to chance', '1')
    .option('--budget <time>', 'real time to spend, such as 20s or 5m', '20s')
    .option('--replay <file>', 'carry out the one plan in this file')
    .option('--save <folder>', 'folder for the plans of failures', '.')
    .option('-o, --output <format>', 'json or junit for machines')
    .action(async (flags: ExploreFlags) => exits(await (await import('./run-explore.ts')).runExplore(flags, ports)));
}

function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
