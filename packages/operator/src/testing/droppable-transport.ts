// A transport whose watches can be broken all at once, as by a load balancer that restarts.
import type { Transport } from '../transport/transport.ts';

export interface DroppableTransport extends Transport {
  /** Breaks every open watch; answers how many there were. */
  readonly dropWatches: () => number;
}

export function droppableTransport(inner: Transport): DroppableTransport {
  const open = new Set<(error: Error) => void>();
  return {
    request: inner.request,
    watch: async (request) => {
      const controller = new AbortController();
      const signal = request.signal === undefined ? controller.signal : AbortSignal.any([request.signal, controller.signal]);
      const answer = await inner.watch({ ...request, signal });
      const broken = Promise.withResolvers<never>();
      broken.promise.catch(() => {});
      const drop = (error: Error): void => {
        broken.reject(error);
        controller.abort(error);
      };
      open.add(drop);
      return { ...answer, events: untilBroken(answer.events, broken.promise, () => open.delete(drop)) };
    },
    dropWatches: () => {
      const count = open.size;
      for (const drop of open) drop(new Error('socket hang up'));
      open.clear();
      return count;
    },
  };
}

async function* untilBroken<T>(events: AsyncIterable<T>, broken: Promise<never>, ended: () => void): AsyncGenerator<T> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), broken]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    ended();
    await iterator.return?.();
  }
}
