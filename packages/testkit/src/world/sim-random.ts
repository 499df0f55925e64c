// Chance from a seed: a stream of its own for each component, so that one more draw in one of them shifts no other.
import { seeded, type Random } from '@pawl/reconciler';

/** The stream of a component. The same seed and name give the same sequence on every machine. */
export function randomStream(seed: number, name: string): Random {
  const next = seeded(seed ^ hashOf(name));
  const byte = (): number => Math.floor(next() * 256);
  return {
    uuid: () => {
      const hex = Array.from({ length: 16 }, () => byte().toString(16).padStart(2, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    bytes: (length) => Uint8Array.from({ length }, byte),
  };
}

/** FNV-1a over the UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
