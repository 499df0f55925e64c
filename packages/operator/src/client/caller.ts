// One call to the server: deadline, retry of what is safe to repeat, and errors of one class. Knows no kinds.
import type { MonotonicClock, Random } from '@pawl/reconciler';
import type { ApiRequest, ApiResponse, Transport, WatchResponse } from '../transport/transport.ts';
import { type BackoffRange, backoffMs, bounded, pause, reasonOf } from '../waiting.ts';
import { type CallContext, errorOfResponse, errorOfThrown, type KubeError } from './api-error.ts';
import { isOverload, isTransient } from './error-kinds.ts';
import type { RequestThrottle } from './request-throttle.ts';

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
  /** Waited for before each attempt, but not before a watch. The time for a call begins after its first one. */
  readonly throttle?: Pick<RequestThrottle, 'admit'> | undefined;
}

/** How the caller of one request can bound it. */
export interface CallBounds {
  readonly signal?: AbortSignal | undefined;
  /** Default: that of the client. */
  readonly timeoutMs?: number | undefined;
}

export const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 6;
const LONGEST_ASKED_MS = 300_000;
const RETRY: BackoffRange = { baseMs: 200, maxMs: 4_000 };

/** Sends requests. Reads are repeated on any passing failure; a write only when the server refused it unseen. */
export class Caller {
  readonly timeoutMs: number;
  readonly #options: CallerOptions;
  /** Calls that the server asked to wait with, until when, and the answer that did. */
  readonly #asked = new Map<string, { readonly until: number; readonly error: KubeError }>();

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
    const { clock, transport, throttle } = this.#options;
    await throttle?.admit(request.method, signal);
    const until = clock.monotonic() + timeoutMs;
    try {
      return await bounded({ clock, timeoutMs, signal }, (inner) =>
        this.#attempts(request, { context, signal: inner, until }, async () => {
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
    { method }: ApiRequest,
    { context, signal, until }: { readonly context: CallContext; readonly signal: AbortSignal; readonly until: number },
    attempt: () => Promise<T>,
  ): Promise<T> {
    const { clock, random, beforeMutation, throttle } = this.#options;
    for (let failures = 1; ; failures += 1) {
      if (failures > 1) await throttle?.admit(method, signal);
      if (this.#asked.size > 0) await this.#waited(context, { signal, until });
      // Asked last: who had to wait may have lost the Lease meanwhile.
      if (context.mutating) ask(beforeMutation);
      try {
        return await attempt();
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const error = errorOfThrown(thrown, context);
        if (error.retryAfterMs !== undefined) this.#asksToWait(context, error, error.retryAfterMs);
        if (failures === MAX_ATTEMPTS || !isRepeatable(error, context)) throw error;
        // Whoever is asked to wait beyond the deadline learns for how long, not that there was no answer.
        const askedMs = error.retryAfterMs ?? 0;
        if (askedMs > 0 && clock.monotonic() + askedMs >= until) throw error;
        await pause(clock, Math.max(askedMs, backoffMs(failures, RETRY, random)), signal);
      }
    }
  }

  /** Those whose time is over are forgotten: nobody may ever make the call again. */
  #asksToWait({ call }: CallContext, error: KubeError, retryAfterMs: number): void {
    const now = this.#options.clock.monotonic();
    for (const [known, { until }] of this.#asked) if (until <= now) this.#asked.delete(known);
    this.#asked.set(call, { until: now + Math.min(retryAfterMs, LONGEST_ASKED_MS), error });
  }

  /** Whatever part of the process was asked to wait with a call, the others wait as well. @throws that answer if it lasts too long */
  async #waited({ call }: CallContext, { signal, until }: { readonly signal: AbortSignal; readonly until: number }): Promise<void> {
    const asked = this.#asked.get(call);
    if (asked === undefined) return;
    const { clock } = this.#options;
    const ms = asked.until - clock.monotonic();
    if (ms > 0 && asked.until >= until) throw asked.error;
    if (ms > 0) await pause(clock, ms, signal);
    if (this.#asked.get(call) === asked) this.#asked.delete(call);
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
