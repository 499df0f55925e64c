import { expect, test } from 'vitest';
import { noTracing, openTelemetryTracing, type OpenTelemetryTracer } from './tracing.ts';

function recordingTracer(): { readonly tracer: OpenTelemetryTracer; readonly log: unknown[] } {
  const log: unknown[] = [];
  const tracer: OpenTelemetryTracer = {
    startActiveSpan: (name, { attributes }, body) => {
      log.push([name, attributes]);
      return body({
        setStatus: (status) => log.push(status),
        recordException: (error) => log.push(error.message),
        end: () => log.push('end'),
      });
    },
  };
  return { tracer, log };
}

test('a span ends with its body and passes its value on', async () => {
  const { tracer, log } = recordingTracer();
  expect(await openTelemetryTracing(tracer).span('cycle', { kind: 'Page' }, async () => 3)).toBe(3);
  expect(log).toEqual([['cycle', { kind: 'Page' }], 'end']);
});

test('a body that fails marks its span, and fails', async () => {
  const { tracer, log } = recordingTracer();
  await expect(openTelemetryTracing(tracer).span('cycle', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(log).toEqual([['cycle', {}], 'no', { code: 2, message: 'no' }, 'end']);
});

test('without a tracer the body just runs', async () => {
  expect(await noTracing.span('cycle', {}, async () => 1)).toBe(1);
});
