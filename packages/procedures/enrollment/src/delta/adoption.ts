// Which entries are to be marked as ours, and how. Pure.
import { ANNOTATIONS, LABELS, ownerHashOf } from '@pawl/reconciler/kubernetes';
import type { Enrollment } from '../api.ts';
import type { Options } from '../options/options.ts';
import { enrollmentName, fullMarks } from '../sinks/marks.ts';
import { desiredOf } from './desired.ts';
import { byId, type Desired, type Entry, type Marks, type Member } from './member.ts';
import { entryKeysBySourceId, memberKeys } from './keys.ts';

export interface Marking {
  readonly entry: Entry;
  readonly key: string;
  readonly marks: Marks;
}

interface Given {
  readonly object: Enrollment;
  readonly options: Options;
  readonly members: readonly Member[];
}

/** Entries of 1.0.0: the key is that of the member whose id they carry; if that member is gone, the id itself. */
export function legacyMarks({
  object,
  options,
  members,
  legacy,
}: Given & { readonly legacy: readonly Entry[] }): readonly Marking[] {
  const byMemberId = new Map(members.map((member) => [member.id, member]));
  const byKey = keysOf(options, members);
  return legacy.toSorted(byId).flatMap((entry) => {
    const { sourceId } = entry.marks;
    const key = tried(() => entryKeysBySourceId(options)(entry));
    const member =
      (sourceId === undefined ? undefined : byMemberId.get(sourceId)) ??
      (key === undefined ? undefined : byKey.get(key));
    const known = member === undefined ? undefined : tried(() => memberKeys(options)(member));
    const marked = known ?? key;
    return marked === undefined
      ? []
      : [{ entry, key: marked, marks: marksFor(object, options, marked, member, entry) }];
  });
}

/** Entries of nobody whose key is that of a member without an entry; one for each member. */
export function adoptable({
  object,
  options,
  members,
  entries,
}: Given & { readonly entries: readonly Entry[] }): readonly Marking[] {
  const wanted = keysOf(options, members);
  for (const { ownership, marks } of entries)
    if (ownership !== 'foreign') wanted.delete(marks.key ?? marks.sourceId ?? '');
  const found: Marking[] = [];
  for (const entry of entries.filter((candidate) => isFree(candidate, object)).sort(byId)) {
    const key = keyOfForeign(options, entry);
    const member = key === undefined ? undefined : wanted.get(key);
    if (key === undefined || member === undefined) continue;
    wanted.delete(key);
    found.push({ entry, key, marks: marksFor(object, options, key, member, entry) });
  }
  return found;
}

/** Nobody's, or left behind by an Enrollment of this very name that is gone. */
function isFree({ ownership, isInSink, isDeleting, marks, object: child }: Entry, owner: Enrollment): boolean {
  if (ownership !== 'foreign' || !isInSink || isDeleting) return false;
  if (child === undefined) return marks.ownerUid === undefined || marks.enrollment === enrollmentName(owner);
  const { labels = {}, annotations = {}, ownerReferences = [] } = child.metadata;
  const label = labels[LABELS.owner];
  const isNobodys = label === undefined && annotations[ANNOTATIONS.ownerUid] === undefined;
  return (isNobodys || label === ownerHashOf(owner)) && !ownerReferences.some(({ controller }) => controller === true);
}

function keyOfForeign(options: Options, entry: Entry): string | undefined {
  return (
    (options.enrolledKey === undefined ? entry.marks.key : undefined) ??
    tried(() => entryKeysBySourceId(options)(entry))
  );
}

/** The entry counts as made from what is desired now, where that cannot be told to be wrong: adopting never replaces. */
function marksFor(object: Enrollment, options: Options, key: string, member: Member | undefined, entry: Entry): Marks {
  const home = { name: object.metadata.name, namespace: object.metadata.namespace ?? '' };
  const desired: Desired | undefined =
    member === undefined ? undefined : tried(() => desiredOf(options, home, { key, member }));
  const sourceId = member?.id ?? entry.marks.sourceId ?? key;
  return fullMarks(object, { sourceId, key, specHash: desired?.specHash ?? 'unknown' });
}

function keysOf(options: Options, members: readonly Member[]): Map<string, Member> {
  const keyOf = memberKeys(options);
  const found = new Map<string, Member>();
  for (const member of members.toSorted(byId)) {
    const key = tried(() => keyOf(member));
    if (key !== undefined && !found.has(key)) found.set(key, member);
  }
  return found;
}

function tried<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
