import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectName } from './desired.ts';

describe('the name of an entry', () => {
  it('is that of the Enrollment and the key, where that is a name', () => {
    expect(objectName('nfs', 'h1')).toBe('nfs-h1');
    expect(objectName('nfs', 'h1', 'abc123')).toBe('nfs-h1-abc123');
  });

  it('tells keys apart that look alike in it', () => {
    expect(objectName('nfs', 'H1')).toMatch(/^nfs-h1-[0-9a-f]{8}$/);
    expect(objectName('nfs', 'a.b')).not.toBe(objectName('nfs', 'a-b'));
  });

  it('is always a label, and another one for another key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        const [first, second] = [objectName('enrollment', a), objectName('enrollment', b)];
        expect(first).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
        expect(first === second).toBe(a === b);
      }),
    );
  });
});
