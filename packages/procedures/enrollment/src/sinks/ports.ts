// What changes entries of a sink, and what it works through. A rejected call has failed for that entry only.
import type { Editor, Owner, ResourceType } from '@pawl/reconciler/kubernetes';
import type { Child } from '../api.ts';
import type { Desired, Entry, Marks } from '../delta/member.ts';
import type { DestroyReason, PluginCalls } from '../plugins/spi.ts';

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
  /** Asks for the release of an entry, since a time in milliseconds; undefined takes the request back. */
  readonly askForRelease: (entry: Entry, key: string, since: number | undefined) => Promise<void>;
}

export interface MarkerClients {
  readonly marked: (type: ResourceType) => Editor<Child>;
  readonly plugins: Pick<PluginCalls['effects'], 'label'>;
}
