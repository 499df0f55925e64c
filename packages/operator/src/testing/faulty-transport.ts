// A network and a server with faults that a test chooses for each request, and watches that break or fall silent.
import type { Clock } from '@pawl/reconciler';
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from '../transport/transport.ts';

/** What becomes of one request. */
export type Fault =
  /** Nobody listens: it was never sent. */
  | 'refused'
  /** The connection breaks before the server has seen it; the sender cannot tell. */
  | 'broken'
  /** It takes effect, and the connection breaks before the answer. */
  | 'answer lost'
  /** It takes effect, and no answer ever comes. */
  | 'no answer'
  /** Answered by something in between; with `commits` the server has carried it out nevertheless. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown; readonly commits?: boolean }
  /** It reaches the server so much later, in milliseconds. */
  | { readonly lateBy: number };

export type FaultOf = (request: ApiRequest, isWatch: boolean) => Fault | undefined;

export interface FaultyTransport extends Transport {
  /** Chooses the faults from now on; undefined: none. */
  readonly setFaults: (faultOf: FaultOf | undefined) => void;
  /** Breaks every open watch; answers how many there were. */
  readonly dropWatches: () => number;
  /** Lets no event through on the watches that are open now, without ending them; answers how many there are. */
  readonly muteWatches: () => number;
  /** Requests that have no answer yet. */
  readonly inFlight: () => number;
}

interface OpenWatch {
  muted: boolean;
  readonly drop: (error: Error) => void;
}

/** What a request or a response needs so that a client takes it for the answer of an overloaded server. */
export const overloaded = (seconds: number): Fault => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: 'Too many requests, please try again later.',
});

/** An answer of the server with a `Status`. */
export const statusFault = (status: number, reason: string, commits = false): Fault => ({
  status,
  commits,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message: reason, details: {} },
});

export function faultyTransport(inner: Transport, clock: Clock): FaultyTransport {
  let faultOf: FaultOf | undefined;
  let inFlight = 0;
  const open = new Set<OpenWatch>();
  const request = async (sent: ApiRequest): Promise<ApiResponse> => {
    inFlight += 1;
    try {
      return await suffer(faultOf?.(sent, false), sent, clock, () => inner.request(sent));
    } finally {
      inFlight -= 1;
    }
  };
  const watch = async (sent: ApiRequest): Promise<WatchResponse> => {
    const controller = new AbortController();
    const signal = sent.signal === undefined ? controller.signal : AbortSignal.any([sent.signal, controller.signal]);
    const answer = await suffer(faultOf?.(sent, true), sent, clock, () => inner.watch({ ...sent, signal }));
    if (!('events' in answer)) return { ...(answer as ApiResponse), events: nothing() };
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    const one: OpenWatch = {
      muted: false,
      drop: (error) => {
        broken.reject(error);
        controller.abort(error);
      },
    };
    open.add(one);
    return { ...answer, events: relayed(answer.events, one, broken.promise, () => open.delete(one)) };
  };
  return {
    request,
    watch,
    setFaults: (chosen) => (faultOf = chosen),
    inFlight: () => inFlight,
    muteWatches: () => {
      for (const one of open) one.muted = true;
      return open.size;
    },
    dropWatches: () => {
      const count = open.size;
      for (const one of open) one.drop(failure('ECONNRESET'));
      open.clear();
      return count;
    },
  };
}

async function suffer<T extends ApiResponse>(
  fault: Fault | undefined,
  { signal }: ApiRequest,
  clock: Clock,
  proceed: () => Promise<T>,
): Promise<T | ApiResponse> {
  if (fault === undefined) return proceed();
  if (fault === 'refused') throw failure('ECONNREFUSED');
  if (fault === 'broken') throw failure('ECONNRESET');
  if (fault === 'answer lost') {
    await proceed();
    throw failure('ECONNRESET');
  }
  if (fault === 'no answer') {
    await proceed();
    return aborted(signal);
  }
  if ('lateBy' in fault) {
    await new Promise<void>((resolve) => clock.setTimer(fault.lateBy, resolve));
    return proceed();
  }
  if (fault.commits === true) await proceed();
  return { status: fault.status, headers: fault.headers ?? {}, body: fault.body ?? '' };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}

async function* relayed(
  events: AsyncIterable<WatchEvent>,
  one: OpenWatch,
  broken: Promise<never>,
  ended: () => void,
): AsyncGenerator<WatchEvent, void, void> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), broken]);
      if (one.muted) {
        await broken;
        return;
      }
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    ended();
    await iterator.return?.();
  }
}

async function* nothing(): AsyncGenerator<WatchEvent, void, void> {}

const failure = (code: string): Error => Object.assign(new Error(code), { code });
