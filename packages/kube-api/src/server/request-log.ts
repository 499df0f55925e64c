// The log of requests: what came in which order, for tests and for people who want to see.
import type { ApiRequest } from '../transport.ts';

/** One request, in the order of arrival. */
export interface LoggedRequest {
  /** Counts up from 1. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: ApiRequest['method'];
  readonly path: string;
  /** The verb on a resource, or '' for other paths. */
  readonly verb: string;
  /** `plural.group`, with `/subresource` if there is one; '' for other paths. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly userAgent: string;
  /** A verb that can change something, dry runs included. */
  readonly mutating: boolean;
  readonly dryRun: boolean;
  /** The HTTP status; 0 until the answer is known. */
  readonly status: number;
}

/** Requests in the order of their arrival. Entries are complete when their request is answered. */
export interface RequestLog extends Iterable<LoggedRequest> {
  /** The entries that are kept, oldest first. */
  readonly entries: () => readonly LoggedRequest[];
  /** How many requests came since the start, also those that are no longer kept. */
  readonly count: () => number;
  /** Calls back with each entry when it is complete; the returned function ends that. */
  readonly onRequest: (listener: (entry: LoggedRequest) => void) => () => void;
  /** Forgets the entries; the count goes on. */
  readonly clear: () => void;
}

type Open = { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] };

/** A log that keeps the newest `limit` entries. */
export class BoundedRequestLog implements RequestLog {
  readonly #limit: number;
  readonly #listeners = new Set<(entry: LoggedRequest) => void>();
  #entries: Open[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Enters a request; the returned function completes the entry. */
  readonly open = (entry: Omit<LoggedRequest, 'sequence' | 'status'>): ((status: number) => void) => {
    const open: Open = { sequence: ++this.#count, ...entry, status: 0 };
    if (this.#limit > 0) {
      this.#entries.push(open);
      // Trimming at twice the limit keeps the cost of an entry constant on average.
      if (this.#entries.length >= this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
    }
    return (status) => {
      open.status = status;
      for (const listener of this.#listeners) listener(open);
    };
  };

  readonly entries = (): readonly LoggedRequest[] => (this.#limit === 0 ? [] : this.#entries.slice(-this.#limit));

  readonly count = (): number => this.#count;

  readonly onRequest = (listener: (entry: LoggedRequest) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  [Symbol.iterator](): Iterator<LoggedRequest> {
    return this.entries()[Symbol.iterator]();
  }

  readonly clear = (): void => {
    this.#entries = [];
  };
}
