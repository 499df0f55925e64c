// A transport whose requests are spans, wherever they are part of one.
import type { ApiRequest, ApiResponse, Transport } from '../transport/transport.ts';
import { errorTypeOf, noTracer, type SpanAttributes, type Tracer } from './tracing.ts';
import { urlTemplate } from './url-template.ts';

/**
 * The same transport; a request within a span becomes a client span. Watches, the Lease and Events go on beside all passes
 * over objects and have none. Neither parameters nor headers nor bodies become attributes: secrets stand there.
 */
export function tracedTransport(inner: Transport, tracer: Tracer): Transport {
  if (tracer === noTracer) return inner;
  const server = serverOf(inner);
  const traced = async <T extends ApiResponse>(request: ApiRequest, send: () => Promise<T>): Promise<T> => {
    if (tracer.current() === undefined) return send();
    const { method, path } = request;
    const template = urlTemplate(path);
    const attributes: SpanAttributes = { 'http.request.method': method, 'url.template': template, ...server(path) };
    return tracer.span({ name: `${method} ${template}`, kind: 'client', attributes }, async (span) => {
      try {
        const answer = await send();
        span.set({ 'http.response.status_code': answer.status });
        if (isFailure(method, answer.status)) span.fail(String(answer.status));
        return answer;
      } catch (error) {
        span.fail(errorTypeOf(error));
        throw error;
      }
    });
  };
  return {
    ...(inner.server === undefined ? {} : { server: inner.server }),
    request: (request) => traced(request, () => inner.request(request)),
    watch: (request) => traced(request, () => inner.watch(request)),
  };
}

/** Whether something is there is a question with two answers. */
function isFailure(method: string, status: number): boolean {
  return status >= 400 && !(method === 'GET' && status === 404);
}

/** What is known of the server, for a path. */
function serverOf({ server }: Transport): (path: string) => SpanAttributes {
  if (server === undefined) return () => ({});
  const { hostname, port, protocol } = new URL(server);
  const known = {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
  return (path) => ({ 'url.full': `${server}${path.split('?', 1)[0] ?? ''}`, ...known });
}
