import { describe, expect, it } from 'vitest';
import { PATCH, testServer } from '../testing/server.ts';

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const claim = (storageClassName?: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '10Gi' } },
    ...(storageClassName === undefined ? {} : { storageClassName }),
  },
});
const storageClass = (extra: object = {}): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'x',
  ...extra,
});
const resized = (storage: string): object => ({ spec: { resources: { requests: { storage } } } });
const bound = { status: { phase: 'Bound', capacity: { storage: '10Gi' } } };

describe('a PersistentVolumeClaim', () => {
  it('grows once it is bound and its class lets it, and never shrinks', async () => {
    const { ok, send } = testServer();
    await ok('POST', '/apis/storage.k8s.io/v1/storageclasses', storageClass({ allowVolumeExpansion: true }));
    await ok('POST', CLAIMS, claim('fast'));
    expect((await send('PATCH', `${CLAIMS}/c`, resized('15Gi'), PATCH.merge)).status).toBe(422);
    await ok('PATCH', `${CLAIMS}/c/status`, bound, PATCH.merge);
    expect(await ok('PATCH', `${CLAIMS}/c`, resized('15Gi'), PATCH.merge)).toMatchObject(resized('15Gi'));
    expect((await send('PATCH', `${CLAIMS}/c`, resized('12Gi'), PATCH.merge)).status).toBe(422);
  });

  it('is refused more than its class allows', async () => {
    const { ok, send } = testServer();
    await ok('POST', '/apis/storage.k8s.io/v1/storageclasses', storageClass());
    await ok('POST', CLAIMS, claim('fast'));
    await ok('PATCH', `${CLAIMS}/c/status`, bound, PATCH.merge);
    const response = await send('PATCH', `${CLAIMS}/c`, resized('15Gi'), PATCH.merge);
    expect(response).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });

  it('takes the default class if it names none', async () => {
    const { ok } = testServer();
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await ok('POST', '/apis/storage.k8s.io/v1/storageclasses', {
      ...storageClass(),
      metadata: { name: 'fast', annotations },
    });
    expect(await ok('POST', CLAIMS, claim())).toMatchObject({ spec: { storageClassName: 'fast' } });
  });

  it('waits for the end of its use when it is deleted', async () => {
    const { ok } = testServer();
    await ok('POST', CLAIMS, claim());
    expect((await ok('DELETE', `${CLAIMS}/c`)).metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['kubernetes.io/pvc-protection'],
    });
  });
});
