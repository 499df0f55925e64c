// The join key of members and entries. Pure.
import { shortHash } from '@pawl/reconciler';
import type { Options } from '../options/options.ts';
import { scopeOf, type Entry, type Member } from './member.ts';

export type KeyOfMember = (member: Member) => string;
export type KeyOfEntry = (entry: Entry) => string;

const LENGTH = 20;

/** What stands for a key in labels and tags. */
export const keyHashOf = (key: string): string => shortHash(key, LENGTH);

/** @throws Error (from the function) if the key cannot be worked out for a member */
export function memberKeys({ sourceKey }: Pick<Options, 'sourceKey'>): KeyOfMember {
  if (sourceKey === undefined) return ({ id }) => id;
  return (member) => textOf(sourceKey(scopeOf(member)));
}

/** By the id of the member that the entry carries, as 1.0.0 does it. */
export function entryKeysBySourceId({ enrolledKey }: Pick<Options, 'enrolledKey'>): KeyOfEntry {
  if (enrolledKey !== undefined) return (entry) => textOf(enrolledKey(scopeOf(entry)));
  return ({ id, marks }) => {
    if (marks.sourceId === undefined) throw new Error(`${id} carries no id of a member`);
    return marks.sourceId;
  };
}

/** By the key that was recorded on the entry when it was made. */
export function entryKeysByMark({ enrolledKey }: Pick<Options, 'enrolledKey'>): KeyOfEntry {
  if (enrolledKey !== undefined) return (entry) => textOf(enrolledKey(scopeOf(entry)));
  return ({ id, marks }) => {
    if (marks.key === undefined || marks.keyHash !== keyHashOf(marks.key)) throw new Error(`${id} carries no key`);
    return marks.key;
  };
}

/** Numbers are keys as well: `3` and `"3"` are the same. */
function textOf(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '')
    throw new Error(`the key is ${JSON.stringify(value) ?? 'nothing'}; allowed is a text that is not empty`);
  return text.trim();
}
