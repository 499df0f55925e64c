// Reads all entries of one Enrollment: one list for each place.
import { isEqualJson } from '@pawl/reconciler';
import {
  LABELS,
  ownerHashOf,
  type KubernetesObject,
  type Reader,
  type ResourceType,
} from '@pawl/reconciler/kubernetes';
import type { Child, Enrollment, RecordedSink } from '../api.ts';
import { hasCondition } from '../condition.ts';
import type { Entry } from '../delta/member.ts';
import type { Description, PluginCalls } from '../plugins/spi.ts';
import { marksOfObject, marksOfTags, ownershipOfObject, ownershipOfTags, releaseOf } from './marks.ts';
import { placeOf } from './places.ts';

export interface EntryReader {
  readonly entries: (type: ResourceType) => Pick<Reader<Child>, 'list'>;
  readonly plugins: Pick<PluginCalls['reads'], 'describeInstances'>;
}

/** Entries of these places. Rejects if one of them cannot be read. */
export async function readEntries(
  object: Enrollment,
  places: readonly RecordedSink[],
  reader: EntryReader,
): Promise<readonly Entry[]> {
  const found = await Promise.all(places.map((place) => readPlace(object, place, reader)));
  // The same plugin may be asked twice, with the labels of now and those of before.
  const seen = new Set<string>();
  return found.flat().filter(({ id, place: { plugin, apiVersion = '', kind = '', namespace = '' } }) => {
    const name = [plugin, apiVersion, kind, namespace, id].join('\n');
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

async function readPlace(object: Enrollment, place: RecordedSink, reader: EntryReader): Promise<readonly Entry[]> {
  const { plugin, labels = {}, apiVersion, kind, namespace } = place;
  const current = placeOf(object.spec.sink, object.metadata.namespace);
  if (plugin !== undefined) {
    const isInSink = plugin === current.plugin;
    const instances = await reader.plugins.describeInstances(plugin, labels);
    return instances.map((instance) => ofInstance(object, instance, { place, isInSink }));
  }
  if (apiVersion === undefined || kind === undefined) return [];
  const isInSink = isEqualJson(place, current);
  const client = reader.entries({ apiVersion, kind });
  const within = namespace === undefined ? {} : { namespace };
  const ours = await client.list({ ...within, labels: { [LABELS.owner]: ownerHashOf(object) } });
  const wider = isInSink ? widerSelection(object) : undefined;
  const others = wider === undefined ? [] : await client.list({ ...within, labels: wider });
  const all = new Map([...others, ...ours].map((child) => [child.metadata.uid, child]));
  return [...all.values()].map((child) => ofObject(object, child, { place, isInSink }));
}

/** What else to look at: entries of others are counted where the labels say what an entry is, and where some may be adopted. */
function widerSelection({ spec: { sink, policy } }: Enrollment): Readonly<Record<string, string>> | undefined {
  return sink.labels ?? (policy?.adopt === 'MatchingKey' ? {} : undefined);
}

type Where = Pick<Entry, 'place' | 'isInSink'>;

function ofInstance(object: Enrollment, { ID, LogicalID, Tags, Properties }: Description, where: Where): Entry {
  const marks = marksOfTags(Tags);
  return {
    id: ID,
    logicalID: LogicalID,
    tags: Tags,
    properties: Properties,
    marks,
    ownership: ownershipOfTags(marks, object),
    ...where,
    isReady: true,
    isDeleting: false,
    release: releaseOf(Tags),
    createdAt: '',
  };
}

function ofObject(owner: Enrollment, object: KubernetesObject, where: Where): Entry {
  const { metadata } = object;
  const { readyCondition } = owner.spec.sink.template ?? {};
  return {
    id: metadata.name,
    tags: metadata.labels ?? {},
    properties: object,
    marks: marksOfObject(object),
    ownership: ownershipOfObject(object, owner),
    ...where,
    isReady: readyCondition === undefined || hasCondition(object, readyCondition),
    isDeleting: metadata.deletionTimestamp !== undefined,
    release: releaseOf(metadata.annotations ?? {}),
    createdAt: metadata.creationTimestamp ?? '',
    object,
  };
}
