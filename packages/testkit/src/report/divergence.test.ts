// Where a run parts from the undisturbed one, and on what the Action was based.
import { expect, test } from 'vitest';
import type { Plan } from '../explore/plan.ts';
import type { HistoryEvent, ReadEvent, RequestEvent } from '../world/history.ts';
import { divergenceOf, referenceOf } from './divergence.ts';

const by = { action: 'Stored', version: '1.0.0' };
const write = (name: string, text = 'x', rest: Partial<RequestEvent> = {}): RequestEvent => ({
  type: 'request',
  atMs: 0,
  process: 1,
  method: 'PATCH',
  path: `/api/v1/namespaces/default/configmaps/${name}`,
  body: { metadata: { name }, data: { text } },
  request: 1,
  write: 1,
  status: 200,
  before: undefined,
  after: {},
  committed: true,
  fault: undefined,
  by,
  ...rest,
});
const saw = (source: ReadEvent['source'], what: string, resourceVersion?: string): ReadEvent => ({
  type: 'read',
  atMs: 0,
  process: 2,
  by,
  source,
  what,
  found: resourceVersion === undefined ? [] : [{ object: what, uid: 'u', resourceVersion }],
});
const dies: HistoryEvent = { type: 'note', atMs: 0, process: 1, says: 'killed right after write 1' };

test('a write that is never sent is named, with what its Action was shown when it ran next', () => {
  const history = [write('a'), dies, saw('own', 'Thing default/one', '9'), saw('cache', 'ConfigMap default/a', '8'), saw('server', 'ConfigMap default/b'), write('c', 'x', { process: 2, write: 2 })];
  expect(divergenceOf(history, [write('a'), write('b'), write('c')])).toEqual({
    kind: 'never sent',
    write: 'PATCH configmaps default/b',
    by: 'Action Stored of 1.0.0',
    after: 'PATCH configmaps default/a (write 1 of process 1)',
    reads: ['Thing default/one @9 (process 2)', 'ConfigMap default/a @8, as the cache has it (process 2)', 'ConfigMap default/b not there, as the server says (process 2)'],
  });
});

test('a write that the undisturbed run does not make is named, with what was read before', () => {
  const history = [write('a'), saw('own', 'Thing default/one', '9'), write('a', 'y', { process: 2, write: 2 })];
  expect(divergenceOf(history, [write('a'), write('b')])).toMatchObject({ kind: 'sent', write: 'PATCH configmaps default/a', reads: ['Thing default/one @9 (process 2)'] });
});

test('what is sent once more, refused, or only told is no parting', () => {
  const told = write('one', 'z', { path: '/apis/x.dev/v1/namespaces/default/things/one/status' });
  expect(divergenceOf([write('a'), dies, write('a'), told, write('n', 'x', { committed: false }), write('b')], [write('a'), write('b')])).toBeUndefined();
});

test('the undisturbed story has no operator that only takes over, and everything else', () => {
  const release = { upTo: '2.0.0' };
  const plan: Plan = { kind: 'Thing', deed: { does: 'create' }, turns: [{ release }, { release }, { release, rollback: '1.0.0' }, { release: { upTo: '1.0.0' } }], faults: [{ kind: 'crash', process: 1, write: 3, moment: 'after' }], seed: 1, order: 4 };
  expect(referenceOf(plan)).toEqual({ kind: 'Thing', deed: { does: 'create' }, turns: [{ release }, { release, rollback: '1.0.0' }, { release: { upTo: '1.0.0' } }], faults: [], seed: 1 });
});
