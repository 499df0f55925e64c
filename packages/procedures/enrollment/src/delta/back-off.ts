// When to try again what failed: for each key by itself, from what the status remembers. Pure.
import type { EntryStatus } from '../api.ts';

const FIRST_MS = 1_000;
const MOST_MS = 300_000;

/** After so many failed attempts it is waited for so long, in milliseconds. */
export function delayMs(attempts: number): number {
  return Math.min(MOST_MS, FIRST_MS * 2 ** Math.max(0, Math.min(attempts, 30) - 1));
}

/** What is remembered of keys that failed. */
export class Attempts {
  readonly #rows: ReadonlyMap<string, EntryStatus>;
  readonly #now: number;

  constructor(rows: readonly EntryStatus[] | undefined, now: number) {
    this.#rows = new Map(
      (rows ?? []).flatMap((row) => (row.attempts === undefined ? [] : [[slot(row.key, row.sinkID), row]])),
    );
    this.#now = now;
  }

  row = (key: string, sinkID?: string): EntryStatus | undefined => this.#rows.get(slot(key, sinkID));

  /** How often it failed in a row. */
  count = (key: string, sinkID?: string): number => this.#rows.get(slot(key, sinkID))?.attempts ?? 0;

  /** Milliseconds since the epoch, if its time has not come yet. */
  waitsUntil = (key: string, sinkID?: string): number | undefined => {
    const { nextRetry } = this.#rows.get(slot(key, sinkID)) ?? {};
    const at = nextRetry === undefined ? Number.NaN : Date.parse(nextRetry);
    return at > this.#now ? at : undefined;
  };
}

const slot = (key: string, sinkID: string | undefined): string => `${key}\n${sinkID ?? ''}`;

/** How long a list that cannot be read is left alone: as long as the trouble lasts already, from 1 s to 5 min. */
export function outageDelayMs(sinceMs: number | undefined, now: number): number {
  return Math.min(MOST_MS, Math.max(FIRST_MS, sinceMs === undefined ? 0 : now - sinceMs));
}
