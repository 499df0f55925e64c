// How an entry carries its marks: tags of a plugin's instance, labels and annotations of an object.
import { ANNOTATIONS, LABELS, ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { GROUP, type Enrollment } from '../api.ts';
import { keyHashOf } from '../delta/keys.ts';
import type { Desired, Entry, Marks, Release } from '../delta/member.ts';

type Texts = Readonly<Record<string, string>>;

/** Tags of a plugin's instance. The first two are InfraKit's own, so that what its controller made is recognised. */
export const TAGS = {
  sourceId: 'infrakit.enrollment.sourceID',
  enrollment: 'infrakit.enrollment.name',
  ownerUid: `${GROUP}/owner-uid`,
  key: `${GROUP}/key`,
  keyHash: `${GROUP}/key-hash`,
  specHash: `${GROUP}/spec-hash`,
} as const;

/** On objects: the hash as a label, so that it can be selected; the rest as annotations, where any text is allowed. */
export const KEY_HASH_LABEL = `${GROUP}/key-hash`;
export const SOURCE_ID = `${GROUP}/source-id`;
export const KEY = `${GROUP}/key`;
export const SPEC_HASH = `${GROUP}/spec-hash`;

/** On an Enrollment: the removals that a person allows, by the hash that the status shows. */
export const CONFIRM_REMOVALS = `${GROUP}/confirm-removals`;

/** On an entry: since when its release is asked for, and that it is given; tags of an instance, annotations of an object. */
export const RELEASE_REQUESTED = `${GROUP}/release-requested`;
export const RELEASED = `${GROUP}/released`;

/** What tags or annotations say of the release of an entry. */
export function releaseOf(texts: Texts): Release {
  const requestedAt = Date.parse(texts[RELEASE_REQUESTED] ?? '');
  return { requestedAt: Number.isNaN(requestedAt) ? undefined : requestedAt, isGiven: texts[RELEASED] === 'true' };
}

/** Stable for a name, whatever its uid. */
export const enrollmentName = ({ metadata }: Enrollment): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/** What 1.0.0 writes. */
export function firstMarks(object: Enrollment, desired: Pick<Desired, 'sourceId'>): Marks {
  return { sourceId: desired.sourceId, enrollment: enrollmentName(object) };
}

/** What 2.0.0 and later write. */
export function fullMarks(object: Enrollment, desired: Pick<Desired, 'sourceId' | 'key' | 'specHash'>): Marks {
  const { sourceId, key, specHash } = desired;
  return {
    ...firstMarks(object, desired),
    sourceId,
    ownerUid: object.metadata.uid,
    key,
    keyHash: keyHashOf(key),
    specHash,
  };
}

export function tagsOf(marks: Marks): Texts {
  return Object.fromEntries(
    Object.entries(TAGS).flatMap(([name, tag]) => {
      const value = marks[name as keyof Marks];
      return value === undefined ? [] : [[tag, value]];
    }),
  );
}

export function marksOfTags(tags: Texts): Marks {
  return Object.fromEntries(Object.entries(TAGS).map(([name, tag]) => [name, tags[tag]]));
}

/** Without the owner: that is the framework's, on objects. */
export function metadataOf({ sourceId, key, keyHash, specHash }: Marks): {
  readonly labels: Texts;
  readonly annotations: Texts;
} {
  const texts = (fields: Readonly<Record<string, string | undefined>>): Texts =>
    Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined));
  return {
    labels: texts({ [KEY_HASH_LABEL]: keyHash }),
    annotations: texts({ [SOURCE_ID]: sourceId, [KEY]: key, [SPEC_HASH]: specHash }),
  };
}

export function marksOfObject({ metadata: { labels = {}, annotations = {} } }: KubernetesObject): Marks {
  return {
    sourceId: annotations[SOURCE_ID],
    key: annotations[KEY],
    keyHash: labels[KEY_HASH_LABEL],
    specHash: annotations[SPEC_HASH],
    ownerUid: annotations[ANNOTATIONS.ownerUid],
  };
}

/** Whose an instance is, by its tags. */
export function ownershipOfTags({ ownerUid, enrollment }: Marks, object: Enrollment): Entry['ownership'] {
  if (ownerUid !== undefined) return ownerUid === object.metadata.uid ? 'ours' : 'foreign';
  return enrollment === enrollmentName(object) ? 'legacy' : 'foreign';
}

/** Whose an object is: by the framework's label and the uid of the owner that it was made for. */
export function ownershipOfObject(child: KubernetesObject, object: Enrollment): Entry['ownership'] {
  const { labels = {}, annotations = {} } = child.metadata;
  const isOurs =
    labels[LABELS.owner] === ownerHashOf(object) && annotations[ANNOTATIONS.ownerUid] === object.metadata.uid;
  if (!isOurs) return 'foreign';
  return labels[KEY_HASH_LABEL] === undefined ? 'legacy' : 'ours';
}
