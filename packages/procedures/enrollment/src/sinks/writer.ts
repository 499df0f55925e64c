// Changes entries of a sink, one at a time. A rejected call has failed for that entry only.
import type { Editor, Owner, ResourceType } from '@pawl/reconciler/kubernetes';
import type { Child, Enrollment, RecordedSink } from '../api.ts';
import type { Desired } from '../delta/desired.ts';
import type { Entry, Marks } from '../delta/member.ts';
import type { DestroyReason, PluginCalls } from '../plugins/spi.ts';
import { objectWriter } from './object-writer.ts';
import { pluginWriter } from './plugin-writer.ts';
import { placeOf } from './places.ts';

export interface EntryWriter {
  readonly add: (desired: Desired, marks: Marks) => Promise<void>;
  /** Brings an entry to what is desired. `cannot`: this sink changes no entries, they are only made anew. */
  readonly update: (entry: Entry, desired: Desired, marks: Marks) => Promise<'done' | 'cannot'>;
  readonly remove: (entry: Entry, key: string, reason: DestroyReason) => Promise<void>;
}

/** What the writers work through: clients of an Action. */
export interface WriterClients {
  readonly entries: (type: ResourceType) => Owner<Child>;
  readonly plugins: PluginCalls['effects'];
}

/** Puts marks on entries that are there, and changes nothing else of them. */
export interface EntryMarker {
  readonly mark: (entry: Entry, key: string, marks: Marks) => Promise<void>;
}

export interface MarkerClients {
  readonly marked: (type: ResourceType) => Editor<Child>;
  readonly plugins: Pick<PluginCalls['effects'], 'label'>;
}

/** The writer of the sink that the spec names. */
export function currentWriter(object: Enrollment, clients: WriterClients): EntryWriter {
  return writerOf(placeOf(object.spec.sink, object.metadata.namespace), clients);
}

/** The writer of a place: entries are removed where they are. */
export function writerOf({ plugin, apiVersion, kind, namespace }: RecordedSink, { entries, plugins }: WriterClients): EntryWriter {
  if (plugin !== undefined) return pluginWriter(plugin, plugins);
  if (apiVersion === undefined || kind === undefined) throw new Error('the sink names no kind');
  return objectWriter(entries({ apiVersion, kind }), namespace);
}
