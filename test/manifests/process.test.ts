// The operator as a process among others: settings from the environment, probes, metrics that alerts and dashboard ask for,
// its log, how it ends and what it says then.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../control-plane/free-ports.ts';
import { RELEASE_2 } from '../e2e/operator-child.ts';
import { WebsiteWorld } from '../e2e/website-world.ts';
import { generate } from './generate.ts';

const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

let world: WebsiteWorld;
let folder: string;
let healthPort: number;

beforeAll(async () => {
  world = await WebsiteWorld.open();
  folder = await mkdtemp(join(tmpdir(), 'pawl-process-'));
  [healthPort = 0] = await freePorts(1);
}, 30_000);

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly output: () => string;
  readonly said: (text: string) => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
}

function run(environment: Readonly<Record<string, string>>, ...flags: readonly string[]): Running {
  // Whatever settings there are around the test are not those of the operator.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PAWL_')));
  const env = { ...inherited, PAWL_PROCEDURES: RELEASE_2, PAWL_SERVER: world.url, ...environment };
  const child = spawn(process.execPath, ['--conditions=@pawl/source', MAIN, 'run', ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Each stream by itself, and whole lines only: chunks of the two may come in the midst of a line.
  const streams = [child.stdout, child.stderr].map((stream) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return () => text.slice(0, text.lastIndexOf('\n') + 1);
  });
  const output = (): string => streams.map((text) => text()).join('');
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = async (text: string): Promise<void> => {
    let isEnded = false;
    void ended.then(() => (isEnded = true));
    while (!output().includes(text)) {
      if (isEnded) throw new Error(`it ended without saying ${text}: ${output()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { output, said, signal: (signal) => child.kill(signal), ended };
}

/** A line that is not JSON is shown as it is. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return { notJson: line };
  }
}

const get = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`http://127.0.0.1:${healthPort}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('a process that runs', () => {
  let operator: Running;

  beforeAll(async () => {
    const settings = { PAWL_OPERATOR_NAME: 'web', PAWL_RELEASE: 'web:2.0.0', PAWL_LEASE_NAMESPACE: 'default', POD_NAME: 'web-0' };
    operator = run({ ...settings, PAWL_HEALTH_PORT: String(healthPort), PAWL_WRONG: '1' });
    await operator.said('reconciling begins');
    await world.until('2.0.0', operator.output);
  }, 40_000);

  test('answers the probes', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
    expect(await get('/readyz')).toEqual({ status: 200, text: 'ok\n' });
  });

  test('serves every metric that the alerts and the dashboard ask for', async () => {
    const { text } = await get('/metrics');
    const served = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const asked = new Set([...(await generate('--monitoring')).matchAll(/\b([a-z][a-z_]+?)(?:_bucket)?\{namespace=/g)].map(([, name]) => name));
    expect(asked.size).toBeGreaterThan(15);
    expect([...asked].filter((name) => !served.has(name))).toEqual([]);
  });

  test('logs JSON with its service, release and pod in each line', () => {
    const lines = operator.output().trim().split('\n').map(jsonOf);
    for (const line of lines) expect(line).toMatchObject({ service: 'web', release: 'web:2.0.0', pod: 'web-0' });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', variables: ['PAWL_WRONG'] }));
  });

  test('ends with 0 when it is asked to, having let go of its Lease', async () => {
    operator.signal('SIGTERM');
    expect(await operator.ended).toBe(0);
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/pawl-web';
    const { body } = await world.server.request({ method: 'GET', path });
    expect(body).toMatchObject({ spec: { holderIdentity: '' } });
  }, 20_000);
});

describe('a process that cannot go on', () => {
  test('ends with 1, soon after its time is over, even if an Action does not', async () => {
    const module = fileURLToPath(new URL('./poisoned-package.ts', import.meta.url));
    const { default: notes } = await import('./poisoned-package.ts');
    for (const crd of notes.crds)
      await world.server.request({
        method: 'POST',
        path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd },
      });
    const path = '/apis/test.pawl.dev/v1/namespaces/default/notes';
    const body = { apiVersion: 'test.pawl.dev/v1', kind: 'Note', metadata: { name: 'endless' }, spec: { text: 'endless' } };
    await world.server.request({ method: 'POST', path, body });
    const message = join(folder, 'endless');
    const operator = run({ PAWL_PROCEDURES: module, PAWL_SHUTDOWN_MS: '100', TERMINATION_MESSAGE_PATH: message });
    await operator.said('a procedure version was chosen');
    await new Promise((resolve) => setTimeout(resolve, 500));
    operator.signal('SIGTERM');
    expect(await operator.ended).toBe(1);
    expect(await readFile(message, 'utf8')).toContain('Work in flight did not end within 100 ms');
  }, 40_000);

  test('ends with 1 and names the place when an Action lets a promise fail that it does not await', async () => {
    const module = fileURLToPath(new URL('./poisoned-package.ts', import.meta.url));
    const path = '/apis/test.pawl.dev/v1/namespaces/default/notes';
    await world.server.request({ method: 'DELETE', path: `${path}/endless` });
    const body = { apiVersion: 'test.pawl.dev/v1', kind: 'Note', metadata: { name: 'leaky' }, spec: { text: 'leak' } };
    await world.server.request({ method: 'POST', path, body });
    const message = join(folder, 'leaky');
    const operator = run({ PAWL_PROCEDURES: module, PAWL_OPERATOR_NAME: 'leaky', TERMINATION_MESSAGE_PATH: message });
    expect(await operator.ended).toBe(1);
    expect(await readFile(message, 'utf8')).toMatch(/does not await:\nError: nobody waits for me\n +at forgotten \(.*poisoned-package\.ts:\d+/);
    expect(operator.output().trim().split('\n').map(jsonOf)).toContainEqual(expect.objectContaining({ level: 'error', msg: expect.stringContaining('the process ends') }));
  }, 40_000);

  test('ends with 1 and leaves what is wrong with its settings', async () => {
    const message = join(folder, 'settings');
    const operator = run({ PAWL_WORKERS: 'many', TERMINATION_MESSAGE_PATH: message });
    expect(await operator.ended).toBe(1);
    expect(await readFile(message, 'utf8')).toContain('workers: found "many"; allowed is a whole number from 1 to 256');
  }, 20_000);

  test('ends with 1 and says so when another replica has taken its Lease', async () => {
    const message = join(folder, 'lost');
    const operator = run({ PAWL_OPERATOR_NAME: 'lost', PAWL_LEASE_NAMESPACE: 'default', TERMINATION_MESSAGE_PATH: message });
    await operator.said('reconciling begins');
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/pawl-lost';
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { spec: { holderIdentity: 'somebody else' } };
    expect((await world.server.request({ method: 'PATCH', path, headers, body })).status).toBe(200);
    expect(await operator.ended).toBe(1);
    expect(await readFile(message, 'utf8')).toMatch(/^Another replica acts now, or could: .+\nNothing is to be done/);
  }, 40_000);
});
