// Events have two forms, core/v1 and events.k8s.io/v1, of one stored object: the same facts under other names.
import type { Json, KubeObject } from '../json.ts';

/** Names in core/v1, as stored, and in events.k8s.io/v1. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const NEW_NAMES = new Map(RENAMED);
const OLD_NAMES = new Map(RENAMED.map(([old, renamed]) => [renamed, old] as const));

const converted = new WeakMap<KubeObject, KubeObject>();

/** A stored event in the form of events.k8s.io/v1. */
export function eventFromStorage(event: KubeObject): KubeObject {
  let made = converted.get(event);
  if (made === undefined) {
    made = Object.freeze({ ...renamed(event, NEW_NAMES), apiVersion: 'events.k8s.io/v1' });
    converted.set(event, made);
  }
  return made;
}

/** An event of events.k8s.io/v1 as it is stored. */
export function eventToStorage(event: KubeObject): KubeObject {
  return { ...renamed(event, OLD_NAMES), apiVersion: 'v1' };
}

function renamed(event: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const members = Object.entries(event).map(([key, value]): [string, Json | undefined] => [
    names.get(key) ?? key,
    value,
  ]);
  return Object.fromEntries(members) as KubeObject;
}
