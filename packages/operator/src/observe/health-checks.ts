// The checks of an operator. Ready: it knows the whole state. Alive: nothing in it hangs. A server that cannot be reached
// makes no process unhealthy, for a restart would not help.
import type { HealthCheck } from './health.ts';

/** What is asked of an informer. */
export interface InformerHealth {
  readonly scope: { readonly type: { readonly kind: string } };
  readonly isSynced: boolean;
  /** When it last did anything, if only fail. On any clock: only whether it changes counts. */
  readonly lastActivityAt: number;
}

/** Longer than the longest watch and its pauses. */
export const SILENT_MS = 600_000;
/** Longer than any pass whose every request runs into its time-out. */
export const STUCK_MS = 900_000;

/** Whether every cache is complete. Does not depend on leadership: a follower must count as ready, or no release rolls out. */
export function cachesComplete(informers: () => readonly InformerHealth[]): HealthCheck {
  return {
    name: 'caches',
    check: () => {
      const missing = informers().filter(({ isSynced }) => !isSynced);
      return missing.length === 0 ? undefined : `not complete: ${missing.map(kindOf).join(', ')}`;
    },
  };
}

/** Whether every informer does something from time to time. */
export function informersActive(
  informers: () => readonly InformerHealth[],
  monotonic: () => number,
  silentMs = SILENT_MS,
): HealthCheck {
  /** The last activity that was seen, and since when it has not changed, by a clock that does not jump. */
  const seen = new Map<InformerHealth, { readonly activity: number; readonly since: number }>();
  return {
    name: 'informers',
    check: () => {
      const now = monotonic();
      const current = informers();
      for (const known of seen.keys()) if (!current.includes(known)) seen.delete(known);
      const silent = current.filter((informer) => {
        const activity = informer.lastActivityAt;
        const before = seen.get(informer);
        if (before?.activity !== activity) seen.set(informer, { activity, since: now });
        return before?.activity === activity && now - before.since > silentMs;
      });
      return silent.length === 0 ? undefined : `nothing done for too long: ${silent.map(kindOf).join(', ')}`;
    },
  };
}

/** Whether the workers of a queue come to an end. */
export function workersMoving(name: string, longestMs: () => number, stuckMs = STUCK_MS): HealthCheck {
  return {
    name: `workers/${name}`,
    check: () => {
      const ms = longestMs();
      return ms > stuckMs ? `an object has been worked on for ${Math.round(ms / 1000)} seconds` : undefined;
    },
  };
}

const kindOf = ({ scope }: InformerHealth): string => scope.type.kind;
