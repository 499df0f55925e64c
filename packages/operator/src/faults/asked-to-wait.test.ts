// A server that asks to wait is not asked the same again before, whichever part of the process wants to; and an Action that
// is never content does not keep the thread.
import { pending } from '@pawl/reconciler';
import { afterEach, expect, test } from 'vitest';
import { KubeClient } from '../client/kube-client.ts';
import { FaultWorld } from '../testing/fault-world.ts';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { forPages, page, Pages, release } from '../testing/pages.ts';
import { failure, ScriptedTransport } from '../testing/scripted-transport.ts';

const PODS = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const [WEB, API] = [{ name: 'web', namespace: 'a' }, { name: 'api', namespace: 'a' }];
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server that is not well at the first request, and asks to wait for so many seconds. */
function unwell(seconds: number) {
  const clock = new ManualClock();
  const sentAt: number[] = [];
  const transport = new ScriptedTransport((_request, n) => {
    sentAt.push(clock.monotonic());
    return n === 1 ? failure(503, 'ServiceUnavailable', { retryAfterSeconds: seconds }) : { body: { metadata: { ...WEB, uid: 'u', resourceVersion: '5' } } };
  });
  const client = new KubeClient({ transport, clock, random: fixedRandom(0.5) });
  const apply = (name = WEB) => client.apply(PODS, name, {}, { fieldManager: 'me' });
  return { clock, sentAt, apply };
}

test('a write that was refused with Retry-After is sent again no earlier, whoever sends it', async () => {
  const { clock, sentAt, apply } = unwell(5);
  await expect(apply()).rejects.toMatchObject({ code: 503, retryAfterMs: 5_000 });
  const [again, other] = [apply(), apply(API)];
  await settle();
  await other;
  expect(sentAt).toEqual([0, 0]);
  clock.advance(4_999);
  await settle();
  expect(sentAt).toEqual([0, 0]);
  clock.advance(1);
  await again;
  expect(sentAt).toEqual([0, 0, 5_000]);
});

test('whoever cannot wait so long learns it at once, and nothing is sent', async () => {
  const { sentAt, apply } = unwell(60);
  await expect(apply()).rejects.toMatchObject({ code: 503 });
  await expect(apply()).rejects.toMatchObject({ code: 503, retryAfterMs: 60_000 });
  expect(sentAt).toEqual([0]);
});

let world: FaultWorld | undefined;
afterEach(() => world?.close());

test('an Action that asks to be run again at once, for ever, is run more and more slowly', async () => {
  let runs = 0;
  const restless = forPages.defineAction({
    name: 'Restless',
    run: () => {
      runs += 1;
      return pending('Again', 'and again', { requeueAfterMs: 0 });
    },
  });
  const packages = [release(forPages.defineProcedure({ version: '1.0.0', actions: [restless] }))];
  world = new FaultWorld({ actors: [] });
  await world.install(...packages);
  await world.operator(packages);
  await world.client.create(Pages, page('front'));
  await world.run(600_000);
  const after = runs;
  await world.run(60_000);
  expect(after).toBeGreaterThan(64);
  expect(runs - after).toBeLessThanOrEqual(62);
}, 30_000);
