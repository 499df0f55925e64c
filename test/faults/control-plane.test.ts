// The proofs about owned objects that depend on how a real kube-apiserver defaults, spells and tracks fields, and a server
// whose storage stops.
import { createOperator, KubeClient, operatorConfig, systemClock, systemRandom, type Operator, type Transport } from '@pawl/operator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as disturbing from '../../packages/operator/src/testing/disturbances.ts';
import type * as paging from '../../packages/operator/src/testing/pages.ts';
import type * as tricky from '../../packages/operator/src/testing/tricky-children.ts';
import { connect, type Connection } from '../control-plane/connect.ts';
import { hasControlPlane } from '../control-plane/has-control-plane.ts';
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts';

/** The same helpers that the proofs in memory use. They are no entry point, so no build leads to them. */
const helpers = (name: string): Promise<unknown> => import(new URL(`../../packages/operator/src/testing/${name}.ts`, import.meta.url).href);
const { childrenOf, disturbances, strippedOfManagers } = (await helpers('disturbances')) as typeof disturbing;
const { page, Pages } = (await helpers('pages')) as typeof paging;
const { CHILD, CONFIG_MAP, trickyRelease, wanted } = (await helpers('tricky-children')) as typeof tricky;

/** So long nothing may be sent before a state counts as calm. */
const CALM_MS = 1_500;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe.runIf(hasControlPlane('the faults on a real control plane'))('on a real control plane', () => {
  const want = wanted();
  let plane: ControlPlane;
  let connection: Connection;
  let client: KubeClient;
  let operator: Operator;
  /** What the operator changed, dry runs and Events aside. */
  let writes: string[] = [];

  beforeAll(async () => {
    plane = await startControlPlane();
    connection = connect(plane.url, plane.admin);
    client = new KubeClient({ transport: connection, clock: systemClock, random: systemRandom, userAgent: 'somebody' });
    const bundle = trickyRelease(want);
    for (const crd of bundle.crds)
      await client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as never);
    const transport: Transport = {
      request: (request) => {
        const [path = '', query = ''] = request.path.split('?');
        if (request.method !== 'GET' && !query.includes('dryRun') && !path.includes('/events')) writes.push(`${request.method} ${path}`);
        return connection.request(request);
      },
      watch: connection.watch,
    };
    const config = operatorConfig({ operatorName: 'test', settleMs: 0, resyncMs: 1_000 });
    operator = createOperator(config, [bundle], { transport, clock: systemClock, random: systemRandom, log: silent });
    await operator.start();
    await client.create(Pages, page('front'));
    await until('front is steady', async () => {
      const found = (await client.get(Pages, CHILD)) as { readonly status?: { readonly procedure?: { readonly version?: string } } };
      return found.status?.procedure?.version === '1.0.0';
    });
    await calm();
  }, 180_000);

  afterAll(async () => {
    await operator?.stop();
    await connection?.close();
    await plane?.stop();
  }, 60_000);

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 90_000; !(await isSo().catch(() => false)); await pause(50))
      if (Date.now() > deadline) throw new Error(`not in time: ${what}; writes: ${writes.join('\n')}`);
  };
  /** Waits until nothing was sent for a while, in which every object is looked at again. */
  const calm = async (): Promise<void> => {
    for (let count = -1; count !== writes.length; await pause(CALM_MS)) count = writes.length;
  };
  const childWrites = (): readonly string[] => writes.filter((write) => !write.includes('/pages/'));

  test('nothing is sent for objects that are as they should be, however often they are looked at', async () => {
    writes = [];
    await pause(5_000);
    expect(writes).toEqual([]);
  }, 20_000);

  test.each([...disturbances, strippedOfManagers])('$name: $repairs repairs, then silence', async ({ disturb, repairs, look, expected }) => {
    writes = [];
    await disturb(client);
    await until('it looks as it should', async () => {
      expect(look(await childrenOf(client))).toEqual(expected);
      return true;
    });
    await calm();
    expect(childWrites().length, childWrites().join('\n')).toBeLessThanOrEqual(repairs);
    expect(look(await childrenOf(client))).toEqual(expected);
  }, 180_000);

  test('a server whose storage stops for a while gets no more than a few tries, and then what was missed is done', async () => {
    await client.mergePatch(CONFIG_MAP, CHILD, { data: { text: 'vandal' } }, { fieldManager: 'kubectl-edit' });
    await plane.setStorage(false);
    writes = [];
    await pause(12_000);
    expect(writes.length).toBeLessThan(20);
    await plane.setStorage(true);
    await until('the text is back', async () => (await childrenOf(client)).configMap.at('data', 'text') === 'hello');
    await calm();
    writes = [];
    await pause(3_000);
    expect(writes).toEqual([]);
  }, 120_000);
});
