// The command line: verbs in groups, their flags, and what is said when something is not understood.
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { exampleFolder } from './demo/example.ts';
import { addCaptureCommand } from './capture/register.ts';
import { addCertifyCommand } from './certify/register.ts';
import { addExploreCommand } from './explore/register.ts';
import { wholeNumber } from './flags.ts';
import { faultsOf } from './input-error.ts';
import { addLintCommand } from './lint/register.ts';
import { addManifestsCommand } from './manifests/register.ts';
import { addGraphCommand, addOperateCommands, addVersionCommands } from './operate/register.ts';
import type { Ports } from './ports.ts';
import { addRunCommand } from './run/register.ts';

const VERSION = '0.1.0';

/**
 * Runs one command line.
 *
 * @param args without the program's name
 * @param startedAtMs what the monotonic clock showed when the process was started
 * @returns the exit code: 0 success, 1 bad input or failure
 */
export async function runProgram(args: readonly string[], ports: Ports, startedAtMs: number): Promise<number> {
  let exitCode = 0;
  const program = createProgram(ports, startedAtMs, (code) => (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const faults = faultsOf(error);
    if (faults === undefined) throw error;
    ports.writeError(`${faults.map((fault) => `error: ${fault}`).join('\n')}\n`);
    return 1;
  }
}

/** The commands, which tell how they ended by `exits`. Whatever a command needs is loaded when it runs. */
export function createProgram(ports: Ports, startedAtMs: number, exits: (code: number) => void): Command {
  const program = new Command('pawl')
    .description('Kubernetes operators whose way of working has versions')
    .version(VERSION)
    .helpCommand(false);

  program.commandsGroup('Write an operator:');
  program
    .command('demo')
    .description('play the website example: an API, an operator, an upgrade, and keys to interrupt them')
    .option(
      '--port <port>',
      'port of the API on 127.0.0.1; another one if it is not free',
      wholeNumber(0, 65_535),
      8411,
    )
    .option('--exit-when-ready', 'end with exit code 0 as soon as the upgrade is Ready')
    .option(
      '--timeout <seconds>',
      'with --exit-when-ready: fail if it is not Ready by then',
      wholeNumber(1, 86_400),
      60,
    )
    .option(
      '--pause <seconds>',
      'time before the upgrade starts by itself (default: 15, without a terminal 1)',
      wholeNumber(0, 86_400),
    )
    .option('--example <folder>', 'folder of the example (default: examples/website of this checkout)')
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('./demo/run-demo.ts');
      const { port, exitWhenReady = false } = flags;
      // A person wants to see what happens; whoever waits for the end does not.
      const isWatched = ports.terminal.isInteractive && !exitWhenReady;
      const options = {
        port,
        exitWhenReady,
        startedAtMs,
        timeoutMs: flags.timeout * 1000,
        upgradeAfterMs: (flags.pause ?? (isWatched ? 15 : exitWhenReady ? 0 : 1)) * 1000,
        podsReadyWithinMs: isWatched ? 1200 : 0,
        example: resolve(ports.workingFolder, flags.example ?? exampleFolder(import.meta.dirname)),
      };
      exits(await runDemo(options, ports));
    });

  addExploreCommand(program, ports, exits);
  addCertifyCommand(program, ports, exits);
  addGraphCommand(program, ports, exits);
  addLintCommand(program, ports, exits);
  addOperateCommands(program, ports, exits);
  program.commandsGroup('Release an operator:');
  addVersionCommands(program, ports, exits);
  addCaptureCommand(program, ports, exits);
  addManifestsCommand(program, ports, exits);
  addRunCommand(program, ports, exits);

  for (const command of [program, ...program.commands]) explainFaults(command, ports);
  return program;
}

interface DemoFlags {
  readonly port: number;
  readonly exitWhenReady?: boolean;
  readonly timeout: number;
  readonly pause?: number;
  readonly example?: string;
}

/** Adds to a message about an unknown name the names that are allowed. */
function explainFaults(command: Command, ports: Ports): void {
  command.exitOverride().configureOutput({
    writeOut: ports.terminal.write,
    writeErr: ports.writeError,
    outputError: (message, write) => write(`${message}${allowedBy(command, message)}`),
  });
}

function allowedBy(command: Command, message: string): string {
  if (message.includes('unknown command') || message.includes('too many arguments'))
    return command.commands.length === 0
      ? `${command.name()} takes flags only\n`
      : `the commands are: ${command.commands.map((known) => known.name()).join(', ')}\n`;
  if (!message.includes('unknown option')) return '';
  const flags = [...command.options.map(({ long }) => long ?? ''), '--help'];
  return `the flags of ${command.name()} are: ${flags.join(', ')}\n`;
}
