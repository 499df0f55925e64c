// Each fault does what it says: seen in the history of a run in which it strikes, and the run ends well all the same.
import { expect, test } from 'vitest';
import { bundleOf } from '../bench.ts';
import { violationsOf } from '../checks/index.ts';
import type { Fault, RequestFailure } from '../world/faults.ts';
import type { HistoryEvent, RequestEvent } from '../world/history.ts';
import { createContext } from './context.ts';
import type { Plan } from './plan.ts';
import { runPlan, type Run } from './run-plan.ts';
import { subjectsOf } from './subject.ts';

const [subject] = subjectsOf(bundleOf({ children: 3 }), {});
if (subject === undefined) throw new Error('the bundle has no sample');
const context = createContext(subject, { seed: 1, masks: [], invariants: [] });
const CHILD = '/api/v1/namespaces/default/configmaps/bundle-1-1';

async function struck(...faults: readonly Fault[]): Promise<Run> {
  const plan: Plan = { kind: 'Bundle', deed: { does: 'create' }, turns: [{ release: { upTo: '1.0.0' } }], faults, seed: 1 };
  const run = await runPlan(context, plan);
  expect(violationsOf(run.outcome)).toEqual([]);
  return run;
}

const requestsOf = ({ outcome: { history } }: Run): readonly RequestEvent[] => history.filter((event) => event.type === 'request');
const says = (history: readonly HistoryEvent[], type: 'note' | 'log'): string =>
  history.flatMap((event) => (event.type === type ? [`${event.says} ${event.type === 'log' ? (event.error ?? '') : ''}`] : [])).join('\n');
const writeAt = (run: Run, write: number): RequestEvent | undefined => requestsOf(run).find((event) => event.write === write);

test.each<{ readonly failure: RequestFailure; readonly status: number; readonly committed: boolean }>([
  { failure: '429', status: 429, committed: false },
  { failure: '429-status-after', status: 429, committed: true },
  { failure: '503', status: 503, committed: false },
  { failure: '503-text-after', status: 503, committed: true },
  { failure: '504-after', status: 504, committed: true },
  { failure: 'timeout-before', status: 0, committed: false },
  { failure: 'truncated', status: 0, committed: true },
])('a request that meets $failure is answered so, and is done or not', async ({ failure, status, committed }) => {
  const usual = await struck();
  const { request = 0 } = writeAt(usual, 4) ?? {};
  const run = await struck({ kind: 'request', process: 1, request, failure });
  expect(requestsOf(run).find((event) => event.request === request)).toMatchObject({ status, committed, fault: failure });
});

test('after a compaction watches are told that they are too late, and begin anew', async () => {
  const { outcome } = await struck({ kind: 'compaction', process: 1, write: 5 });
  expect(says(outcome.history, 'log')).toMatch(/a watch was interrupted and goes on .*too old resource version/);
});

test('an internal error within a watch is one interruption', async () => {
  const { outcome } = await struck({ kind: 'watch', process: 1, event: 2, failure: '500' });
  expect(says(outcome.history, 'log')).toContain('the watch cache is not well');
});

test('a process that stands still sends its write afterwards, and its timers come afterwards too', async () => {
  const [usual, run] = [await struck(), await struck({ kind: 'pause', process: 1, write: 4, forMs: 300_000 })];
  expect((writeAt(run, 4)?.atMs ?? 0) - (writeAt(usual, 4)?.atMs ?? 0)).toBe(300_000);
});

test('behind a server that lags nothing newer is seen until it has caught up', async () => {
  const run = await struck({ kind: 'lagging', process: 1, write: 4, forMs: 120_000 });
  const [from, to] = [writeAt(run, 4)?.atMs ?? 0, run.outcome.history.at(-1)?.atMs ?? 0];
  expect(to - from).toBeGreaterThanOrEqual(120_000);
});

test('what somebody deletes at rest is there again, by a write of its Action', async () => {
  const run = await struck({ kind: 'person', process: 1, write: 0, does: 'deletes', object: CHILD });
  expect(says(run.outcome.history, 'note')).toContain('somebody deletes configmaps default/bundle-1-1 when process 1 has come to rest: it is deleted');
  expect(requestsOf(run).filter(({ path, by, after }) => path.startsWith(CHILD) && after !== undefined && by?.action === 'Stored1')).toHaveLength(2);
});

test.each(['edits', 'takes'] as const)('what somebody %s is as it was', async (does) => {
  const run = await struck({ kind: 'person', process: 1, write: 0, does, object: CHILD });
  expect(says(run.outcome.history, 'note')).toContain('{"data":{"text":"x-edited"}}');
  expect(run.outcome.final.get('ConfigMap default/bundle-1-1')).toMatchObject({ data: { text: 'x' } });
});

test('the finalizer is there again', async () => {
  const run = await struck({ kind: 'person', process: 1, write: 0, does: 'unfinalizes', object: '/apis/bench.pawl.dev/v1/namespaces/default/bundles/bundle-1' });
  expect(says(run.outcome.history, 'note')).toContain('the finalizers are gone');
  expect(run.outcome.final.get('Bundle default/bundle-1')?.metadata).toMatchObject({ finalizers: [expect.any(String)] });
});

test.each([
  { answer: 'denies-403', status: 403 },
  { answer: 'denies-422', status: 422 },
  { answer: 'times-out', status: 500 },
] as const)('a webhook that $answer refuses one write, which is sent again', async ({ answer, status }) => {
  const run = await struck({ kind: 'admission', process: 1, write: 4, answer });
  expect(writeAt(run, 4)).toMatchObject({ status, committed: false, fault: answer });
  expect(requestsOf(run).filter(({ path, committed }) => path === writeAt(run, 4)?.path && committed).length).toBeGreaterThan(0);
});

test.each([
  { answer: 'adds-label', is: { metadata: { labels: { 'explore.pawl.dev/added': 'on' } } } },
  { answer: 'adds-default', is: { data: { 'explore-default': 'b24=', text: 'x' } } },
] as const)('what a webhook $answer stays', async ({ answer, is }) => {
  const run = await struck({ kind: 'admission', process: 1, write: 4, answer });
  const { path = '' } = writeAt(run, 4) ?? {};
  const name = /configmaps\/([^?]*)/.exec(path)?.[1] ?? '';
  expect(run.outcome.final.get(`ConfigMap default/${name}`)).toMatchObject(is);
});
