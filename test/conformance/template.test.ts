// References in rows.
import { describe, expect, it } from 'vitest';
import { fill } from './template.ts';

const known = new Map<string, unknown>([
  ['ns', 'row-1'],
  ['a', { metadata: { uid: 'u', generation: 2 }, items: ['x'] }],
]);

describe('fill', () => {
  it('replaces references inside of texts and keys', () => {
    expect(fill({ '{ns}.example': '/namespaces/{ns}/widgets' }, known)).toEqual({
      'row-1.example': '/namespaces/row-1/widgets',
    });
  });

  it('keeps the type of a value that is a reference as a whole', () => {
    expect(fill(['{a.metadata.generation}', '{a.items}'], known)).toEqual([2, ['x']]);
  });

  it('leaves other braces alone', () => {
    expect(fill('\\d{4} k:{"name":"p"}', known)).toBe('\\d{4} k:{"name":"p"}');
  });

  it('names a reference to nothing', () => {
    expect(() => fill('{b.metadata.uid}', known)).toThrow(
      'the row refers to {b.metadata.uid}, which is not known here',
    );
  });
});
