// Members of the source and entries of the sink, whatever they come from.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { RecordedSink } from '../api.ts';
import type { Scope } from '../options/template.ts';

type Texts = Readonly<Record<string, string>>;

export interface Member {
  readonly id: string;
  readonly logicalID?: string | undefined;
  readonly tags: Texts;
  readonly properties: unknown;
  /** Of a selector: the object itself. */
  readonly object?: KubernetesObject;
  /** The same value as long as the member does not change, if its source has one. */
  readonly origin?: object;
}

/** What an entry carries of where it comes from. 1.0.0 writes the first two only. */
export interface Marks {
  /** The id of the member, as it is. */
  readonly sourceId?: string | undefined;
  /** `namespace/name` of the Enrollment; of a plugin's entry only. */
  readonly enrollment?: string | undefined;
  readonly ownerUid?: string | undefined;
  readonly key?: string | undefined;
  readonly keyHash?: string | undefined;
  /** Fingerprint of what the entry was made from. */
  readonly specHash?: string | undefined;
}

export interface Entry {
  readonly id: string;
  readonly logicalID?: string | undefined;
  readonly tags: Texts;
  readonly properties: unknown;
  readonly marks: Marks;
  /** `legacy`: ours by the mark of 1.0.0, without the uid of the Enrollment. */
  readonly ownership: 'ours' | 'legacy' | 'foreign';
  /** Where it was found. */
  readonly place: RecordedSink;
  /** False: in a sink that the spec names no longer. */
  readonly isInSink: boolean;
  readonly isReady: boolean;
  readonly isDeleting: boolean;
  /** Somebody was asked to release it before it is removed. */
  readonly release: Release;
  /** RFC 3339, or empty if the sink does not tell. */
  readonly createdAt: string;
  /** Of a template sink: the object itself. */
  readonly object?: KubernetesObject;
}

/** Whether an entry may be removed, where somebody has to say so first. */
export interface Release {
  /** Milliseconds since the epoch; undefined if nobody was asked. */
  readonly requestedAt: number | undefined;
  readonly isGiven: boolean;
}

/** What the entry of a member shall be. */
export interface Desired {
  readonly key: string;
  readonly sourceId: string;
  /** Name of a new object; a template sink only. */
  readonly name: string;
  readonly labels: Texts;
  /** Rendered properties. */
  readonly body: unknown;
  /** Of the body: an entry that carries another one was made from something else. */
  readonly specHash: string;
}

/** Whose entries these are. */
export interface Home {
  readonly name: string;
  readonly namespace: string;
}

/** What a key template of the source, or of the sink, can name. */
export function scopeOf({ id, logicalID, tags, properties, object }: Member | Entry): Scope {
  return {
    id,
    tags,
    properties,
    ...(logicalID === undefined ? {} : { logicalID }),
    ...(object === undefined ? {} : { object }),
  };
}

/** By code points, so that every machine sorts alike. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
