// The writer of a place, whatever kind of sink is there.
import type { Enrollment, RecordedSink } from '../api.ts';
import type { Entry } from '../delta/member.ts';
import { objectMarker, objectWriter } from './object-writer.ts';
import { placeOf } from './places.ts';
import { pluginMarker, pluginWriter } from './plugin-writer.ts';
import type { EntryMarker, EntryWriter, MarkerClients, WriterClients } from './ports.ts';

/** The writer of the sink that the spec names. */
export function currentWriter(object: Enrollment, clients: WriterClients): EntryWriter {
  return writerOf(placeOf(object.spec.sink, object.metadata.namespace), clients);
}

/** The writer of a place: entries are removed where they are. */
export function writerOf(
  { plugin, apiVersion, kind, namespace }: RecordedSink,
  { entries, plugins }: WriterClients,
): EntryWriter {
  if (plugin !== undefined) return pluginWriter(plugin, plugins);
  if (apiVersion === undefined || kind === undefined) throw new Error('the sink names no kind');
  return objectWriter(entries({ apiVersion, kind }), namespace);
}

/** The marker of an entry, whatever kind of sink it is in. */
export function markerOf(
  { place }: Pick<Entry, 'place'>,
  object: Enrollment,
  { marked, plugins }: MarkerClients,
): EntryMarker {
  return place.plugin === undefined ? objectMarker(object, marked) : pluginMarker(plugins);
}
