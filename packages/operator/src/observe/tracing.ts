// Spans around what takes time. Nothing here depends on a tracing library: one is handed in, or there are no spans.

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Tracing {
  /** Runs `body` within a span of this name. The outcome is that of `body`. */
  readonly span: <T>(name: string, attributes: SpanAttributes, body: () => Promise<T>) => Promise<T>;
}

export const noTracing: Tracing = Object.freeze({
  span: <T>(_name: string, _attributes: SpanAttributes, body: () => Promise<T>): Promise<T> => body(),
});

/** What is used of a tracer of `@opentelemetry/api`. */
export interface OpenTelemetryTracer {
  readonly startActiveSpan: <T>(
    name: string,
    options: { readonly attributes: SpanAttributes },
    body: (span: OpenTelemetrySpan) => T,
  ) => T;
}
export interface OpenTelemetrySpan {
  setStatus: (status: { code: number; message?: string }) => unknown;
  recordException: (error: Error) => void;
  end: () => void;
}

/** `SpanStatusCode.ERROR`. */
const FAILED = 2;

/** Spans by OpenTelemetry: `openTelemetryTracing(trace.getTracer('pawl'))`. Spans within a span become its children. */
export function openTelemetryTracing(tracer: OpenTelemetryTracer): Tracing {
  return {
    span: (name, attributes, body) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await body();
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          span.recordException(error instanceof Error ? error : new Error(message));
          span.setStatus({ code: FAILED, message });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}
