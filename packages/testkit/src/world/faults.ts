// Faults as plain data: what goes wrong, and where. Addressed by counting within one process, so that a plan can be
// written to a file and replayed.

/** Which process of the story: 1 is the first operator, 2 its successor, and so on. */
export interface Address {
  readonly process: number;
}

export type RequestFailure =
  /** A foreign writer changes the object first, so that the server itself finds the conflict. */
  | 'conflict'
  /** Too many requests, with a Retry-After. */
  | '429'
  /** An internal error; the server has done nothing. */
  | '500-before'
  /** An internal error; the server has done it all the same. */
  | '500-after'
  /** The server does it and the answer is never seen. */
  | 'timeout-after'
  /** The connection breaks before the server sees the request. */
  | 'reset-before'
  /** The connection breaks after the server did it. */
  | 'reset-after';

export type WatchFailure =
  /** The stream ends without a word, before the event. */
  | 'drop'
  /** This event and all later ones of the stream arrive later. */
  | 'delay'
  /** The server says that the revision is gone, and ends. */
  | '410'
  /** Nothing more arrives, and the connection stays. */
  | 'half-open';

export type Fault =
  | (Address & { readonly kind: 'crash'; readonly write: number; readonly moment: 'before' | 'after' })
  | (Address & { readonly kind: 'request'; readonly request: number; readonly failure: RequestFailure })
  | (Address & { readonly kind: 'watch'; readonly event: number; readonly failure: WatchFailure })
  /** The process sees no events from a write on, for a while. */
  | (Address & { readonly kind: 'stale'; readonly write: number; readonly forMs: number })
  /** Somebody applies another edit right before a write. */
  | (Address & { readonly kind: 'edit'; readonly write: number; readonly edit: number })
  /** The wall clock of the process jumps at a write. */
  | (Address & { readonly kind: 'clock'; readonly write: number; readonly byMs: number })
  /** From a write on no request of the process reaches the server, for a while; that write arrives when it heals. */
  | (Address & { readonly kind: 'partition'; readonly write: number; readonly forMs: number });

const FAILURES: Readonly<Record<RequestFailure, string>> = {
  conflict: 'somebody else changes the object just before',
  '429': 'refused with 429',
  '500-before': 'fails with 500, not done',
  '500-after': 'fails with 500, done all the same',
  'timeout-after': 'done, but the answer never arrives',
  'reset-before': 'connection breaks, not done',
  'reset-after': 'connection breaks, done all the same',
};
const WATCH_FAILURES: Readonly<Record<WatchFailure, string>> = {
  drop: 'ends the watch without a word',
  delay: 'arrives late, and all after it',
  '410': 'is replaced by "too old resource version"',
  'half-open': 'never arrives, nor anything after it',
};

/** A fault in words. */
export function describeFault(fault: Fault): string {
  const of = `of process ${fault.process}`;
  switch (fault.kind) {
    case 'crash':
      return `process ${fault.process} is killed ${fault.moment === 'before' ? 'before' : 'right after'} write ${fault.write}`;
    case 'request':
      return `request ${fault.request} ${of}: ${FAILURES[fault.failure]}`;
    case 'watch':
      return `watch event ${fault.event} ${of} ${WATCH_FAILURES[fault.failure]}`;
    case 'stale':
      return `process ${fault.process} sees no events for ${fault.forMs / 1000} s from write ${fault.write} on`;
    case 'edit':
      return `edit ${fault.edit + 1} is applied right before write ${fault.write} ${of}`;
    case 'clock':
      return `the clock of process ${fault.process} jumps by ${fault.byMs / 1000} s at write ${fault.write}`;
    case 'partition':
      return `process ${fault.process} is cut off for ${fault.forMs / 1000} s at write ${fault.write}, which arrives then`;
  }
}
