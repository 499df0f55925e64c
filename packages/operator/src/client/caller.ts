// One call to the server: deadline, retry of what is safe to repeat, and errors of one class. Knows no kinds.
import type { MonotonicClock, Random } from '@pawl/reconciler';
import type { ApiRequest, ApiResponse, Transport, WatchResponse } from '../transport/transport.ts';
import { type BackoffRange, backoffMs, bounded, pause, reasonOf } from '../waiting.ts';
import { type CallContext, errorOfResponse, errorOfThrown, type KubeError } from './api-error.ts';
import { isOverload, isTransient } from './error-kinds.ts';

export interface CallerOptions {
  readonly transport: Transport;
  readonly clock: MonotonicClock;
  readonly random: Random;
  /** What the server's audit log calls us. */
  readonly userAgent?: string | undefined;
  /** Time for a call with all its retries. Default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Called before each attempt of a write; it throws to forbid it, as when a lease is lost. */
  readonly beforeMutation?: (() => void) | undefined;
}

/** How the caller of one request can bound it. */
export interface CallBounds {
  readonly signal?: AbortSignal | undefined;
  /** Default: that of the client. */
  readonly timeoutMs?: number | undefined;
}

export const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 6;
const RETRY: BackoffRange = { baseMs: 200, maxMs: 4_000 };

/** Sends requests. Reads are repeated on any passing failure; a write only when the server refused it unseen. */
export class Caller {
  readonly timeoutMs: number;
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * Sends a request until it has an answer with a status below 300.
   *
   * @throws {KubeError} for every other answer, for a broken connection and at the deadline; the reason of the signal
   * when that is aborted; what `beforeMutation` throws
   */
  async send(request: ApiRequest, { signal, timeoutMs = this.timeoutMs }: CallBounds = {}): Promise<ApiResponse> {
    const context = contextOf(request);
    const { clock, transport } = this.#options;
    const until = clock.monotonic() + timeoutMs;
    try {
      return await bounded({ clock, timeoutMs, signal }, (inner) =>
        this.#attempts(context, { signal: inner, until }, async () => {
          const answer = await transport.request({ ...this.#decorate(request), signal: inner });
          if (answer.status >= 300) throw errorOfResponse(answer, context);
          return answer;
        }),
      );
    } catch (error) {
      throw outcome(error, context, signal);
    }
  }

  /** Opens a watch. Only its start is bounded by the deadline; the signal ends it at any time. */
  async open(request: ApiRequest, signal: AbortSignal): Promise<WatchResponse> {
    const context = contextOf(request);
    const { clock, transport } = this.#options;
    const controller = new AbortController();
    const relay = (): void => controller.abort(reasonOf(signal));
    signal.addEventListener('abort', relay, { once: true });
    try {
      const answer = await bounded({ clock, timeoutMs: this.timeoutMs, signal }, () =>
        transport.watch({ ...this.#decorate(request), signal: controller.signal }),
      );
      if (answer.status !== 200) throw errorOfResponse(answer, context);
      return answer;
    } catch (error) {
      signal.removeEventListener('abort', relay);
      controller.abort(error);
      throw outcome(error, context, signal);
    }
  }

  async #attempts<T>(
    context: CallContext,
    { signal, until }: { readonly signal: AbortSignal; readonly until: number },
    attempt: () => Promise<T>,
  ): Promise<T> {
    const { clock, random, beforeMutation } = this.#options;
    for (let failures = 1; ; failures += 1) {
      if (context.mutating) ask(beforeMutation);
      try {
        return await attempt();
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const error = errorOfThrown(thrown, context);
        if (failures === MAX_ATTEMPTS || !isRepeatable(error, context)) throw error;
        // Whoever is asked to wait beyond the deadline learns for how long, not that there was no answer.
        const askedMs = error.retryAfterMs ?? 0;
        if (askedMs > 0 && clock.monotonic() + askedMs >= until) throw error;
        await pause(clock, Math.max(askedMs, backoffMs(failures, RETRY, random)), signal);
      }
    }
  }

  #decorate(request: ApiRequest): ApiRequest {
    const { userAgent } = this.#options;
    if (userAgent === undefined) return request;
    return { ...request, headers: { 'user-agent': userAgent, ...request.headers } };
  }
}

function isRepeatable(error: KubeError, { mutating }: CallContext): boolean {
  return mutating ? isOverload(error) : isTransient(error);
}

/** Carries what `beforeMutation` threw past the handling of failures. */
class Refusal extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('refused');
    this.reason = reason;
  }
}

function ask(permission: (() => void) | undefined): void {
  try {
    permission?.();
  } catch (error) {
    throw new Refusal(error);
  }
}

/** A refusal and an abort by the caller are not failures of the call: their reasons go through unchanged. */
function outcome(error: unknown, context: CallContext, signal: AbortSignal | undefined): unknown {
  if (error instanceof Refusal) return error.reason;
  if (signal?.aborted === true && error === signal.reason) return error;
  return errorOfThrown(error, context);
}

function contextOf({ method, path }: ApiRequest): CallContext {
  const [bare = path] = path.split('?');
  return { call: `${method} ${bare}`, mutating: method !== 'GET' };
}
