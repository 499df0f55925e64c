// Where plans are carried out, simulated or real: an API, and a person who asks things of it. Types only.
import type { ApiRequest, ApiResponse, Transport } from '@pawl/operator';

export interface Ground {
  readonly api: Pick<Transport, 'request'>;
  /** A request of a person, who is not part of the history. */
  readonly ask: (request: ApiRequest) => Promise<ApiResponse>;
}
