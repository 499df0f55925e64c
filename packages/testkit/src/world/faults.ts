// Faults as plain data: what goes wrong, and where. Addressed by counting within one process, so that a plan can be
// written to a file and replayed.

/** Which process of the story: 1 is the first operator, 2 its successor, and so on. */
export interface Address {
  readonly process: number;
}

/** Right before this write of the process, counted from 1. */
export interface AtWrite extends Address {
  readonly write: number;
}

/** A refusal before anything was done, or after it was done all the same; the body is a Status, or plain text. */
export type Refusal = '429' | '429-after' | '429-status' | '429-status-after' | `${'503' | '504'}${'' | '-text'}${'' | '-after'}`;

export type RequestFailure =
  /** A foreign writer changes the object first, so that the server itself finds the conflict. */
  | 'conflict'
  /** Overloaded: 429 in plain text as from flow control, all others with a Status unless they say `text`. */
  | Refusal
  /** An internal error; the server has done nothing. */
  | '500-before'
  /** An internal error; the server has done it all the same. */
  | '500-after'
  /** The server never sees it, and the client waits until it loses patience. */
  | 'timeout-before'
  /** The server does it and the answer is never seen. */
  | 'timeout-after'
  /** The connection breaks before the server sees the request. */
  | 'reset-before'
  /** The connection breaks after the server did it. */
  | 'reset-after'
  /** The server does it, and the answer ends in the middle. */
  | 'truncated';

export type WatchFailure =
  /** The stream ends without a word, before the event. */
  | 'drop'
  /** This event and all later ones of the stream arrive later. */
  | 'delay'
  /** The server says that the revision is gone, and ends. */
  | '410'
  /** The server says within the stream that something is wrong with it, and ends. */
  | '500'
  /** Nothing more arrives, and the connection stays. */
  | 'half-open';

/** What the parts of a cluster beside the operator do not do for a while. */
export type Stage =
  /** Pods do not start and do not get ready. */
  | 'pods'
  /** Deployments, StatefulSets, DaemonSets and Jobs make no progress. */
  | 'rollout'
  /** Claims find no volume. */
  | 'claims'
  /** All pods are gone with their node, and new ones do not get ready. */
  | 'node';

/** What somebody does by hand, or a program that is not ours. */
export type Meddling =
  | 'deletes'
  /** Changes a field that the package applies. */
  | 'edits'
  /** Another field manager applies a field that the package applies, by force, with another value. */
  | 'takes'
  /** Takes the finalizers away from an object that the package reconciles. */
  | 'unfinalizes';

/** What a webhook answers to the write of a child. */
export type AdmissionAnswer = 'denies-403' | 'denies-422' | 'times-out' | 'adds-label' | 'adds-default' | 'adds-sidecar';

export type Fault =
  | (AtWrite & { readonly kind: 'crash'; readonly moment: 'before' | 'after' })
  | (Address & { readonly kind: 'request'; readonly request: number; readonly failure: RequestFailure })
  | (Address & { readonly kind: 'watch'; readonly event: number; readonly failure: WatchFailure })
  /** The process sees no events from a write on, for a while. */
  | (AtWrite & { readonly kind: 'stale'; readonly forMs: number })
  /** The process is moved to a server that lags: its watches begin anew there, and show nothing newer for a while. */
  | (AtWrite & { readonly kind: 'lagging'; readonly forMs: number })
  /** The server forgets all history, and every watch of the process breaks. */
  | (AtWrite & { readonly kind: 'compaction' })
  /** Somebody applies another edit right before a write. */
  | (AtWrite & { readonly kind: 'edit'; readonly edit: number })
  /** The wall clock of the process jumps at a write. */
  | (AtWrite & { readonly kind: 'clock'; readonly byMs: number })
  /** The process stands still at a write, as in a long garbage collection; the write is sent afterwards. */
  | (AtWrite & { readonly kind: 'pause'; readonly forMs: number })
  /** From a write on no request of the process reaches the server, for a while; that write arrives when it heals. */
  | (AtWrite & { readonly kind: 'partition'; readonly forMs: number })
  /** From a write on a part of the cluster stands still, for a while. */
  | (AtWrite & { readonly kind: 'cluster'; readonly stage: Stage; readonly forMs: number })
  /** Somebody meddles with an object. Write 0: when the operator has come to rest. */
  | (AtWrite & { readonly kind: 'person'; readonly does: Meddling; /** Its path. */ readonly object: string })
  /** A webhook answers a write, once. */
  | (AtWrite & { readonly kind: 'admission'; readonly answer: AdmissionAnswer });

/** What happens somewhere in the world rather than to a request. */
export type PersonFault = Extract<Fault, { readonly kind: 'person' }>;

/** A fault of one kind as reports count it. */
export function nameOfFault(fault: Fault): string {
  const { kind } = fault;
  if (kind === 'request' || kind === 'watch') return `${kind} ${fault.failure}`;
  if (kind === 'cluster') return `cluster ${fault.stage}`;
  if (kind === 'person') return `person ${fault.does}`;
  return kind === 'admission' ? `admission ${fault.answer}` : kind;
}
