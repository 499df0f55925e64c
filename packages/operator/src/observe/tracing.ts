// Spans around what takes time, in the operator's own words. Nothing here depends on a tracing library.
import { KubeError } from '../client/api-error.ts';
import type { AttributeName } from './trace-names.ts';

/** What is undefined is left out. */
export type SpanAttributes = Readonly<Partial<Record<AttributeName, string | number | undefined>>>;

/** A span that lasts. Its methods return at once and never throw. */
export interface Span {
  readonly set: (attributes: SpanAttributes) => void;
  /**
   * What it stands for has failed. Messages of errors quote what was sent, so they stay in the log, which names the span.
   *
   * @param type one of few values, such as a reason or the name of an error class
   */
  readonly fail: (type: string) => void;
}

/** The span that the caller is in. */
export interface CurrentSpan extends Span {
  /** In hexadecimal, as logs name them. */
  readonly traceId: string;
  readonly spanId: string;
}

export interface SpanStart {
  readonly name: string;
  /** Default: `internal`. */
  readonly kind?: 'internal' | 'client';
  /** A trace of its own, whatever span the caller is in. */
  readonly isRoot?: boolean;
  readonly attributes: SpanAttributes;
}

/** Makes spans. */
export interface Tracer {
  /**
   * Runs `body` within a new span, which ends with it. What `body` begins is within the span too; its outcome is that of
   * `body`, at once if `body` does not wait. An error that it throws marks the span as failed.
   */
  readonly span: <T>(start: SpanStart, body: (span: Span) => T | Promise<T>) => T | Promise<T>;
  /** Undefined outside of all spans, within one that is not recorded, and in what goes on after one has ended. */
  readonly current: () => CurrentSpan | undefined;
}

const unrecorded: Span = Object.freeze({ set: () => {}, fail: () => {} });

/** Makes none, and costs nothing. */
export const noTracer: Tracer = Object.freeze({
  span: <T>(_start: SpanStart, body: (span: Span) => T | Promise<T>): T | Promise<T> => body(unrecorded),
  current: () => undefined,
});

/** What an error is called in `error.type`: the reason of the API server, a code such as ECONNREFUSED, or its class. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof KubeError && error.reason !== '') return error.reason;
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as Error & { readonly code?: unknown };
  return typeof code === 'string' && code !== '' ? code : error.name;
}
