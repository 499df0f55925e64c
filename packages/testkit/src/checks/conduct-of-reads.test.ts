// What a history must not show: reads that go back, patience that is not kept, status without a reason, additions taken away.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import type { HistoryEvent, ReadEvent, RequestEvent } from '../world/history.ts';
import { leavesAdditions } from './additions.ts';
import { hasAllAnswers, losesNoError, saysWhy } from './answers.ts';
import type { Outcome } from './check.ts';
import { behavesWell } from './conduct.ts';
import { showsNothingOlder } from './reads.ts';
import { waitsAsAsked } from './waiting.ts';

const by = { action: 'Stored', version: '1.0.0' };
const outcome = (history: readonly HistoryEvent[], rest: Partial<Outcome> = {}): Outcome => ({ history, isAtRest: true, ...rest }) as Outcome;

/** An Action is shown `map` at a revision under a uid; without a uid it is not there. */
const read = (source: ReadEvent['source'], resourceVersion = '', uid = '', process = 1): ReadEvent => ({
  type: 'read',
  atMs: 0,
  process,
  by,
  source,
  what: 'ConfigMap default/a',
  found: uid === '' ? [] : [{ object: 'ConfigMap default/a', uid, resourceVersion }],
});
const starts = (process: number): HistoryEvent => ({ type: 'note', atMs: 0, process, says: `process ${process} starts` });

describe('an Action is shown nothing older than before', () => {
  test.each([
    { what: 'the same and newer', history: [read('cache', '9', 'u'), read('cache', '9', 'u'), read('cache', '10', 'u')] },
    { what: 'another object of the name', history: [read('cache', '9', 'u'), read('cache'), read('cache', '12', 'v')] },
    { what: 'an older state to another process', history: [read('cache', '9', 'u'), read('cache', '5', 'u', 2)] },
    { what: 'an older state after a new start', history: [read('cache', '9', 'u'), starts(1), read('cache', '5', 'u')] },
    { what: 'a cache that is behind the server', history: [read('server', '9', 'u'), read('cache', '5', 'u')] },
  ])('allowed: $what', ({ history }) => {
    expect(showsNothingOlder(outcome(history))).toEqual([]);
  });

  test.each([
    { what: 'an older revision', history: [read('cache', '10', 'u'), read('cache', '9', 'u')], says: 'ConfigMap default/a at revision 9, after 10, by the cache' },
    { what: 'what was gone', history: [read('server', '9', 'u'), read('server'), read('server', '9', 'u')], says: 'ConfigMap default/a as it was before it was deleted (uid u), by the server' },
    { what: 'what another one came after', history: [read('cache', '9', 'u'), read('cache', '12', 'v'), read('cache', '13', 'u')], says: 'ConfigMap default/a as it was before it was deleted (uid u), by the cache' },
  ])('refused: $what', ({ history, says }) => {
    expect(showsNothingOlder(outcome(history)).map((violation) => violation.says)).toEqual([`Action Stored of 1.0.0 is shown ${says}`]);
  });
});

const request = (atMs: number, rest: Partial<RequestEvent> = {}): RequestEvent => ({
  type: 'request',
  atMs,
  process: 1,
  method: 'PATCH',
  path: '/api/v1/namespaces/default/configmaps/a?force=true',
  body: {},
  request: 1,
  write: 1,
  status: 200,
  before: undefined,
  after: undefined,
  committed: true,
  fault: undefined,
  ...rest,
});

describe('whoever is asked to wait', () => {
  const asked = request(0, { status: 503, committed: false, retryAfterMs: 5_000 });

  test('waits with the same request, and with no other', () => {
    expect(waitsAsAsked(outcome([asked, request(5_000), request(5_001)]))).toEqual([]);
    expect(waitsAsAsked(outcome([asked, request(10, { path: '/api/v1/namespaces/default/configmaps/b' }), request(10, { process: 2 }), request(10, { method: 'GET' })]))).toEqual([]);
  });

  test('is told by how much it was too early', () => {
    expect(waitsAsAsked(outcome([asked, request(1_500)]))).toMatchObject([
      { check: 'waits as it is asked to', says: 'process 1 sends PATCH configmaps default/a again 3500 ms before the time that the server asked for', at: 1 },
    ]);
  });
});

describe('status', () => {
  const subject = { catalog: { resource: { apiVersion: 'a.b/v1', kind: 'Thing' } } } as Outcome['subject'];
  const standing = (status: object): Outcome['final'] =>
    new Map([['Thing default/one', { apiVersion: 'a.b/v1', kind: 'Thing', metadata: { name: 'one', namespace: 'default' }, status } as unknown as KubernetesObject]]);
  const stuck = (status: object): Outcome => outcome([], { subject, plan: { faults: [] } as unknown as Outcome['plan'], final: standing(status), isAtRest: false, expectation: { ends: 'at', version: '1.0.0' } });

  test('of an object that does not go on says why', () => {
    expect(saysWhy(stuck({}))).toMatchObject([{ says: 'the status of Thing default/one does not say why it stands still' }]);
    expect(saysWhy(stuck({ conditions: [{ type: 'Ready', status: 'False', message: '' }] }))).toHaveLength(1);
    expect(saysWhy(stuck({ conditions: [{ type: 'Ready', status: 'False', message: 'waiting for pods' }] }))).toEqual([]);
    expect(saysWhy(stuck({ procedure: { summary: 'no procedure may act' } }))).toEqual([]);
  });

  test('says why while a part of the cluster stands still, and not only in the end', () => {
    const fault = { kind: 'cluster', process: 1, write: 1, stage: 'pods', forMs: 60_000 } as const;
    const begun: HistoryEvent = { type: 'note', atMs: 0, process: 1, says: 'no pod starts or gets ready for 60 s from write 1 of process 1 on: begun' };
    const told = (message: string, atMs: number) =>
      request(atMs, { after: { apiVersion: 'a.b/v1', kind: 'Thing', metadata: { name: 'one' }, status: { conditions: [{ type: 'Ready', status: 'False', message }] } } });
    const held = (...history: readonly HistoryEvent[]) => saysWhy(outcome([begun, ...history], { subject, plan: { faults: [fault] } as unknown as Outcome['plan'], expectation: { ends: 'at', version: '1.0.0' } }));
    expect(held(told('waiting for pods', 10_000))).toEqual([]);
    expect(held(told('', 10_000), told('waiting for pods', 50_000))).toHaveLength(1);
  });

  test('of an object that came to rest need not', () => {
    expect(saysWhy({ ...stuck({}), isAtRest: true })).toEqual([]);
  });
});

test('an Action that takes ten minutes is slow, one that takes longer does not answer', () => {
  const waiting = (forMs: number): Outcome => outcome([], { unanswered: [{ ...by, forMs }] });
  expect(hasAllAnswers(waiting(600_000))).toEqual([]);
  expect(hasAllAnswers(waiting(1_260_000)).map(({ says }) => says)).toEqual(['Action Stored of 1.0.0 has not answered for 21 minutes: it waits for something that never comes']);
});

test('an error outside of all Actions is reported as such', () => {
  expect(losesNoError(outcome([], { unhandled: [{ by: undefined, says: 'boom' }] }))[0]?.says).toMatch(/^outside of all Actions: .*boom/);
});

test('requests without a pause are a hot loop, by the Action that sends most of them', () => {
  const sent = Array.from({ length: 701 }, (_, index) => request(0, { method: 'GET', write: undefined, request: index, by }));
  expect(behavesWell(outcome(sent)).map(({ says }) => says)).toEqual(['701 requests are sent without any pause between them, most of them by Action Stored of 1.0.0: a hot loop']);
  expect(behavesWell(outcome(sent.map((event, index) => ({ ...event, atMs: index }))))).toEqual([]);
});

describe('what a webhook added', () => {
  const child = (labels: Readonly<Record<string, string>>, uid = 'u'): KubernetesObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default', uid, labels } }) as unknown as KubernetesObject;
  const added = { 'explore.pawl.dev/added': 'on' };
  const history = [request(0, { fault: 'adds-label', after: child(added) })];
  const ending = (object: KubernetesObject): Outcome => outcome(history, { final: new Map([['ConfigMap default/a', object]]) });

  test('stays, unless the object itself was made anew', () => {
    expect(leavesAdditions(ending(child(added)))).toEqual([]);
    expect(leavesAdditions(ending(child({}, 'another')))).toEqual([]);
    expect(leavesAdditions(ending(child({})))).toMatchObject([{ check: 'leaves what others added', says: 'what a webhook added to ConfigMap default/a was taken away again' }]);
  });
});
