// Whether entries may be removed: not because the source is empty, and not too many at once without a person's word. Pure.
import { shortHash } from '@pawl/reconciler';
import { allowedOf, type Limit } from '../options/share.ts';
import type { Delta, Surplus } from './delta.ts';

/** Held until somebody says otherwise, and what to say. */
export interface Hold {
  readonly reason: 'SourceEmpty' | 'TooManyRemovals';
  readonly count: number;
  readonly of: number;
  readonly limit?: number;
  /** Names exactly this set of removals. */
  readonly confirm: string;
}

export interface Removals {
  readonly allowed: readonly Surplus[];
  readonly held: readonly Surplus[];
  readonly hold?: Hold;
}

export interface GuardInput {
  readonly delta: Pick<Delta, 'source' | 'enrolled' | 'remove' | 'duplicates'>;
  readonly allowEmptySource: boolean;
  /** Absent: no limit. */
  readonly maxRemovals?: Limit | undefined;
  /** What a person confirmed: {@link Hold.confirm}. */
  readonly confirmed?: string | undefined;
  /** Extra entries go as well. */
  readonly prunesDuplicates: boolean;
}

/** All or nothing: a person confirms a set that was shown. What moves to another sink is no loss and is not counted. */
export function guardRemovals(input: GuardInput): Removals {
  const { delta, allowEmptySource, maxRemovals, confirmed, prunesDuplicates } = input;
  const all = prunesDuplicates ? [...delta.remove, ...delta.duplicates] : delta.remove;
  const counted = all.filter(({ reason }) => reason !== 'SinkChanged');
  const free = all.filter(({ reason }) => reason === 'SinkChanged');
  if (counted.length === 0) return { allowed: all, held: [] };
  const confirm = shortHash(
    counted
      .map(({ entry }) => entry.id)
      .sort()
      .join('\n'),
    12,
  );
  const limit = maxRemovals === undefined ? undefined : allowedOf(maxRemovals, delta.enrolled);
  const isEmpty = delta.source === 0 && !allowEmptySource;
  const isTooMany = limit !== undefined && counted.length > limit;
  if ((!isEmpty && !isTooMany) || confirmed === confirm) return { allowed: all, held: [] };
  const hold: Hold = {
    reason: isEmpty ? 'SourceEmpty' : 'TooManyRemovals',
    count: counted.length,
    of: delta.enrolled,
    ...(limit === undefined ? {} : { limit }),
    confirm,
  };
  return { allowed: free, held: counted, hold };
}
