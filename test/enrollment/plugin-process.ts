// The sample plugin server that the package ships, as a process of its own.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(
  new URL('../../packages/procedures/enrollment/examples/plugin-server/server.ts', import.meta.url),
);

export interface PluginProcess {
  readonly url: string;
  readonly setMembers: (ids: readonly string[]) => Promise<void>;
  /** The keys of its entries. */
  readonly keys: () => Promise<readonly string[]>;
  readonly kill: () => Promise<void>;
}

export async function startPlugin(members: readonly string[], port = 0): Promise<PluginProcess> {
  const child = spawn(process.execPath, [SERVER, '--port', String(port), '--members', members.join(',')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    setMembers: async (ids) => void (await fetch(`${url}/members`, { method: 'PUT', body: JSON.stringify(ids) })),
    keys: async () => {
      const entries = (await (await fetch(`${url}/entries`)).json()) as readonly {
        readonly Tags: Readonly<Record<string, string>>;
      }[];
      return entries.map(({ Tags }) => Tags['enrollment.pawl.dev/key'] ?? '?').toSorted();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
