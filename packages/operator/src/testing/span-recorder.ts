// Spans as a test sees them: an OpenTelemetry SDK of this process that keeps them in memory, and what is read of them.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan, type Sampler } from '@opentelemetry/sdk-trace';

/** One span and those within it, by when they began. */
export interface SpanNode {
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly traceId: string;
  readonly spanId: string;
  readonly within: readonly SpanNode[];
}

export class SpanRecorder {
  readonly #exporter = new InMemorySpanExporter();

  /** Registers the SDK with the API of this process, as `node --import` does, until {@link SpanRecorder.close}. */
  constructor(sampler?: Sampler) {
    const spanProcessors = [new SimpleSpanProcessor({ exporter: this.#exporter })];
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors, ...(sampler === undefined ? {} : { sampler }) }));
  }

  /** All that an exporter gets of the spans that have ended, as JSON. */
  get text(): string {
    const spans = this.#exporter.getFinishedSpans();
    return JSON.stringify(spans.map(({ name, attributes, events, links, status }) => ({ name, attributes, events, links, status })));
  }

  /** The traces so far, each by its root, in the order of their beginnings. */
  get traces(): readonly SpanNode[] {
    const spans = this.#exporter.getFinishedSpans();
    const ids = new Set(spans.map((span) => span.spanContext().spanId));
    return byBeginning(spans.filter(({ parentSpanContext }) => !ids.has(parentSpanContext?.spanId ?? ''))).map((root) => nodeOf(root, spans));
  }

  close = (): void => {
    trace.disable();
    context.disable();
  };
}

/** A tree as lines, two spaces deeper for each level. */
export function outline({ name, failed, within }: SpanNode, depth = 0): readonly string[] {
  return [`${'  '.repeat(depth)}${name}${failed ? ' (failed)' : ''}`, ...within.flatMap((node) => outline(node, depth + 1))];
}

/** A span and all within it. */
export function flat(node: SpanNode): readonly SpanNode[] {
  return [node, ...node.within.flatMap(flat)];
}

function nodeOf(span: ReadableSpan, all: readonly ReadableSpan[]): SpanNode {
  const { traceId, spanId } = span.spanContext();
  return {
    name: span.name,
    kind: span.kind === SpanKind.CLIENT ? 'client' : 'internal',
    failed: span.status.code === SpanStatusCode.ERROR,
    attributes: span.attributes,
    traceId,
    spanId,
    within: byBeginning(all.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId)).map((child) => nodeOf(child, all)),
  };
}

function byBeginning(spans: readonly ReadableSpan[]): readonly ReadableSpan[] {
  const ns = ({ startTime: [seconds, nanos] }: ReadableSpan): number => seconds * 1e9 + nanos;
  return spans.toSorted((a, b) => ns(a) - ns(b));
}
