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
    .option('--from <file>', 'begin in this state, which pawl capture wrote, and nowhere else')
    .option('--recorded <folder>', 'begin in the recorded states of this folder, too')
    .option('--record <folder>', 'explore nothing, but record what versions leave that the folder does not hold yet')
    .option('--moments <which>', 'with --record: all (after each write), stages or ends', 'all')
    .option('--lock <file>', 'with --recorded: what was released (default: procedures.lock, if there is one)')
    .option('--support <range>', 'with --recorded: the versions that objects may still be at (default: all)')
    .option('--config <file>', "the operator's configuration file, for its openKinds and external")
    .option('--mask <kind:field=why>', 'a field that is not compared, such as a password that is made up once; may be repeated', collected)
    .option('--may-touch <path=why>', 'code that may ask for the real clock or chance; may be repeated', collected)
    .option('--seed <number>', 'seed of everything that is left to chance', '1')
    .option('--budget <time>', 'real time to spend, such as 20s or 5m', '20s')
    .option('--replay <file>', 'carry out the one plan in this file')
    .option('--target <where>', 'carry plans out on a real API server: control-plane (started from a checkout) or cluster')
    .option('--kubeconfig <file>', 'with --target cluster: kubeconfig file')
    .option('--context <name>', 'with --target cluster: context of the kubeconfig')
    .option('--yes', 'with --target cluster: it may be written to, and it is no loss if something stays behind')
    .option('--sample <count>', 'with --target: how many plans, spread over all (default: 10)')
    .option('--patience <time>', 'with --target: how long operators may take to come to rest (default: 60s)')
    .option('--save <folder>', 'folder for the plans of failures', '.')
    .option('-o, --output <format>', 'json or junit for machines')
    .action(async (flags: ExploreFlags) => exits(await (await import('./run-explore.ts')).runExplore(flags, ports)));
}

function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
