// A log whose lines say within which span they were written.
import type { Logger } from '@pawl/reconciler';
import { noTracer, type Tracer } from './tracing.ts';

type Write = Logger['info'];

/** The same log; within a span its lines have `trace_id` and `span_id`, the names that OpenTelemetry gives to them in logs. */
export function tracedLogger(log: Logger, tracer: Tracer): Logger {
  if (tracer === noTracer) return log;
  const traced =
    (write: Write): Write =>
    (fields, message) => {
      const span = tracer.current();
      write(span === undefined ? fields : { trace_id: span.traceId, span_id: span.spanId, ...fields }, message);
    };
  return { debug: traced(log.debug), info: traced(log.info), warn: traced(log.warn), error: traced(log.error) };
}
