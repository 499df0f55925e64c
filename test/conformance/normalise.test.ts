// Answers in normal form.
import { describe, expect, it } from 'vitest';
import { Normaliser } from './normalise.ts';

const uid = '01234567-89ab-cdef-0123-456789abcdef';

describe('Normaliser', () => {
  it('gives symbols to what differs from run to run, the same to the same value', () => {
    const normaliser = new Normaliser('row-1-abc');
    const metadata = { uid, resourceVersion: '17', namespace: 'row-1-abc', creationTimestamp: '2026-01-01T00:00:00Z' };
    const first = {
      creationTimestamp: '<time>',
      namespace: '{ns}',
      resourceVersion: '<resourceVersion 1>',
      uid: '<uid 1>',
    };
    expect(normaliser.normal(metadata)).toEqual(first);
    expect(normaliser.normal({ ...metadata, resourceVersion: '18' })).toEqual({
      ...first,
      resourceVersion: '<resourceVersion 2>',
    });
    expect(normaliser.normal(`object ${uid} in row-1-abc`)).toBe('object <uid 1> in {ns}');
  });

  it('numbers in the order of sorted members, however the server ordered them', () => {
    const owners = { ownerReferences: [{ uid: 'other' }], uid: 'own' };
    const reversed = { uid: 'own', ownerReferences: [{ uid: 'other' }] };
    expect(new Normaliser('row-1').normal(owners)).toEqual(new Normaliser('row-1').normal(reversed));
  });

  it('keeps empty and zero versions, which mean something', () => {
    expect(new Normaliser('row-1').normal({ continue: '', resourceVersion: '0' })).toEqual({
      continue: '',
      resourceVersion: '0',
    });
  });

  it('says only how much there was of what is very long', () => {
    expect(new Normaliser('row-1').normal({ list: Array.from({ length: 30 }), text: 'x'.repeat(3_000) })).toEqual({
      list: '<30 items>',
      text: '<3000 characters>',
    });
  });
});
