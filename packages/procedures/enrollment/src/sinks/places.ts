// Where entries of an Enrollment are, or may be left from before its sink was changed.
import { isEqualJson } from '@pawl/reconciler';
import type { Enrollment, RecordedSink, SinkSpec } from '../api.ts';

/** The sink of the spec, as it is recorded. */
export function placeOf({ template, plugin, labels }: SinkSpec, home: string | undefined): RecordedSink {
  if (plugin !== undefined) return { plugin: plugin.name, ...(labels === undefined ? {} : { labels }) };
  if (template === undefined) return {};
  const { apiVersion, kind, namespace = home } = template;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }) };
}

/** The current sink first, then every other one in which something may be. */
export function placesOf({ spec, status, metadata }: Enrollment): readonly RecordedSink[] {
  const current = placeOf(spec.sink, metadata.namespace);
  return [current, ...(status?.sinks ?? []).filter((place) => !isEqualJson(place, current))];
}
