import { done, runCycle, type CycleHost } from '@pawl/reconciler';
import type { KubernetesContext } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { forPages, type Page } from '../testing/pages.ts';
import { ActionTracker } from './action-tracker.ts';
import { SharedBeat } from './shared-beat.ts';

const hostOf = (name: string): CycleHost<KubernetesContext<Page>> => {
  const metadata = { name, namespace: 'default', uid: name, resourceVersion: '1', generation: 4 };
  const object = { apiVersion: 'test.pawl.dev/v1', kind: 'Page', metadata, spec: { text: '' } };
  const clock = { now: () => 0, setTimer: () => () => {} };
  return { context: { object } as unknown as KubernetesContext<Page>, clock, open: () => ({}) };
};

test('the Action that runs is known across its awaits, whatever else is under way', async () => {
  const tracker = new ActionTracker();
  const seen: string[] = [];
  const note = (): void => void seen.push(`${tracker.current?.action ?? 'none'} ${tracker.current?.name ?? ''}`);
  const waiting = Promise.withResolvers<void>();
  const isNoted = { when: () => (note(), true) };
  const slow = forPages.defineAction({ name: 'Slow', run: async ({ object }) => {
    if (object.metadata.name === 'one') await waiting.promise;
    else waiting.resolve();
    note();
    return done();
  } });
  const later = forPages.defineAction({ name: 'Later', requires: { slow }, ...isNoted, run: () => done() });
  const procedure = forPages.defineProcedure({ version: '1.0.0', actions: [later] });
  const watched = tracker.watch(procedure as never) as unknown as typeof procedure;
  const [one, two] = [runCycle(watched, hostOf('one')), runCycle(watched, hostOf('two'))];
  expect((await one).reconciled && (await two).reconciled).toBe(true);
  expect(seen.toSorted()).toEqual(['Later one', 'Later two', 'Slow one', 'Slow two']);
  expect(tracker.current).toBeUndefined();
  expect(tracker.watch(procedure as never)).toBe(tracker.watch(procedure as never));
});

test('the shared memory holds the Action that began last, or nothing if it does not fit', () => {
  const here = new SharedBeat();
  const there = new SharedBeat(here.memory);
  here.beat();
  here.last = '{"name":"größe"}';
  expect([there.beats, there.last]).toEqual([1, '{"name":"größe"}']);
  here.last = 'x'.repeat(5_000);
  expect(there.last).toBe('');
});
