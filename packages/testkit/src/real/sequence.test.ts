// What two runs of a plan must share: which writes the server took, and where the record stood when it did.
import { LABELS } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import type { RequestEvent } from '../world/history.ts';
import { aimedScript, notingScript, type Aim } from './aims.ts';
import { sequenceDifference, sequenceOf } from './sequence.ts';
import { withinNamespace } from './scoped-transport.ts';
import { spread } from './simulated.ts';

const SITES = '/apis/example.com/v1/namespaces/shop/sites/a';
const site = { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 'a', namespace: 'shop' } };
let writes = 0;

function write(method: RequestEvent['method'], path: string, rest: Partial<RequestEvent>): RequestEvent {
  writes += 1;
  return { type: 'request', atMs: 0, process: 1, method, path, body: undefined, request: writes, write: writes, status: 200, before: undefined, after: undefined, committed: true, fault: undefined, ...rest };
}
const siteAt = (state: 'Partial' | 'Complete', target?: string) => {
  const applied = [{ version: '1.0.0', state, rollbackTo: 'none', teardown: 'Inventory' }];
  return { ...site, status: { procedure: { record: { formatVersion: 1, minReader: 1, epoch: 1, applied, avoid: [], scope: [], ...(target === undefined ? {} : { target }) } } } };
};
const [begun, reached] = [siteAt('Partial', '1.0.0'), siteAt('Complete')];
const partial = write('PATCH', `${SITES}/status?force=true`, { before: site, after: begun });
const complete = write('PATCH', `${SITES}/status?force=true`, { before: begun, after: reached });
/** The record is in the object, and stays as it is. */
const progress = write('PATCH', `${SITES}/status`, { before: reached, after: { ...reached, metadata: { ...reached.metadata, resourceVersion: '9' } } });
const owner = '5f8ef5d55d280c652988';
const child = (name: string, rest: Partial<RequestEvent> = {}) => {
  const after = { kind: 'ConfigMap', metadata: { name, namespace: 'shop', labels: { [LABELS.owner]: owner }, resourceVersion: '7' } };
  return write('PATCH', `/api/v1/namespaces/shop/configmaps/${name}?force=true`, { after, ...rest });
};

test('writes between two changes of the record may come in any order, and reports of progress anywhere', () => {
  const one = sequenceOf([partial, child('x'), child('y'), complete]);
  const other = sequenceOf([partial, progress, child('y'), progress, child('x'), complete, progress]);
  expect(Object.values(one)).toContainEqual([['record: 1.0.0 Partial → 1.0.0'], ['record: 1.0.0 Complete']]);
  expect(one[owner]).toEqual([['PATCH configmaps shop/x', 'PATCH configmaps shop/y']]);
  expect(sequenceDifference(one, other)).toBeUndefined();
});

test('what was refused, or changed nothing, is no write', () => {
  const unchanged = child('x');
  expect(sequenceOf([child('x', { committed: false }), { ...unchanged, before: unchanged.after }])).toEqual({});
});

test('a write more or less is a difference, and is told in words', () => {
  const says = sequenceDifference(sequenceOf([child('x'), child('y')]), sequenceOf([child('x'), child('x'), child('y')]));
  expect(says).toBe('first the simulation writes PATCH configmaps shop/x, PATCH configmaps shop/y; the real server took PATCH configmaps shop/x, PATCH configmaps shop/x, PATCH configmaps shop/y');
});

test('a fault strikes at the same write although more reports of progress come before it', () => {
  const aims: Aim[] = [];
  const crash = { kind: 'crash', process: 1, write: 3, moment: 'before' } as const;
  const report = { method: 'PATCH', path: `${SITES}/status`, body: {} } as const;
  const service = { method: 'PATCH', path: '/api/v1/namespaces/shop/services/a?force=true', body: {} } as const;
  const noted = notingScript([crash], 1, aims);
  for (const [index, sent] of [report, report, service].entries()) noted.faultsOf({ ...sent, request: index + 1, write: index + 1 });
  expect(aims).toEqual([{ fault: crash, at: 'PATCH /api/v1/namespaces/shop/services/a', nth: 1 }]);
  const struck: Aim[] = [];
  const aimed = aimedScript(aims, 1, (aim) => struck.push(aim));
  const found = [report, report, report, report, service].map((sent, index) => aimed.faultsOf({ ...sent, request: index + 1, write: index + 1 }));
  expect(found).toEqual([[], [], [], [], [crash]]);
  expect(struck).toEqual(aims);
});

test('a rehearsal is another request than the write itself', () => {
  const aims: Aim[] = [];
  const fault = { kind: 'request', process: 1, request: 2, failure: '500-before' } as const;
  const script = notingScript([fault], 1, aims);
  const path = '/api/v1/namespaces/shop/services/a';
  script.faultsOf({ method: 'PATCH', path: `${path}?dryRun=All`, body: {}, request: 1, write: undefined });
  script.faultsOf({ method: 'PATCH', path, body: {}, request: 2, write: 1 });
  expect(aims).toEqual([{ fault, at: `PATCH ${path}`, nth: 1 }]);
});

test('an event is told by its object and by how often it has changed', () => {
  const aims: Aim[] = [];
  const fault = { kind: 'watch', process: 1, event: 3, failure: 'drop' } as const;
  const [added, changed] = (['ADDED', 'MODIFIED'] as const).map((type) => ({ type, object: site }));
  const script = notingScript([fault], 1, aims);
  expect([added, changed, changed].map((event, index) => event === undefined || script.failureOf(event, index + 1))).toEqual([undefined, undefined, 'drop']);
  expect(aims).toEqual([{ fault, at: 'MODIFIED Site shop/a', nth: 2 }]);
});

test('parts of the cluster see one namespace', async () => {
  const asked: string[] = [];
  const request = ({ path }: { readonly path: string }) => {
    asked.push(path);
    return Promise.resolve({ status: 200, headers: {}, body: {} });
  };
  const scoped = withinNamespace({ request, watch: async (sent) => ({ ...(await request(sent)), events: (async function* () {})() }) }, 'shop');
  await scoped.request({ method: 'GET', path: '/api/v1/pods?limit=500' });
  await scoped.watch({ method: 'GET', path: '/apis/apps/v1/deployments?watch=true' });
  await scoped.request({ method: 'GET', path: '/api/v1/nodes' });
  await scoped.request({ method: 'GET', path: '/api/v1/namespaces/other/pods/x' });
  expect(asked).toEqual(['/api/v1/namespaces/shop/pods?limit=500', '/apis/apps/v1/namespaces/shop/deployments?watch=true', '/api/v1/nodes', '/api/v1/namespaces/other/pods/x']);
});

test('a sample is spread over all plans', () => {
  expect(spread([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 9]);
  expect(spread([1, 2], 5)).toEqual([1, 2]);
  expect(spread([1, 2, 3], 1)).toEqual([1]);
});
