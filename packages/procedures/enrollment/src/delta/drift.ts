// Which entries were made from something else than what is wanted now, and which of them are next. Pure.
import type { EntryStatus } from '../api.ts';
import type { Options } from '../options/options.ts';
import type { Delta, Enrolled, Surplus } from './delta.ts';
import { desiredOf, isCurrent } from './desired.ts';
import type { Desired, Home } from './member.ts';

export interface Compared extends Enrolled {
  readonly desired: Desired;
}

export interface Drift {
  readonly current: readonly Compared[];
  readonly outdated: readonly Compared[];
  /** Outdated ones that are made anew now: at most a batch. */
  readonly replace: readonly Compared[];
  /** Outdated ones behind them. */
  readonly wait: readonly Compared[];
  /** Old entries whose replacement stands. */
  readonly replaced: readonly Surplus[];
  /** Members that cannot be rendered; their entries stay as they are. */
  readonly failed: readonly EntryStatus[];
  /** Extra entries that are none because they are being replaced. */
  readonly duplicates: readonly Surplus[];
}

/**
 * Compares every kept entry with what is wanted. Of the entries of one key in the middle of a replacement the current
 * one stays and the outdated ones go.
 */
export function computeDrift(
  options: Options,
  home: Home,
  { keep, duplicates }: Pick<Delta, 'keep' | 'duplicates'>,
): Drift {
  const extras = Map.groupBy(duplicates, ({ key }) => key);
  const isRecreate = options.drift === 'Recreate';
  const current: Compared[] = [];
  const outdated: Compared[] = [];
  const replaced: Surplus[] = [];
  const failed: EntryStatus[] = [];
  const settled = new Set<string>();
  const unready = new Set<string>();
  for (const enrolled of keep) {
    const { key, entry } = enrolled;
    try {
      const desired = desiredOf(options, home, enrolled);
      const all = [entry, ...(extras.get(key) ?? []).map((extra) => extra.entry)];
      const fresh = all.find((candidate) => isCurrent(candidate, desired));
      if (isRecreate && fresh !== undefined && all.some((candidate) => !isCurrent(candidate, desired))) {
        settled.add(key);
        current.push({ ...enrolled, entry: fresh, desired });
        const old = all.filter((candidate) => candidate !== fresh && !isCurrent(candidate, desired));
        if (fresh.isReady) replaced.push(...old.map((each): Surplus => ({ key, entry: each, reason: 'Replaced' })));
        else unready.add(key);
      } else (isCurrent(entry, desired) ? current : outdated).push({ ...enrolled, desired });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failed.push({ key, sinkID: entry.id, state: 'Failed', reason: 'RenderError', message });
    }
  }
  // A batch counts what is under way: old ones that still stand, and new ones that are not ready.
  const open = new Set([...replaced.map(({ key }) => key), ...unready]).size;
  const free = Math.max(0, options.batchSize - open);
  return {
    current,
    outdated,
    replace: outdated.slice(0, free),
    wait: outdated.slice(free),
    replaced,
    failed,
    duplicates: duplicates.filter(({ key }) => !settled.has(key)),
  };
}
