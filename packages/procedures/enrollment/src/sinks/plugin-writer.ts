// Entries that a plugin keeps: instances, in InfraKit's words.
import { isEqualJson } from '@pawl/reconciler';
import type { Desired, Entry, Marks } from '../delta/member.ts';
import type { InstanceSpec, PluginCalls } from '../plugins/spi.ts';
import { RELEASED, RELEASE_REQUESTED, tagsOf } from './marks.ts';
import type { EntryMarker, EntryWriter } from './ports.ts';

export function pluginWriter(plugin: string, calls: PluginCalls['effects']): EntryWriter {
  return {
    add: async (desired, marks) => {
      await calls.provision(plugin, specOf(desired, marks), desired.key);
    },
    update: async (entry, desired, marks) => {
      if (entry.marks.specHash !== desired.specHash) return 'cannot';
      const tags = { ...desired.labels, ...tagsOf(marks) };
      const isLabelled = Object.entries(tags).every(([name, value]) => entry.tags[name] === value);
      if (!isLabelled) await calls.label(plugin, entry.id, tags, desired.key);
      return 'done';
    },
    remove: (entry, key, reason) => calls.destroy(plugin, entry.id, reason, key),
  };
}

export function pluginMarker(calls: Pick<PluginCalls['effects'], 'label'>): EntryMarker {
  return {
    mark: async (entry: Entry, key: string, marks: Marks) => {
      const tags = tagsOf(marks);
      const carried = Object.fromEntries(Object.keys(tags).map((name) => [name, entry.tags[name]]));
      if (!isEqualJson(tags, carried)) await calls.label(entry.place.plugin ?? '', entry.id, tags, key);
    },
    // Tags can be changed, not taken away.
    askForRelease: (entry, key, since) =>
      calls.label(
        entry.place.plugin ?? '',
        entry.id,
        since === undefined
          ? { [RELEASE_REQUESTED]: '', [RELEASED]: '' }
          : { [RELEASE_REQUESTED]: new Date(since).toISOString() },
        key,
      ),
  };
}

/** The labels are copied: what is made of them for one entry never reaches the next one. */
function specOf({ body, labels, name }: Desired, marks: Marks): InstanceSpec {
  return { Properties: body, Tags: { ...labels, ...tagsOf(marks) }, LogicalID: name };
}
