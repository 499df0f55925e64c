import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

const MAPS = '/api/v1/namespaces/default/configmaps/a';
const by = (pod: string, path = `${MAPS}?fieldManager=x`, method: 'PATCH' | 'GET' = 'PATCH') => ({ method, path, headers: { authorization: `Bearer ${pod}` } });

test('one who writes after another has begun is found; reads, Leases and dry runs are not writing', () => {
  const ledger = new Ledger(() => 5_000);
  for (const request of [by('pod-1'), by('pod-2'), by('pod-2')]) ledger.arrives(request);
  ledger.arrives(by('pod-1', MAPS, 'GET'));
  ledger.arrives(by('pod-1', `${MAPS}?dryRun=All`));
  ledger.arrives(by('pod-1', '/apis/coordination.k8s.io/v1/namespaces/default/leases/x'));
  expect(ledger.violations).toEqual([]);
  ledger.arrives(by('pod-1'));
  expect(ledger.violations).toEqual([`pod-1 wrote after pod-2 had begun, at 5.0 s: PATCH ${MAPS}`]);
});

test('what is created twice is found, unless somebody else deleted it in between', () => {
  const ledger = new Ledger(() => 0);
  ledger.answered(by('pod-1'), 201);
  ledger.answered({ method: 'DELETE', path: MAPS }, 200);
  ledger.answered(by('pod-1'), 201);
  ledger.answered(by('pod-1'), 200);
  expect(ledger.duplicates()).toEqual([]);
  ledger.answered(by('pod-2'), 201);
  expect(ledger.duplicates()).toEqual(['configmaps default/a was created 3 times and deleted by others 1 times']);
});

test('requests are counted by what they are', () => {
  const ledger = new Ledger(() => 0);
  const paths = ['/api/v1/namespaces/default/configmaps?labelSelector=x', '/apis/apps/v1/deployments?watch=true', '/apis', `${MAPS}/status`];
  for (const path of paths) ledger.arrives(by('pod-1', path, 'GET'));
  ledger.arrives(by('pod-1', `${MAPS}?dryRun=All`));
  expect([...ledger.byKind.keys()]).toEqual(['LIST configmaps', 'WATCH deployments', 'GET discovery', 'GET configmaps/status', 'PATCH configmaps (dry run)']);
});
