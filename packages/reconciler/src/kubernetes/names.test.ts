// Names that objects in clusters carry. A change here is a change for everyone who has released.
import { expect, test } from 'vitest';
import { REQUEST_NAMES } from '../versions/inputs.ts';
import {
  ANNOTATIONS,
  claimManager,
  fieldManagersOf,
  FINALIZER,
  LABELS,
  leaseName,
  ownerHash,
  requestAnnotation,
} from './names.ts';

test('released names stay', () => {
  expect({ FINALIZER, LABELS, ANNOTATIONS, requests: REQUEST_NAMES.map(requestAnnotation) }).toEqual({
    FINALIZER: 'procedures.pawl.dev/teardown',
    LABELS: { owner: 'procedures.pawl.dev/owner' },
    ANNOTATIONS: {
      version: 'procedures.pawl.dev/version',
      ownerUid: 'procedures.pawl.dev/owner-uid',
      action: 'procedures.pawl.dev/action',
      applied: 'procedures.pawl.dev/applied',
      keep: 'procedures.pawl.dev/keep',
      mirror: 'procedures.pawl.dev/record',
      blocked: 'procedures.pawl.dev/blocked',
    },
    requests: [
      'procedures.pawl.dev/rollback',
      'procedures.pawl.dev/approve',
      'procedures.pawl.dev/retry',
      'procedures.pawl.dev/adopt',
      'procedures.pawl.dev/force-delete',
      'procedures.pawl.dev/approve-prune',
    ],
  });
  expect(fieldManagersOf('storage-cluster', 'StorageNode')).toEqual({
    children: 'pawl-storage-cluster-storagenode',
    record: 'pawl-storage-cluster-storagenode-record',
    status: 'pawl-storage-cluster-storagenode-status',
  });
  expect(claimManager('node-updates', 'maintenance')).toBe('pawl-node-updates/maintenance');
  expect(leaseName('web')).toBe('pawl-web');
});

test('the hash of an owner fits a label, is the same for the same name, and is the one that was released', () => {
  const website = { group: 'example.pawl.dev', kind: 'Website', namespace: 'shop', name: 'front' };
  expect(ownerHash(website)).toBe('c45a838fc5c6fb73c00f');
  expect(ownerHash(website)).toMatch(/^[a-z0-9]{1,63}$/);
  expect(ownerHash({ ...website, namespace: 'shops' })).not.toBe(ownerHash(website));
  expect(ownerHash({ group: 'g', kind: 'K', name: 'n' })).toBe(
    ownerHash({ group: 'g', kind: 'K', namespace: '', name: 'n' }),
  );
});
