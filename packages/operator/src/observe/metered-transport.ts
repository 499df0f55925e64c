// A transport that reports every answer.
import type { ApiRequest, ApiResponse, Transport } from '../transport/transport.ts';
import type { Metrics } from './metrics.ts';

/** @param host as requests are counted under, such as `10.0.0.1:443` */
export function meteredTransport(inner: Transport, metrics: Metrics, host: string): Transport {
  const metered = async <T extends ApiResponse>(request: ApiRequest, send: () => Promise<T>): Promise<T> => {
    try {
      const answer = await send();
      metrics.answered(request.method, host, answer.status);
      return answer;
    } catch (error) {
      metrics.answered(request.method, host, undefined);
      throw error;
    }
  };
  return {
    request: (request) => metered(request, () => inner.request(request)),
    watch: (request) => metered(request, () => inner.watch(request)),
  };
}
