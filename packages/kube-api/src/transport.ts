// The one way into the API: requests and watches as plain values, the same in process and over HTTP.

/** A request as an HTTP client would send it, with the body as a JSON value. */
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

/** The answer to a request. */
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

/** The answer to a watch request. */
export interface WatchResponse extends ApiResponse {
  /**
   * Only meaningful with status 200 (then `body` is undefined). Ends when the server ends the stream; throws when the
   * connection breaks. Leaving the loop (return) or aborting the request's signal closes the stream.
   */
  readonly events: AsyncIterable<WatchEvent>;
}

/** Something that answers requests like a Kubernetes API server. */
export interface Transport {
  readonly request: (request: ApiRequest) => Promise<ApiResponse>;
  readonly watch: (request: ApiRequest) => Promise<WatchResponse>;
}
