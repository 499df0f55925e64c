// Spans by OpenTelemetry, if its API package is installed and an SDK is registered with it; else there are none.
import type * as OpenTelemetry from '@opentelemetry/api';
import { errorTypeOf, noTracer, type Span, type SpanAttributes, type SpanStart, type Tracer } from './tracing.ts';

type Api = typeof OpenTelemetry;
type ApiSpan = OpenTelemetry.Span;

const PACKAGE = '@opentelemetry/api';

/**
 * The tracer of this process. An SDK has to be registered before, as `node --import` does; without one, and without the
 * package, nothing is made and nothing is paid.
 *
 * @param load imports the API package
 * @throws if the package is there and cannot be loaded
 */
export async function openTelemetryTracer(load: () => Promise<unknown> = () => import('@opentelemetry/api')): Promise<Tracer> {
  let api: Api;
  try {
    api = (await load()) as Api;
  } catch (error) {
    if (isAbsent(error)) return noTracer;
    throw error;
  }
  const provider = api.trace.getTracerProvider();
  const hasSdk = !(provider instanceof api.ProxyTracerProvider) || provider.getDelegateTracer('pawl') !== undefined;
  return hasSdk ? tracerOf(api) : noTracer;
}

function tracerOf({ trace, SpanKind, SpanStatusCode }: Api): Tracer {
  const tracer = trace.getTracer('pawl');
  const spanOf = (span: ApiSpan): Span => ({
    set: (attributes) => void span.setAttributes(defined(attributes)),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
  });
  return {
    span: ({ name, kind, isRoot = false, attributes }: SpanStart, body) => {
      const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, root: isRoot, attributes: defined(attributes) };
      return tracer.startActiveSpan(name, options, (apiSpan) => within(apiSpan, spanOf(apiSpan), body));
    },
    current: () => {
      const span = trace.getActiveSpan();
      if (span?.isRecording() !== true) return undefined;
      const { traceId, spanId } = span.spanContext();
      return { traceId, spanId, ...spanOf(span) };
    },
  };
}

function within<T>(apiSpan: ApiSpan, span: Span, body: (span: Span) => T | Promise<T>): T | Promise<T> {
  const failed = (error: unknown): never => {
    span.fail(errorTypeOf(error));
    apiSpan.end();
    throw error;
  };
  const ended = (value: T): T => {
    apiSpan.end();
    return value;
  };
  let outcome: T | Promise<T>;
  try {
    outcome = body(span);
  } catch (error) {
    return failed(error);
  }
  return outcome instanceof Promise ? outcome.then(ended, failed) : ended(outcome);
}

function defined(attributes: SpanAttributes): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) found[name] = value;
  return found;
}

/** Node says which package it did not find. */
function isAbsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { readonly code?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(PACKAGE);
}
