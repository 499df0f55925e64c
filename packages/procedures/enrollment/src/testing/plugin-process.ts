// The sample plugin server as a process of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../../examples/plugin-server/server.ts', import.meta.url));

export interface PluginProcess {
  readonly url: string;
  readonly setMembers: (ids: readonly string[]) => Promise<void>;
  readonly entries: () => Promise<
    readonly { readonly ID: string; readonly Tags: Readonly<Record<string, string>>; readonly Properties?: unknown }[]
  >;
  readonly kill: () => Promise<void>;
}

/** Starts it on a free port, or on a given one. @param node the program that runs it */
export async function startPluginProcess(node: string, members: readonly string[], port = 0): Promise<PluginProcess> {
  const child: ChildProcess = spawn(node, [SERVER, '--port', String(port), '--members', members.join(',')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('the server has no output');
  const lines = createInterface(child.stdout);
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    setMembers: async (ids) => void (await fetch(`${url}/members`, { method: 'PUT', body: JSON.stringify(ids) })),
    entries: async () =>
      (await (await fetch(`${url}/entries`)).json()) as Awaited<ReturnType<PluginProcess['entries']>>,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
