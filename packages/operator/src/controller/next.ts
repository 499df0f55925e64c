// When an object comes up again, beside the events that bring it up at once.

/** The outcome of one pass over an object. */
export type Next =
  /** Only an event or the resync. */
  | { readonly again: 'when-changed' }
  /** After so many milliseconds, at the latest; if it rests, not before either, unless a person changes the object. */
  | { readonly again: 'after'; readonly ms: number; readonly rests?: boolean }
  /** After the object's back-off. */
  | { readonly again: 'backoff'; readonly why: string };

export const WHEN_CHANGED: Next = { again: 'when-changed' };
export const NOW: Next = { again: 'after', ms: 0 };
export const after = (ms: number): Next => ({ again: 'after', ms });
