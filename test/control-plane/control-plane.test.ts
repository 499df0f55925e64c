// The control plane that other tests rely on: it is real, it is guarded, and nothing of it is left behind.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KubeConfig, VersionApi } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries, howToGetBinaries } from './binaries.ts';
import { connect } from './connect.ts';
import { readPins } from './pins.ts';
import { startControlPlane } from './start.ts';
import type { ControlPlane } from './start.ts';

const binaries = findBinaries();
const startTimeoutMs = 120_000;

/** True as long as something answers at `url`. */
async function answers(url: string): Promise<boolean> {
  const connection = connect(url, {});
  try {
    await connection.request({ method: 'GET', path: '/' });
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ECONNREFUSED';
  } finally {
    await connection.close();
  }
}

async function eventually(isSo: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 20_000, interval: 100 }).toBe(true);
}

function withBinaries(): void {
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await startControlPlane();
  }, startTimeoutMs);

  afterAll(async () => {
    await plane.stop();
  });

  it('runs the pinned version of Kubernetes', () => {
    if (process.env['KUBEBUILDER_ASSETS'] === undefined) expect(plane.version).toBe(readPins().kubernetes);
    expect(plane.version).toMatch(/^v1\.\d+\.\d+/);
  });

  it('lets the user of its kubeconfig in', async () => {
    const config = new KubeConfig();
    config.loadFromFile(plane.kubeconfig);
    const { gitVersion } = await config.makeApiClient(VersionApi).getCode();
    expect(gitVersion).toBe(plane.version);
  });

  it('guards with RBAC: a user without rights reads nothing, and a stranger is unknown', async () => {
    for (const [credentials, status] of [
      [plane.nobody, 403],
      [{ ...plane.nobody, token: 'wrong' }, 401],
    ] as const) {
      const connection = connect(plane.url, credentials);
      const answer = await connection.request({ method: 'GET', path: '/api/v1/namespaces/default/configmaps' });
      await connection.close();
      expect(answer.status).toBe(status);
    }
  });

  it('has controllers that work: a new namespace gets its service account', async () => {
    const connection = connect(plane.url, plane.admin);
    await connection.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'fresh' } } });
    const path = '/api/v1/namespaces/fresh/serviceaccounts/default';
    if (plane.hasControllers)
      await eventually(async () => (await connection.request({ method: 'GET', path })).status === 200);
    await connection.close();
  });

  it(
    'leaves nothing behind when it is stopped',
    async () => {
      const other = await startControlPlane({ controllers: false });
      const folder = dirname(other.kubeconfig);
      expect(await answers(other.url)).toBe(true);
      await other.stop();
      expect([await answers(other.url), await answers(other.etcdUrl), existsSync(folder)]).toEqual([
        false,
        false,
        false,
      ]);
    },
    startTimeoutMs,
  );

  it(
    'leaves nothing behind when the process that started it is killed',
    async () => {
      const script = `
        import { startControlPlane } from ${JSON.stringify(join(import.meta.dirname, 'start.ts'))};
        const { url, etcdUrl, kubeconfig } = await startControlPlane({ controllers: false });
        console.log(JSON.stringify({ url, etcdUrl, kubeconfig }));
        setInterval(() => {}, 1_000);`;
      const parent = spawn(process.execPath, ['--conditions=@pawl/source', '--input-type=module', '-e', script]);
      const line = await new Promise<string>((resolve) => parent.stdout.setEncoding('utf8').once('data', resolve));
      const { url, etcdUrl, kubeconfig } = JSON.parse(line) as Record<'url' | 'etcdUrl' | 'kubeconfig', string>;
      expect(await answers(url)).toBe(true);
      parent.kill('SIGKILL');
      await eventually(
        async () => !(await answers(url)) && !(await answers(etcdUrl)) && !existsSync(dirname(kubeconfig)),
      );
    },
    startTimeoutMs,
  );

  it(
    'fails with what the programs said, and ends those that run, when one does not start',
    async () => {
      const failing = startControlPlane({ apiServerFlags: ['--no-such-flag'] });
      await expect(failing).rejects.toThrow(/did not start[\s\S]*unknown flag: --no-such-flag/);
    },
    startTimeoutMs,
  );
}

function withoutBinaries(): void {
  it('says how to get them', async () => {
    await expect(startControlPlane()).rejects.toThrow(howToGetBinaries);
    if (process.env['PAWL_REQUIRE_CONTROL_PLANE'] === '1') throw new Error(howToGetBinaries);
    console.warn(`The control plane was not started: ${howToGetBinaries}.`);
  });
}

if (binaries === undefined) describe('without binaries', withoutBinaries);
else describe('startControlPlane', withBinaries);
