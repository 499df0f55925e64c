// One poisoned object among others: the process ends itself twice, then leaves the object out, and all others get their work.
import { createApiServer, type ApiServer, type Listening } from '@pawl/kube-api';
import { KubeClient, systemClock, systemRandom } from '@pawl/operator';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import notes from './poisoned-package.ts';

type Json = Readonly<Record<string, unknown>>;
interface Status {
  readonly procedure?: { readonly phase?: string; readonly summary?: string };
  readonly conditions?: readonly Json[];
}
const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const PACKAGE = fileURLToPath(new URL('./poisoned-package.ts', import.meta.url));
const NOTES = { apiVersion: 'test.pawl.dev/v1', kind: 'Note' };
const OTHERS = Array.from({ length: 30 }, (_, index) => `note-${index}`);

let server: ApiServer;
let listening: Listening;
let client: KubeClient;
let folder: string;

beforeAll(async () => {
  server = createApiServer();
  listening = await server.listen();
  folder = await mkdtemp(join(tmpdir(), 'pawl-poison-'));
  client = new KubeClient({ transport: server, clock: systemClock, random: systemRandom, userAgent: 'test' });
  for (const crd of notes.crds) await client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as Json);
  for (const name of ['poisoned', ...OTHERS])
    await client.create(NOTES, { metadata: { name, namespace: 'default' }, spec: { text: name === 'poisoned' ? 'poison' : 'fine' } });
});

afterAll(async () => {
  await listening.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The operator, restarted as a kubelet would restart its container: same pod, same volumes. */
function run() {
  const flags = ['--package', PACKAGE, '--server', listening.url, '--settle-ms', '0', '--release', 'notes:1'];
  const env = { ...process.env, PAWL_WATCHDOG_MS: '1000', TMPDIR: folder, TERMINATION_MESSAGE_PATH: join(folder, 'termination') };
  const child = spawn(process.execPath, ['--conditions=@pawl/source', MAIN, 'run', ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<unknown>((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  return { ended, output: () => output, stop: () => child.kill('SIGTERM') };
}

const statusOf = async (name: string): Promise<Status> =>
  ((await client.get(NOTES, { name, namespace: 'default' })) as { readonly status?: Status }).status ?? {};
const until = async (what: string, isSo: () => Promise<boolean>, why: () => string): Promise<void> => {
  for (const deadline = Date.now() + 20_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 50)))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${why()}`);
};

test('the first two processes end and say why, the third one leaves the object out', async () => {
  for (const _ of ['first', 'second']) {
    const operator = run();
    expect(await operator.ended, operator.output()).toBe(70);
    const message = await readFile(join(folder, 'termination'), 'utf8');
    expect(message).toMatch(/^Action Written of Note default\/poisoned has blocked the process/);
    expect(message).toMatch(/It was in format \(manifests\/poisoned-package\.ts:\d+\), called by run /);
  }
  const operator = run();
  try {
    const isLeftOut = async (): Promise<boolean> => {
      const { conditions = [] } = await statusOf('poisoned');
      return conditions.some(({ type, status, reason }) => type === 'Stalled' && status === 'True' && reason === 'Quarantined');
    };
    await until('the poisoned object is left out', isLeftOut, operator.output);
    for (const name of OTHERS) await until(name, async () => (await statusOf(name)).procedure?.phase === 'Steady', operator.output);
    await client.mergePatch(NOTES, { name: 'poisoned', namespace: 'default' }, { spec: { text: 'cured' } });
    await until('the cured object', async () => (await statusOf('poisoned')).procedure?.phase === 'Steady', operator.output);
    const { metadata } = await client.get(NOTES, { name: 'poisoned', namespace: 'default' });
    await until('it is forgotten', async () => {
      const found = await client.get(NOTES, metadata);
      return found.metadata.annotations?.['procedures.pawl.dev/blocked'] === undefined;
    }, operator.output);
    operator.stop();
    expect(await operator.ended).toBe(0);
  } finally {
    operator.stop();
    await operator.ended;
  }
}, 90_000);
