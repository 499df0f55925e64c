// Chance that repeats itself: the same seed, the same names and uids.
import type { Random } from '../ports.ts';

/** A stream of random values that is determined by `seed`. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const byte = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % 256;
  };
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, byte);
  return {
    bytes,
    uuid: () => {
      const hex = [...bytes(16)].map((one, index) => {
        const fixed = index === 6 ? (one & 0x0f) | 0x40 : index === 8 ? (one & 0x3f) | 0x80 : one;
        return fixed.toString(16).padStart(2, '0');
      });
      return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
        .map((part) => part.join(''))
        .join('-');
    },
  };
}
