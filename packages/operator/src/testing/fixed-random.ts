// Chance for tests: always the same.
import type { Random } from '@pawl/reconciler';

/** Random whose fractions are all `share`, from 0 to just below 1. */
export function fixedRandom(share: number): Random {
  const value = Math.floor(share * 2 ** 32);
  return {
    uuid: () => '00000000-0000-4000-8000-000000000000',
    bytes: (length) => Uint8Array.from({ length }, (_, index) => (value >>> (24 - 8 * (index % 4))) & 0xff),
  };
}
