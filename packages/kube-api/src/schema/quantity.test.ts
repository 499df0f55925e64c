import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalQuantity, compareQuantities, quantityValue } from './quantity.ts';

describe('quantities', () => {
  it.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['0.5Gi', '512Mi'],
    ['512', '512'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1e3', '1e3'],
    ['0.1Ki', '102400m'],
    ['2048Ki', '2Mi'],
    ['-1000m', '-1'],
    ['0', '0'],
    ['0Gi', '0'],
    ['.5', '500m'],
    ['1n', '1n'],
    ['0.0000000001', '1n'],
    ['12000000', '12M'],
    ['100E', '100E'],
  ])('%s is written as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['', 'x', '1KB', '1 ', '1..2', 'Gi', '--1'])('%j is none', (text) => {
    expect(canonicalQuantity(text)).toBeUndefined();
  });

  it('keep their value and are written once and for all', () => {
    const suffix = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi');
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), suffix, (number, unit) => {
        const text = `${number}${unit}`;
        const canonical = canonicalQuantity(text) ?? '';
        expect(compareQuantities(text, canonical)).toBe(0);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  it('compare by value', () => {
    expect(compareQuantities('1Gi', '1G')).toBeGreaterThan(0);
    expect(compareQuantities('999m', '1')).toBeLessThan(0);
    expect(quantityValue('1.5Ki')).toBe(1536);
  });
});
