// What happened in a run, in order: requests with their answers, starts, crashes, faults. The trace is its text.
import { createHash } from 'node:crypto';
import type { ActionName } from './action-name.ts';

/** One request of one process, as it ended. */
export interface RequestEvent {
  readonly type: 'request';
  readonly atMs: number;
  /** The process that sent it. */
  readonly process: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  /** Counted from 1 among all requests of the process, watches included. */
  readonly request: number;
  /** Counted from 1 among those that can change something; undefined for reads and dry runs. */
  readonly write: number | undefined;
  /** 0: the process never heard of it. */
  readonly status: number;
  /** The object before a write, and what it became; undefined: not there. Only for writes that reached the server. */
  readonly before: unknown;
  readonly after: unknown;
  /** Whether the server took it. */
  readonly committed: boolean;
  /** The fault that hit it, in words. */
  readonly fault: string | undefined;
  /** Name of the holder of the Lease at that moment, if there is one. */
  readonly holder?: string | undefined;
  /** The Action in whose code it was sent; absent: the framework sent it. */
  readonly by?: ActionName | undefined;
  /** Of a read: the resourceVersion of what was answered. */
  readonly revision?: string | undefined;
  /** How long the answer asked to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** One object as an Action was shown it. */
export interface Seen {
  /** `Kind namespace/name`. */
  readonly object: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** What an Action was shown. */
export interface ReadEvent {
  readonly type: 'read';
  readonly atMs: number;
  readonly process: number;
  readonly by: ActionName;
  /** Who answered; `own`: the reconciled object, as the cycle has it. */
  readonly source: 'server' | 'cache' | 'own';
  /** What it asked for: one object, or all of a kind. */
  readonly what: string;
  readonly found: readonly Seen[];
}

/** A call that changes an external system. */
export interface EffectEvent {
  readonly type: 'effect';
  readonly atMs: number;
  readonly process: number;
  readonly system: string;
  readonly call: string;
  readonly args: readonly unknown[];
  readonly write: number;
  readonly committed: boolean;
  readonly by?: ActionName | undefined;
}

export interface NoteEvent {
  readonly type: 'note';
  readonly atMs: number;
  readonly process: number;
  readonly says: string;
}

/** What a process logged as a warning or an error. */
export interface LogEvent {
  readonly type: 'log';
  readonly atMs: number;
  readonly process: number;
  readonly level: 'warn' | 'error';
  readonly says: string;
  readonly error: string | undefined;
}

export type HistoryEvent = RequestEvent | EffectEvent | ReadEvent | NoteEvent | LogEvent;

/** One line of the trace. */
export function lineOf(event: HistoryEvent): string {
  const head = `${event.atMs} p${event.process}`;
  switch (event.type) {
    case 'request':
      return `${head} ${event.method} ${event.path} ${event.status} ${JSON.stringify(event.body) ?? ''} ${event.fault ?? ''}`;
    case 'effect':
      return `${head} ${event.system}.${event.call}(${JSON.stringify(event.args)})`;
    case 'read':
      return `${head} ${event.by.action} sees ${event.what}: ${describeSeen(event)}`;
    case 'note':
      return `${head} ${event.says}`;
    case 'log':
      return `${head} ${event.level} ${event.says} ${event.error ?? ''}`;
  }
}

/** The same history gives the same hash. */
export function traceHash(history: readonly HistoryEvent[]): string {
  const hash = createHash('sha256');
  for (const event of history) hash.update(`${lineOf(event)}\n`);
  return hash.digest('hex');
}

/** What a read showed, with revisions. */
export function describeSeen({ found, what }: Pick<ReadEvent, 'found' | 'what'>): string {
  if (found.length === 0) return 'not there';
  return found.map(({ object, resourceVersion }) => `${object === what ? '' : object}@${resourceVersion}`).join(', ');
}
