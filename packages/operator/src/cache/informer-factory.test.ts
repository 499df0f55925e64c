// Sharing informers: who wants the same gets the same, and the last to leave turns off the light.
import { expect, test } from 'vitest';
import { KubeClient } from '../client/kube-client.ts';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { ScriptedTransport } from '../testing/scripted-transport.ts';
import { InformerFactory } from './informer-factory.ts';

const TYPE = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
function setUp() {
  const transport = new ScriptedTransport(() => 'never');
  const parts = { clock: new ManualClock(), random: fixedRandom(0) };
  const client = new KubeClient({ transport, ...parts });
  return { factory: new InformerFactory({ client, ...parts }), clock: parts.clock };
}

test('the same scope is the same informer, whatever the order of its namespaces', async () => {
  const { factory } = setUp();
  const one = factory.acquire({ type: TYPE, namespaces: ['a', 'b'] });
  const two = factory.acquire({ type: { apiVersion: 'v1', kind: 'Pod' }, namespaces: ['b', 'a', 'b'] });
  expect(two.informer).toBe(one.informer);
  for (const scope of [
    {},
    { labelSelector: 'x' },
    { fieldSelector: 'x' },
    { metadataOnly: true },
    { namespaces: ['a'] },
  ])
    expect(factory.acquire({ type: TYPE, ...scope }).informer).not.toBe(one.informer);
  await factory.stop();
});

test('the last release stops it, and a later wish gets a new one', async () => {
  const { factory, clock } = setUp();
  const [one, two] = [factory.acquire({ type: TYPE }), factory.acquire({ type: TYPE })];
  await one.release();
  await one.release();
  expect(factory.informers).toHaveLength(1);
  await two.release();
  expect([factory.informers.length, clock.pending]).toEqual([0, 0]);
  await expect(one.informer.synced()).rejects.toThrow('the reflector of Pod was stopped');
  const three = factory.acquire({ type: TYPE });
  expect(three.informer).not.toBe(one.informer);
  await three.release();
});
