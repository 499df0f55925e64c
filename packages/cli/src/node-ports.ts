// The ports of a real machine. The only file of this package that touches the process, files or the network.
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '@pawl/reconciler';
import pc from 'picocolors';
import type { ChildProcess, Ports, ProcessEnd, Terminal, ToolEnd } from './ports.ts';
import type { Paint, Style } from './terminal/lines.ts';

/** The ports of this process. Colours and keys only where a person sits in front of it. */
export function nodePorts(): Ports {
  return {
    clock: systemClock,
    terminal: nodeTerminal(),
    files: {
      read: (path) => readFile(path, 'utf8'),
      write: (path, text) => writeFile(path, text, { mode: 0o600 }),
      exists: existsSync,
      makeTemporaryFolder: (prefix) => mkdtemp(join(tmpdir(), prefix)),
      removeFolder: (path) => rm(path, { recursive: true, force: true }),
    },
    fetch: globalThis.fetch,
    environment: process.env,
    workingFolder: process.cwd(),
    homeFolder: homedir(),
    importDefault: async (path) => ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default,
    importModule: (path) => import(pathToFileURL(path).href),
    startSelf,
    runTool,
    onStop: (listener) => {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    // A rejection that nobody handles is thrown here as well.
    onCrash: (listener) => {
      process.on('uncaughtException', listener);
      return () => void process.off('uncaughtException', listener);
    },
    onInputEnd: (listener) => {
      process.stdin.once('end', listener).resume();
      // A stream that is being read keeps the process alive.
      return () => void process.stdin.off('end', listener).destroy();
    },
    writeError: (text) => {
      process.stderr.write(text);
    },
    exit: (code) => process.exit(code),
  };
}

function startSelf(args: readonly string[], logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', () => resolve({ exitCode: 1, signal: null }));
  });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => {
      child.kill(signal);
    },
    ended,
  };
}

/** On Windows npm is a script, which only a shell runs. */
function runTool(name: string, args: readonly string[], folder: string): Promise<ToolEnd> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
  return new Promise((resolve) => {
    execFile(name, [...args], options, (error, stdout, stderr) => {
      const { code } = (error ?? { code: 0 }) as { readonly code?: number | string };
      const why = error === null || typeof code === 'number' ? '' : error.message;
      resolve({ exitCode: typeof code === 'number' ? code : null, output: `${stdout}${stderr}${why}` });
    });
  });
}

function nodeTerminal(): Terminal {
  const { stdin, stdout } = process;
  const isInteractive = stdin.isTTY && stdout.isTTY;
  return {
    isInteractive,
    paint: painter(stdout.isTTY && pc.isColorSupported),
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    write: (text) => {
      stdout.write(text);
    },
    onKey: (listener) => {
      if (!isInteractive) return () => {};
      const onData = (data: Buffer): void => {
        for (const key of data.toString('utf8')) listener(key);
      };
      stdin.setRawMode(true);
      stdin.on('data', onData).resume();
      return () => {
        stdin.off('data', onData).pause();
        stdin.setRawMode(false);
      };
    },
  };
}

function painter(hasColours: boolean): Paint {
  const { bold, dim, green, yellow, red } = pc.createColors(hasColours);
  const colours: Readonly<Record<Style, (text: string) => string>> = {
    plain: (text) => text,
    strong: bold,
    faint: dim,
    good: green,
    busy: yellow,
    bad: red,
  };
  return (style, text) => colours[style](text);
}
