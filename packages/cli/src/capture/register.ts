// `pawl capture` on the command line.
import type { Command } from 'commander';
import { collected } from '../flags.ts';
import type { Ports } from '../ports.ts';
import type { CaptureFlags } from './capture.ts';

/** Adds `capture`, for releases. */
export function addCaptureCommand(program: Command, ports: Ports, exits: (code: number) => void): void {
  program
    .command('capture')
    .description('write an object and everything that belongs to it into a file, for pawl explore --from')
    .argument('<kind/name>')
    .option('--package <name or path>', 'procedure package of the operator; may be repeated', collected)
    .option('--config <file>', "the operator's configuration file, which names its packages")
    .option('--server <url>', 'address of an API server that asks for no credentials')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig file')
    .option('-n, --namespace <name>', 'namespace of the object')
    .option('--with <kind/name>', 'one more object, such as a Secret that yours refers to; may be repeated', collected)
    .option('--redact', 'write placeholders instead of what Secrets hold, wherever it stands')
    .option('-o, --output <file>', 'file to write, as YAML, or as JSON if it ends so (default: YAML on standard output)')
    .action(async (target: string, flags: CaptureFlags) => exits(await (await import('./capture.ts')).runCapture(target, flags, ports)));
}
