// The one way to an API server, over HTTP or in process. Types only.

/** A request to the API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query, such as `/api/v1/namespaces/default/pods?limit=500`. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value (not text); absent: no body. Neither side mutates it afterwards. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An answer of the API server, whatever its status. */
export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. Several `warning` headers are joined by ', '. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON value, deeply frozen in process; text if the answer is not JSON. */
  readonly body: unknown;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

/** The answer to a watch. */
export interface WatchResponse extends ApiResponse {
  /**
   * Only meaningful with status 200 (then `body` is undefined). Ends when the server ends the stream; throws when the
   * connection breaks. Leaving the loop or aborting the request's signal closes the stream.
   */
  readonly events: AsyncIterable<WatchEvent>;
}

/** Carries requests. It rejects only when there is no answer: an answer that is not success is still an answer. */
export interface Transport {
  /** Address of the server, such as `https://10.0.0.1:6443`, without credentials. Absent: nobody asks. */
  readonly server?: string;
  readonly request: (request: ApiRequest) => Promise<ApiResponse>;
  readonly watch: (request: ApiRequest) => Promise<WatchResponse>;
}
