import { FakeClock } from '@pawl/reconciler/testing';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { RolloutCensus, type OnStranded } from './rollout-census.ts';
import type { Stranded } from './stranded.ts';

const page = (name: string): KubernetesObject => ({
  apiVersion: 'test.pawl.dev/v1',
  kind: 'Page',
  metadata: { name, namespace: 'default', uid: name, resourceVersion: '1' },
});

function setUp(names: readonly string[], onStranded: OnStranded = 'hold') {
  const clock = new FakeClock(0);
  const stranded = new Set<string>();
  const logged: string[] = [];
  const counted: (string | undefined)[] = [];
  const note = (level: string) => (_fields: object, message: string) => void logged.push(`${level}: ${message}`);
  const why: Stranded = { reason: 'DowngradeRefused', message: 'Deploy an operator that contains 2.0.0.' };
  const census = new RolloutCensus({
    objects: () => names.map(page),
    strandedBy: ({ metadata }) => (stranded.has(metadata.name) ? why : undefined),
    onStranded,
    onCounted: (held) => counted.push(held === undefined ? undefined : `${held.count} ${held.first.metadata.name}`),
    clock,
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await settled();
      clock.advance(1_000);
    }
    await settled();
  };
  return { census, stranded, logged, counted, pass };
}

const settled = async (): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
};
const signal = new AbortController().signal;

test('a release that strands nothing passes at once, and is not ready before', async () => {
  const { census } = setUp(['a', 'b']);
  expect(census.check.check()).toBe('the objects have not been counted yet');
  await census.passed(signal);
  expect(census.check.check()).toBeUndefined();
});

test('a release that strands objects is held back, and says how many, the first, and what it needs', async () => {
  const { census, stranded, logged, counted, pass } = setUp(['c', 'b', 'a']);
  stranded.add('c').add('b');
  const passed = census.passed(signal);
  await pass(60_000);
  expect(census.check.check()).toBe(
    'RolloutHeld: 2 objects that are fine now would stand still under this release; the first is Page default/b (DowngradeRefused): ' +
      'Deploy an operator that contains 2.0.0. To roll out all the same, start with --on-stranded warn.',
  );
  expect(logged).toEqual(['error: this release is held back']);
  stranded.clear();
  await pass(20_000);
  await passed;
  expect(census.isPassed).toBe(true);
  expect(counted).toEqual(['2 b', '2 b', '2 b', '2 b', '2 b', undefined]);
});

test('once it has passed, nothing holds it back any more', async () => {
  const { census, stranded } = setUp(['a']);
  await census.passed(signal);
  stranded.add('a');
  expect(census.check.check()).toBeUndefined();
});

test('it can be told only to warn', async () => {
  const { census, stranded, logged, counted } = setUp(['a'], 'warn');
  stranded.add('a');
  await census.passed(signal);
  expect(census.isPassed).toBe(true);
  expect(logged).toEqual(['warn: objects will stand still under this release, which rolls out all the same']);
  expect(counted).toEqual([undefined]);
});

test('a process that is asked to stop does not go on counting', async () => {
  const { census, stranded } = setUp(['a']);
  stranded.add('a');
  const stopping = new AbortController();
  const passed = census.passed(stopping.signal);
  await settled();
  stopping.abort(new Error('the operator stops'));
  await expect(passed).rejects.toThrow('the operator stops');
});

test('many objects are counted in portions, so that the process stays responsive', async () => {
  const { census, pass } = setUp(Array.from({ length: 1_000 }, (_, index) => `page-${index}`));
  const passed = census.passed(signal);
  await settled();
  expect(census.isPassed).toBe(false);
  await pass(10_000);
  await passed;
  expect(census.isPassed).toBe(true);
});
