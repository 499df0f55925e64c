// What has to happen so that the sink has one entry for each member. Pure; every list is sorted by id.
import type { OnEnrolledKeyError, OnSourceKeyError } from '../options/policies.ts';
import type { KeyOfEntry, KeyOfMember } from './keys.ts';
import { byId, type Entry, type Member } from './member.ts';

export interface Wanted {
  readonly key: string;
  readonly member: Member;
}
export interface Enrolled extends Wanted {
  readonly entry: Entry;
}
export interface Surplus {
  readonly key: string;
  readonly entry: Entry;
  readonly reason: 'NotInSource' | 'SinkChanged' | 'Replaced' | 'Duplicate';
}
export interface Unkeyed {
  readonly id: string;
  readonly message: string;
}

export interface Delta {
  readonly source: number;
  /** Entries of ours, whether they are wanted or not. */
  readonly enrolled: number;
  readonly add: readonly Wanted[];
  /** Members that have an entry. */
  readonly keep: readonly Enrolled[];
  readonly remove: readonly Surplus[];
  /** More entries for the key of a member that has one. */
  readonly duplicates: readonly Surplus[];
  /** Members that an earlier one has taken the key of. */
  readonly sameKey: readonly Wanted[];
  readonly unkeyedMembers: readonly Unkeyed[];
  readonly unkeyedEntries: readonly Unkeyed[];
  /** What a policy keeps from being added or removed, for a key that could not be told. */
  readonly heldAdds: readonly Wanted[];
  readonly heldRemoves: readonly Surplus[];
  readonly foreign: readonly Entry[];
}

export interface DeltaInput {
  readonly members: readonly Member[];
  readonly entries: readonly Entry[];
  readonly keyOfMember: KeyOfMember;
  readonly keyOfEntry: KeyOfEntry;
  readonly onSourceKeyError: OnSourceKeyError;
  readonly onEnrolledKeyError: OnEnrolledKeyError;
}

/** Joins members and entries by key. Foreign entries take no part. */
export function computeDelta(input: DeltaInput): Delta {
  const { members, entries, keyOfMember, keyOfEntry, onSourceKeyError, onEnrolledKeyError } = input;
  const source = keyed(members, keyOfMember);
  const ours = entries.filter(({ ownership }) => ownership !== 'foreign');
  const sink = keyed(ours, keyOfEntry);
  const wanted = new Map<string, Member>();
  const sameKey: Wanted[] = [];
  for (const { key, item: member } of source.found) {
    if (wanted.has(key)) sameKey.push({ key, member });
    else wanted.set(key, member);
  }
  const byKey = Map.groupBy(sink.found, ({ key }) => key);
  const add: Wanted[] = [];
  const keep: Enrolled[] = [];
  const remove: Surplus[] = [];
  const duplicates: Surplus[] = [];
  for (const [key, member] of wanted) {
    const [first, ...rest] = (byKey.get(key) ?? []).map(({ item }) => item).sort(bestFirst);
    const isThere = first !== undefined && first.isInSink && !first.isDeleting;
    if (isThere) keep.push({ key, member, entry: first });
    else add.push({ key, member });
    for (const entry of isThere || first === undefined ? rest : [first, ...rest]) {
      if (!entry.isInSink) remove.push({ key, entry, reason: 'SinkChanged' });
      else if (!entry.isDeleting) duplicates.push({ key, entry, reason: 'Duplicate' });
    }
  }
  for (const { key, item: entry } of sink.found)
    if (!wanted.has(key)) remove.push({ key, entry, reason: 'NotInSource' });
  const [adds, heldAdds] = parted(add.sort(byMember), heldAdd(sink.failed, onEnrolledKeyError));
  const [removes, heldRemoves] = parted(remove.sort(byEntry), heldRemove(source.failed, onSourceKeyError));
  return {
    source: members.length,
    enrolled: ours.length,
    add: adds,
    keep: keep.sort(byMember),
    remove: removes,
    duplicates: duplicates.sort(byEntry),
    sameKey,
    unkeyedMembers: source.failed.map(({ item: { id }, message }) => ({ id, message })),
    unkeyedEntries: sink.failed.map(({ item: { id }, message }) => ({ id, message })),
    heldAdds,
    heldRemoves,
    foreign: entries.filter(({ ownership }) => ownership === 'foreign').sort(byId),
  };
}

interface Failed<T> {
  readonly item: T;
  readonly message: string;
}

function keyed<T extends { readonly id: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
): { readonly found: readonly { readonly key: string; readonly item: T }[]; readonly failed: readonly Failed<T>[] } {
  const found: { readonly key: string; readonly item: T }[] = [];
  const failed: Failed<T>[] = [];
  for (const item of items.toSorted(byId)) {
    try {
      found.push({ key: keyOf(item), item });
    } catch (error) {
      failed.push({ item, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { found, failed };
}

/** An entry without a key may be that of any member, or of the one whose id it carries. */
function heldAdd(failed: readonly Failed<Entry>[], policy: OnEnrolledKeyError): (wanted: Wanted) => boolean {
  if (failed.length === 0 || policy === 'Provision') return () => false;
  const ids = failed.map(({ item }) => item.marks.sourceId);
  if (policy === 'Hold' || ids.includes(undefined)) return () => true;
  return ({ member }) => ids.includes(member.id);
}

/** A member without a key may have any entry, or the one that carries its id. */
function heldRemove(failed: readonly Failed<Member>[], policy: OnSourceKeyError): (surplus: Surplus) => boolean {
  if (failed.length === 0 || policy === 'Destroy') return () => false;
  if (policy === 'Hold') return () => true;
  const ids = new Set(failed.map(({ item }) => item.id));
  return ({ entry }) => entry.marks.sourceId === undefined || ids.has(entry.marks.sourceId);
}

function parted<T>(items: readonly T[], isHeld: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter((item) => !isHeld(item)), items.filter(isHeld)];
}

/** In the sink before elsewhere, staying before going, ready before not, old before young. */
function bestFirst(a: Entry, b: Entry): number {
  const ranks = (entry: Entry): readonly boolean[] => [entry.isInSink, !entry.isDeleting, entry.isReady];
  const [left, right] = [ranks(a), ranks(b)];
  const index = left.findIndex((value, place) => value !== right[place]);
  if (index !== -1) return left[index] === true ? -1 : 1;
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return byId(a, b);
}

const byMember = (a: Wanted, b: Wanted): number => byId(a.member, b.member);
const byEntry = (a: Surplus, b: Surplus): number => byId(a.entry, b.entry);
