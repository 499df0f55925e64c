// Chance of the real machine. The only file of this package that reaches for it; all else is given it.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '@pawl/reconciler';

export const systemRandom: Random = Object.freeze({
  uuid: () => randomUUID(),
  bytes: (length: number) => new Uint8Array(randomBytes(length)),
});
