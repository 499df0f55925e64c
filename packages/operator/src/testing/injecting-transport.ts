// A transport into whose watches of one collection a benchmark puts events of its own: the server has no part in their cost.
import type { Transport, WatchEvent } from '../transport/transport.ts';

export interface Injection {
  readonly transport: Transport;
  /** Tells every object that was seen anew, as changed without any difference. */
  readonly touchAll: () => void;
}

type Seen = { readonly metadata: { readonly name: string; readonly resourceVersion: string } };

/** @param suffix how the path of the collection ends */
export function injectingTransport(inner: Transport, suffix: string): Injection {
  const seen = new Map<string, Seen>();
  let revision = 1_000_000_000;
  let push: ((events: readonly WatchEvent[]) => void) | undefined;
  const watch: Transport['watch'] = async (request) => {
    const answer = await inner.watch(request);
    const [path = ''] = request.path.split('?');
    if (!path.endsWith(suffix)) return answer;
    return { ...answer, events: joined(answer.events, (take) => (push = take), seen) };
  };
  const request: Transport['request'] = async (sent) => {
    const answer = await inner.request(sent);
    const [path = ''] = sent.path.split('?');
    const { items } = answer.body as { readonly items?: readonly Seen[] };
    if (sent.method === 'GET' && path.endsWith(suffix)) for (const item of items ?? []) seen.set(item.metadata.name, item);
    return answer;
  };
  return {
    transport: { request, watch },
    touchAll: () => {
      const events = [...seen.values()].map((object): WatchEvent => {
        const touched = { ...object, metadata: { ...object.metadata, resourceVersion: String((revision += 1)) } };
        return { type: 'MODIFIED', object: touched };
      });
      push?.(events);
    },
  };
}

async function* joined(
  events: AsyncIterable<WatchEvent>,
  listen: (push: (events: readonly WatchEvent[]) => void) => void,
  seen: Map<string, Seen>,
): AsyncGenerator<WatchEvent, void, void> {
  const iterator = events[Symbol.asyncIterator]();
  let wake = Promise.withResolvers<'injected'>();
  let waiting: readonly WatchEvent[] = [];
  listen((injected) => {
    waiting = [...waiting, ...injected];
    wake.resolve('injected');
  });
  let next = iterator.next();
  try {
    for (;;) {
      const which = await Promise.race([next, wake.promise]);
      if (which === 'injected') {
        const injected = waiting;
        [waiting, wake] = [[], Promise.withResolvers<'injected'>()];
        yield* injected;
        continue;
      }
      if (which.done === true) return;
      if (which.value.type !== 'BOOKMARK') seen.set((which.value.object as Seen).metadata.name, which.value.object as Seen);
      yield which.value;
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}
