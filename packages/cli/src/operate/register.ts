// The operating verbs on the command line.
import type { Command } from 'commander';
import { collected } from '../flags.ts';
import type { Ports } from '../ports.ts';
import type { GraphFlags, OperateFlags, PlanFlags, RequestFlags } from './verbs.ts';
import type { Verb } from './requests.ts';

type Exits = (code: number) => void;
const load = () => import('./verbs.ts');

const REQUESTS: readonly { readonly verb: Verb; readonly needsVersion: boolean; readonly says: string }[] = [
  { verb: 'approve', needsVersion: true, says: 'let objects go to a version that waits for approval' },
  { verb: 'pause', needsVersion: false, says: 'change nothing for objects until they are resumed' },
  { verb: 'resume', needsVersion: false, says: 'reconcile paused objects again' },
  { verb: 'rollback', needsVersion: true, says: 'take objects back to an older version, where the newer one permits it' },
  { verb: 'retry', needsVersion: false, says: 'forget back-off and what a finished rollback excluded, and try again now' },
  { verb: 'adopt', needsVersion: true, says: 'accept that a version takes over what no author declared' },
];

/** Adds `explain`, `plan` and the requests, for people who run an operator. */
export function addOperateCommands(program: Command, ports: Ports, exits: Exits): void {
  program.commandsGroup('Operate objects:');
  selecting(program.command('explain').description('say what is recorded, what would be decided and why, and what to do').argument('[kind/name]')).action(
    async (target: string | undefined, flags: OperateFlags) => exits(await (await load()).runExplain(target, flags, ports)),
  );
  selecting(program.command('plan').description('show what a version would change, before anything happens (exit 2: changes)').argument('[kind/name]'))
    .option('--to <version>', 'version to plan (default: the one that would act)')
    .option('-f, --filename <file>', 'manifest of an object, which need not exist')
    .action(async (target: string | undefined, flags: PlanFlags) => exits(await (await load()).runPlan(target, flags, ports)));
  for (const { verb, needsVersion, says } of REQUESTS) {
    const command = program.command(verb).description(says).argument('[kind/name]');
    if (needsVersion) command.requiredOption('--to <version>', 'the version');
    selecting(command)
      .option('--dry-run', 'show what would be asked for')
      .option('--yes', 'do not ask before several objects are touched')
      .action(async (target: string | undefined, flags: RequestFlags & { readonly to?: string }) =>
        exits(await (await load()).runRequest(verb, target, flags.to, flags, ports)),
      );
  }
}

/** Adds `graph`, for authors. */
export function addGraphCommand(program: Command, ports: Ports, exits: Exits): void {
  packaged(program.command('graph').description('draw the Actions of a procedure and what they need'))
    .option('--procedure <version>', 'version to draw (default: the newest)')
    .option('--kind <kind>', 'kind to draw (default: all of the packages)')
    .option('--format <format>', 'mermaid or dot', 'mermaid')
    .action(async (flags: GraphFlags) => exits(await (await load()).runGraph(flags, ports)));
}

/** Adds `versions` and `can-drop`, for releases. */
export function addVersionCommands(program: Command, ports: Ports, exits: Exits): void {
  located(program.command('versions').description('list versions, and how many objects are at each')).action(async (flags: OperateFlags) =>
    exits(await (await load()).runVersions(flags, ports)),
  );
  located(program.command('can-drop').description('say which objects still need a version (exit 1: some do)').argument('<version>')).action(
    async (version: string, flags: OperateFlags) => exits(await (await load()).runCanDrop(version, flags, ports)),
  );
}

const packaged = (command: Command): Command =>
  command
    .option('--package <name or path>', 'procedure package of the operator; may be repeated', collected)
    .option('--config <file>', "the operator's configuration file, which names its packages");

const located = (command: Command): Command =>
  packaged(command)
    .option('--server <url>', 'address of an API server that asks for no credentials')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig file')
    .option('-n, --namespace <name>', 'namespace of the object')
    .option('-o, --output <format>', 'json for machines');

const selecting = (command: Command): Command =>
  located(command)
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <labels>', 'objects with these labels')
    .option('--all', 'all objects of the kind');
