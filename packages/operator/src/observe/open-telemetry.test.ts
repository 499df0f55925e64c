import { AlwaysOffSampler } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, test } from 'vitest';
import { KubeError } from '../client/api-error.ts';
import { outline, SpanRecorder } from '../testing/span-recorder.ts';
import { openTelemetryTracer } from './open-telemetry.ts';
import { tracedLogger } from './traced-logger.ts';
import { tracedTransport } from './traced-transport.ts';
import { errorTypeOf, noTracer } from './tracing.ts';

let recorder: SpanRecorder | undefined;
const record = (...sampler: ConstructorParameters<typeof SpanRecorder>): SpanRecorder => (recorder = new SpanRecorder(...sampler));
afterEach(() => {
  recorder?.close();
  recorder = undefined;
});

const start = (name: string) => ({ name, attributes: {} });
const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/open-telemetry.js`), { code: 'ERR_MODULE_NOT_FOUND' });

describe('nothing is traced', () => {
  test('without an SDK', async () => {
    expect(await openTelemetryTracer()).toBe(noTracer);
  });

  test('without the API package', async () => {
    expect(await openTelemetryTracer(() => Promise.reject(notFound('@opentelemetry/api')))).toBe(noTracer);
  });

  test('and what would be traced is not even wrapped', () => {
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const transport = { request: () => Promise.reject(new Error('no')), watch: () => Promise.reject(new Error('no')) };
    expect(tracedLogger(log, noTracer)).toBe(log);
    expect(tracedTransport(transport, noTracer)).toBe(transport);
    expect(noTracer.span(start('a'), () => 3)).toBe(3);
    expect(noTracer.current()).toBeUndefined();
  });
});

test('an API package that is broken is told, not passed over', async () => {
  await expect(openTelemetryTracer(() => Promise.reject(notFound('tslib')))).rejects.toThrow('tslib');
  await expect(openTelemetryTracer(() => Promise.reject(new SyntaxError('here')))).rejects.toThrow('here');
});

describe('a span', () => {
  test('ends with its body and answers what that answers, at once if it does not wait', async () => {
    const recorded = record();
    const tracer = await openTelemetryTracer();
    expect(tracer.span(start('a'), () => 3)).toBe(3);
    expect(recorded.traces.map(({ name }) => name)).toEqual(['a']);
    const later = Promise.withResolvers<number>();
    const pending = tracer.span(start('b'), () => later.promise);
    expect(recorded.traces.map(({ name }) => name)).toEqual(['a']);
    later.resolve(4);
    expect(await pending).toBe(4);
    expect(recorded.traces.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('is failed by an error that its body throws, now or later', async () => {
    const recorded = record();
    const tracer = await openTelemetryTracer();
    const fails = (): never => {
      throw new TypeError('at once');
    };
    expect(() => tracer.span(start('a'), fails)).toThrow('at once');
    await expect(tracer.span(start('b'), () => Promise.reject(new RangeError('later')))).rejects.toThrow('later');
    expect(recorded.traces.map(({ failed, attributes }) => [failed, attributes['error.type']])).toEqual([
      [true, 'TypeError'],
      [true, 'RangeError'],
    ]);
  });

  test('has those within it that are begun in its body, whatever runs beside it', async () => {
    const recorded = record();
    const tracer = await openTelemetryTracer();
    const outer = (name: string) =>
      tracer.span({ ...start(name), isRoot: true }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return tracer.span(start(`within ${name}`), () => Promise.resolve());
      });
    await tracer.span(start('around'), () => Promise.all([outer('a'), outer('b')]));
    const traces = recorded.traces.map((trace) => outline(trace).join('\n'));
    expect(traces.toSorted()).toEqual(['a\n  within a', 'around', 'b\n  within b']);
  });

  test('is the current one until it ends, not in what goes on after it', async () => {
    const recorded = record();
    const tracer = await openTelemetryTracer();
    const ended = Promise.withResolvers<undefined>();
    let left: Promise<unknown> | undefined;
    const id = tracer.span(start('a'), () => {
      left = ended.promise.then(() => tracer.current());
      return tracer.current()?.spanId;
    });
    ended.resolve(undefined);
    expect(id).toBe(recorded.traces[0]?.spanId);
    expect(await left).toBeUndefined();
    expect(tracer.current()).toBeUndefined();
  });

  test('that is not sampled is nowhere to be seen, in logs either', async () => {
    const recorded = record(new AlwaysOffSampler());
    const tracer = await openTelemetryTracer();
    expect(tracer.span(start('a'), () => tracer.current())).toBeUndefined();
    expect(recorded.traces).toEqual([]);
  });
});

test.each([
  [new KubeError({ failure: 'status', code: 409, reason: 'Conflict', message: 'm' }), 'Conflict'],
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error('aborted'), { code: 20 }), 'Error'],
  [new RangeError('r'), 'RangeError'],
  ['text', 'string'],
])('the type of the error %s is %s', (error, type) => {
  expect(errorTypeOf(error)).toBe(type);
});
