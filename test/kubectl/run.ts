// Runs a program and collects what it says.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** How a program ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is given beside its arguments. */
export interface RunOptions {
  /** Sent to its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** A program that runs. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the text has appeared on standard output; rejects if the program ends without it. */
  readonly seen: (text: string) => Promise<void>;
}

/** Starts a program. `args` are split at blanks; single quotes keep what is between them together. */
export function start(program: string, args: string, { input = '', env, folder }: RunOptions): Running {
  const child = spawn(program, split(args), { cwd: folder, env: { ...env, PATH: process.env['PATH'], HOME: folder } });
  let stdout = '';
  let stderr = '';
  const heard = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const check of heard) check();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
  const seen = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (stdout.includes(text)) resolve();
      };
      heard.add(check);
      check();
      ended.then(() => reject(new Error(`${args}: ended without saying ${text}\n${stdout}${stderr}`)), reject);
    });
  return { process: child, ended, seen };
}

/** Runs a program to its end; its standard output. @throws with both outputs if it fails. */
export async function succeed(program: string, args: string, options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await start(program, args, options).ended;
  if (code !== 0) throw new Error(`${args}\nexit code ${code}\n${stdout}${stderr}`);
  return stdout;
}

function split(args: string): readonly string[] {
  return [...args.matchAll(/'([^']*)'|((?:[^\s']|'[^']*')+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain.replaceAll("'", ''),
  );
}
