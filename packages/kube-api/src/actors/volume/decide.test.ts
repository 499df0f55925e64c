// Decisions about claims and volumes.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Live } from '../base/model.ts';
import { inShort, live, reported, viewOf } from '../testing/view.ts';
import { decideClaim } from './decide-claim.ts';
import { decideVolume } from './decide-volume.ts';

const request = (storage: string): JsonObject => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage } },
});
const claim = (spec: JsonObject = request('1Gi'), metadata: JsonObject = {}): Live =>
  live('v1', 'PersistentVolumeClaim', { name: 'data', ...metadata }, { spec });
const volume = (storage = '1Gi', uid = 'uid-PersistentVolumeClaim-data', policy = 'Delete'): Live =>
  live(
    'v1',
    'PersistentVolume',
    { name: 'pv' },
    {
      spec: {
        capacity: { storage },
        claimRef: { namespace: 'default', name: 'data', uid },
        persistentVolumeReclaimPolicy: policy,
      },
    },
  );
const decide = (...objects: readonly Live[]): ReturnType<typeof decideClaim> =>
  decideClaim('default/data', viewOf(...objects), () => false);

describe('a claim', () => {
  it('gets a volume made for it, then is bound to it', () => {
    const decision = decide(claim());
    expect(inShort(decision)).toEqual(['create PersistentVolume pvc-uid-PersistentVolumeClaim-data']);
    expect(decision.steps[0]).toMatchObject({
      object: { spec: { capacity: { storage: '1Gi' }, claimRef: { name: 'data', namespace: 'default' } } },
    });
    expect(reported(decide(claim({ ...request('1Gi'), volumeName: 'pv' }), volume()))).toMatchObject({
      phase: 'Bound',
      capacity: { storage: '1Gi' },
    });
  });

  it('grows with its request, the volume first', () => {
    expect(inShort(decide(claim({ ...request('2Gi'), volumeName: 'pv' }), volume()))).toEqual([
      'patch PersistentVolume pv {"spec":{"capacity":{"storage":"2Gi"}}}',
    ]);
    expect(reported(decide(claim({ ...request('2Gi'), volumeName: 'pv' }), volume('2Gi')))).toMatchObject({
      capacity: { storage: '2Gi' },
    });
  });

  it('is lost with its volume', () => {
    expect(reported(decide(claim({ ...request('1Gi'), volumeName: 'pv' })))).toMatchObject({ phase: 'Lost' });
  });

  it('stays unbound if told so', () => {
    const decision = decideClaim('default/data', viewOf(claim()), () => true);
    expect([inShort(decision), reported(decision)]).toEqual([[], { phase: 'Pending' }]);
  });

  it('that is deleted stays as long as a pod uses it', () => {
    const ending = claim(request('1Gi'), {
      deletionTimestamp: '2024-01-01T00:00:00Z',
      finalizers: ['kubernetes.io/pvc-protection'],
    });
    const user = live(
      'v1',
      'Pod',
      { name: 'a' },
      { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } },
    );
    expect(inShort(decide(ending, user))).toEqual([]);
    expect(inShort(decide(ending))).toEqual([expect.stringMatching(/"finalizers":\[\]/)]);
  });
});

describe('a volume', () => {
  it('follows its claim', () => {
    const judge = (...objects: readonly Live[]): ReturnType<typeof decideVolume> =>
      decideVolume('/pv', viewOf(...objects));
    expect(reported(judge(volume(), claim()))).toEqual({ phase: 'Bound' });
    expect(inShort(judge(volume()))).toEqual(['delete PersistentVolume pv']);
    expect(reported(judge(volume('1Gi', 'former', 'Retain'), claim()))).toEqual({ phase: 'Released' });
  });
});
