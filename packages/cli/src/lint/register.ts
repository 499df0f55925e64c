// `pawl lint` on the command line.
import type { Command } from 'commander';
import { collected } from '../flags.ts';
import type { Ports } from '../ports.ts';
import type { LintFlags } from './lint.ts';

/** Adds `lint`, for authors and for releases. */
export function addLintCommand(program: Command, ports: Ports, exits: (code: number) => void): void {
  program
    .command('lint')
    .description('check what versions say about each other and about what was released (exit 1: errors)')
    .option('--package <name or path>', 'the procedure package', collected)
    .option('--config <file>', "the operator's configuration file, which names it")
    .option('--lock <file>', 'memory of what was released (default: procedures.lock)')
    .option('--release <name>', 'write the lock for this release of the operator, if there are no errors')
    .option('--support <range>', 'released versions that objects may still be at (default: all)')
    .option('-o, --output <format>', 'json for machines')
    .action(async (flags: LintFlags) => {
      const { runLint } = await import('./lint.ts');
      exits(await runLint(flags, ports));
    });
}
