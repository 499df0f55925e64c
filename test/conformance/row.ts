// A row of the conformance suite: what a client asks of the Kubernetes API and what the right answer is, as plain data.

/** What a row needs beyond an API server and its client. A target that lacks it skips the row and says why. */
export type Need =
  | 'controllers'
  | 'pods'
  | 'users'
  | 'text'
  | 'forgetting'
  | 'webhooks'
  | 'overload'
  | 'storage'
  | 'outage'
  | 'several servers'
  | 'slow reader';

/**
 * One row. Strings may hold references such as `{ns}` (the row's own namespace), `{hook.url}` and
 * `{hook.caBundle}` (a webhook server, see `hook-server.ts`) or `{a.metadata.uid}` (a saved answer).
 */
export interface Row {
  /** Stable; transcripts and docs name it. */
  readonly id: string;
  /** The case and the right behaviour, in one line. */
  readonly title: string;
  /** `P0`: an operator built on the API depends on it. */
  readonly priority: 'P0' | 'P1';
  /** First and last Kubernetes minor version that behaves so, such as `1.31`. */
  readonly since?: string;
  readonly until?: string;
  readonly needs?: readonly Need[];
  /** Why the in-memory API does not behave so; the row is then expected to fail there. */
  readonly notModelled?: string;
  /** True: no other row may run at the same time on the same server. */
  readonly alone?: boolean;
  /** Each must succeed. */
  readonly setup?: readonly Step[];
  readonly steps: readonly Step[];
}

/** A request of a row. */
export interface Send {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body as text, for what a JSON value cannot express. */
  readonly text?: string;
  /** Default `admin`, who may do everything; `nobody` has no right at all. */
  readonly user?: 'admin' | 'nobody';
}

/** What an answer must hold. Objects match by the members named; see `matchers.ts` for more than literal values. */
export interface Expect {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Members of the body (`metadata.managedFields`) that must equal the recorded answer of the real server. */
  readonly same?: readonly string[];
}

/** One event of a watch. */
export interface ExpectedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object?: unknown;
}

export type Step =
  | { readonly send: Send; readonly as?: string; readonly expect?: Expect }
  /** Repeats the request until the answer is as expected: for what controllers do in their own time. */
  | { readonly until: Send; readonly as?: string; readonly expect: Expect; readonly withinMs?: number }
  /** Opens a watch, which goes on until the row ends. */
  | { readonly watch: Send; readonly as: string; readonly expect?: Expect }
  /** The next events of a watch, in this order. */
  | { readonly events: string; readonly expect: readonly ExpectedEvent[]; readonly withinMs?: number }
  /** The server ends the watch, and no events come before but of the types named. */
  | { readonly end: string; readonly but: readonly ExpectedEvent['type'][] }
  /** Same request many times, `{i}` counting from 0. */
  | { readonly repeat: number; readonly send: Send }
  /** The server forgets everything but the present state. */
  | { readonly forget: true }
  /** The server's storage stops, or goes on. */
  | { readonly storage: 'stops' | 'goes on' };
