// `pawl certify` on the command line.
import type { Command } from 'commander';
import { collected } from '../flags.ts';
import type { Ports } from '../ports.ts';
import type { CertifyFlags } from './certify-settings.ts';

/** Adds `certify`, for authors. */
export function addCertifyCommand(program: Command, ports: Ports, exits: (code: number) => void): void {
  program.commandsGroup('Write an operator:');
  program
    .command('certify')
    .description('explore every hop from a released package to this one, and write one page about it (exit 1: something is wrong, 3: not everything was done)')
    .requiredOption('--package <name or path>', 'procedure package to certify')
    .requiredOption('--against <package>', 'what was released: PACKAGE@VERSION as npm knows it, a .tgz file, or the path of a folder or module')
    .option('--out <folder>', 'folder for certify.html, certify.md, certify.json and the plans of failures', './certify')
    .option('-f, --filename <file>', 'manifests of the objects to try (default: the examples of the released package)')
    .option('--edit <file>', 'YAML or JSON with a merge patch of the object; may be repeated', collected)
    .option('--mode <mode>', 'what to do; may be repeated (default: everything that has something to work with)', collected)
    .option('--config <file>', "the operator's configuration file, for its openKinds and external")
    .option('--mask <kind:field=why>', 'a field that is not compared, such as a password that is made up once; may be repeated', collected)
    .option('--may-touch <path=why>', 'code that may ask for the real clock or chance; may be repeated', collected)
    .option('--seed <number>', 'seed of everything that is left to chance', '1')
    .option('--budget <time>', 'real time to spend, such as 60s or 10m', '3m')
    .option('--replay <file>', 'carry out the one plan in this file, and write no page')
    .option('-o, --output <format>', 'json for machines, on standard output as well')
    .action(async (flags: CertifyFlags) => exits(await (await import('./run-certify.ts')).runCertify(flags, ports)));
}
