// A transport whose every answer a test writes, without a network.
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from '../transport/transport.ts';

/** An answer, or an error instead of one; `'never'` leaves the request without an answer. */
export type Answer = Partial<ApiResponse> | Error | 'never';
type Answering = (request: ApiRequest, n: number) => Answer;

export class ScriptedTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly #answer: Answering;

  constructor(answer: Answering) {
    this.#answer = answer;
  }

  request = async (request: ApiRequest): Promise<ApiResponse> => {
    this.requests.push(request);
    const answer = this.#answer(request, this.requests.length);
    if (answer === 'never') return new Promise(() => {});
    if (answer instanceof Error) throw answer;
    return { status: 200, headers: {}, body: {}, ...answer };
  };

  watch = async (request: ApiRequest): Promise<WatchResponse> => ({ ...(await this.request(request)), events: none() });
}

async function* none(): AsyncGenerator<WatchEvent, void, void> {}

/** The text that an overloaded server answers with, without a `Status`. */
export const OVERLOADED = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: 'Too many requests, please try again later.',
};

/** A failure as a `Status`. */
export function failure(
  status: number,
  reason: string,
  details: object = {},
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    headers,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message: reason, details },
  };
}
