// An Event as the API server takes it. Pure.
import type { Happening } from './happening.ts';
import { microTime } from '../leader/lease.ts';

/** The kind, addressed without discovery. */
export const EVENTS = { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true } as const;

/** The API server refuses longer notes; counted in bytes. */
const MAX_NOTE = 1024;
const MAX_NAME = 230;

type Json = Readonly<Record<string, unknown>>;

/** How often something was seen again. */
export interface SeriesState {
  readonly count: number;
  readonly lastAt: number;
}

/** Where an Event about an object lives: with it, or in `default` if it has no namespace. */
export function eventNamespace({ regarding }: Happening): string {
  return regarding.namespace ?? 'default';
}

/** The name of an Event: that of its object, and something that no other Event has. */
export function eventName({ regarding }: Happening, suffix: string): string {
  return `${regarding.name.slice(0, MAX_NAME).replace(/[^a-z0-9]+$/, '')}.${suffix}`;
}

/** The body of an Event that is created. Times are in milliseconds since the epoch. */
export function eventBody(
  happening: Happening,
  seen: { readonly name: string; readonly firstAt: number; readonly series: SeriesState },
  reporter: { readonly controller: string; readonly instance: string },
): Json {
  const { type, reason, action, note, regarding, related } = happening;
  return {
    metadata: { name: seen.name, namespace: eventNamespace(happening) },
    eventTime: microTime(seen.firstAt),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance.slice(0, 128),
    type,
    reason,
    action,
    note: shortened(note),
    regarding,
    ...(related === undefined ? {} : { related }),
    ...seriesBody(seen.series),
  };
}

/** The part that changes when the same thing is seen again; nothing the first time. */
export function seriesBody({ count, lastAt }: SeriesState): Json {
  return count < 2 ? {} : { series: { count, lastObservedTime: microTime(lastAt) } };
}

function shortened(note: string): string {
  if (Buffer.byteLength(note) <= MAX_NOTE) return note;
  const bytes = Buffer.from(note).subarray(0, MAX_NOTE - 3);
  // A character that was cut in half decodes to a replacement character.
  return `${bytes.toString().replace(/\uFFFD$/, '')}...`;
}
