// Entries that are objects of a kind: one child for each member.
import {
  ANNOTATIONS,
  LABELS,
  ownerHashOf,
  type Desired as DesiredObject,
  type Owner,
} from '@pawl/reconciler/kubernetes';
import type { Child, Enrollment } from '../api.ts';
import type { Desired, Entry, Marks } from '../delta/member.ts';
import { metadataOf, RELEASE_REQUESTED } from './marks.ts';
import type { EntryMarker, EntryWriter, MarkerClients } from './ports.ts';

type Json = Readonly<Record<string, unknown>>;

export function objectWriter(client: Owner<Child>, namespace: string | undefined): EntryWriter {
  const apply = (name: string, desired: Desired, marks: Marks): Promise<Child> =>
    client.apply(childOf(name, namespace, desired, marks));
  return {
    add: async (desired, marks) => {
      await apply(desired.name, desired, marks);
    },
    update: async ({ id }, desired, marks) => {
      await apply(id, desired, marks);
      return 'done';
    },
    remove: async ({ object }) => {
      if (object !== undefined) await client.remove(object);
    },
  };
}

/** Claims that this package holds on entries. */
export const CLAIMS = { marks: 'marks', orphan: 'orphan', release: 'release' } as const;

/** Marks an object by a claim of their own, so that its content stays exactly as it is. */
export function objectMarker(owner: Enrollment, marked: MarkerClients['marked']): EntryMarker {
  return {
    mark: async ({ object }: Entry, _key: string, marks: Marks) => {
      if (object === undefined) return;
      const { labels, annotations } = metadataOf(marks);
      const metadata = {
        labels: { ...labels, [LABELS.owner]: ownerHashOf(owner) },
        annotations: { ...annotations, [ANNOTATIONS.ownerUid]: owner.metadata.uid },
      };
      await marked(object).edit(object, CLAIMS.marks, { metadata });
      // What a former Enrollment left behind for good is taken back.
      if (object.metadata.annotations?.[ANNOTATIONS.keep] === 'true')
        await marked(object).release(object, CLAIMS.orphan);
    },
    askForRelease: async ({ object }, _key, since) => {
      if (object === undefined) return;
      const annotations = since === undefined ? undefined : { [RELEASE_REQUESTED]: new Date(since).toISOString() };
      if (annotations === undefined) await marked(object).release(object, CLAIMS.release);
      else await marked(object).edit(object, CLAIMS.release, { metadata: { annotations } });
    },
  };
}

function childOf(
  name: string,
  namespace: string | undefined,
  { body, labels }: Desired,
  marks: Marks,
): DesiredObject<Child> {
  const {
    metadata,
    apiVersion: _version,
    kind: _kind,
    status: _status,
    ...content
  } = (body ?? {}) as Json & { readonly metadata?: Json };
  const own = metadataOf(marks);
  const all = { ...(metadata?.['labels'] as Readonly<Record<string, string>> | undefined), ...labels, ...own.labels };
  return {
    ...content,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(Object.keys(all).length === 0 ? {} : { labels: all }),
      annotations: {
        ...(metadata?.['annotations'] as Readonly<Record<string, string>> | undefined),
        ...own.annotations,
      },
    },
  };
}
