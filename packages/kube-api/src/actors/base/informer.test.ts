// List and watch against a server that misbehaves.
import { describe, expect, it } from 'vitest';
import type { ApiRequest, Transport, WatchEvent } from '../../transport.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { kind, live } from '../testing/view.ts';
import { Activity } from './activity.ts';
import { Client } from './client.ts';
import { runInformer } from './informer.ts';
import { Gone, Store } from './store.ts';

type Stream = readonly WatchEvent[] | 'breaks' | 'stays';

/** A server that answers lists and watches from a script; what comes after its end stays open for ever. */
function scripted(lists: readonly (object | number)[], streams: readonly Stream[]) {
  const requests: string[] = [];
  let list = 0;
  let stream = 0;
  const answer = (body: object | number): { status: number; headers: object; body: unknown } =>
    typeof body === 'number'
      ? { status: body, headers: {}, body: { kind: 'Status', code: body } }
      : { status: 200, headers: {}, body };
  const transport = {
    request: async ({ path }: ApiRequest) => {
      requests.push(path);
      return answer(lists[Math.min(list++, lists.length - 1)] ?? 500);
    },
    watch: async ({ path, signal }: ApiRequest) => {
      requests.push(path);
      return { ...answer({}), events: events(streams[stream++] ?? 'stays', signal) };
    },
  } as Transport;
  return { requests, transport };
}

async function* events(stream: Stream, signal: AbortSignal | undefined): AsyncGenerator<WatchEvent> {
  if (stream === 'breaks') throw new Error('connection reset');
  if (stream === 'stays')
    await new Promise<void>((resolve) =>
      signal?.addEventListener('abort', () => {
        resolve();
      }),
    );
  else yield* stream;
}

const map = (name: string, resourceVersion: string): object => ({
  ...live('v1', 'ConfigMap', { name, resourceVersion }),
  apiVersion: undefined,
  kind: undefined,
});
const list = (resourceVersion: string, ...items: readonly object[]): object => ({
  kind: 'ConfigMapList',
  metadata: { resourceVersion },
  items,
});
const LIST = '/api/v1/configmaps?limit=500';
const watchAt = (resourceVersion: string): string =>
  `/api/v1/configmaps?watch=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`;

async function run({ transport, requests }: ReturnType<typeof scripted>, advanceMs: readonly number[] = []) {
  const clock = manualClock();
  const stopping = new AbortController();
  const { signal } = stopping;
  const store = new Store(kind('v1', 'ConfigMap'), new Gone());
  let synced = 0;
  const client = new Client(transport, 'test', signal);
  const ended = runInformer({
    store,
    client,
    clock,
    activity: new Activity(),
    signal,
    changed: () => {},
    synced: () => void synced++,
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settle();
  for (const ms of advanceMs) {
    clock.advance(ms);
    await settle();
  }
  stopping.abort();
  await ended;
  return { requests, synced, names: store.list().map(({ metadata }) => metadata.name) };
}

describe('an informer', () => {
  it('reads all pages and watches from there', async () => {
    const first = { ...list('5', map('a', '1')), metadata: { resourceVersion: '5', continue: 'next' } };
    expect(await run(scripted([first, list('5', map('b', '2'))], []))).toEqual({
      requests: [LIST, `${LIST}&continue=next`, watchAt('5')],
      synced: 1,
      names: ['a', 'b'],
    });
  });

  it('resumes a stream that ended where it ended', async () => {
    const stream: Stream = [
      { type: 'ADDED', object: map('a', '6') },
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
    ];
    const { requests, names } = await run(scripted([list('5')], [stream]));
    expect([requests, names]).toEqual([[LIST, watchAt('5'), watchAt('9')], ['a']]);
  });

  it('lists again when the position is too old', async () => {
    const gone: Stream = [{ type: 'ERROR', object: { kind: 'Status', code: 410 } }];
    const { requests, names, synced } = await run(
      scripted([list('5', map('a', '1')), list('8', map('b', '7'))], [gone]),
    );
    expect([requests, names, synced]).toEqual([[LIST, watchAt('5'), LIST, watchAt('8')], ['b'], 1]);
  });

  it('lists again at once when a stream breaks, then ever later', async () => {
    const script = scripted([list('5')], ['breaks', 'breaks', 'breaks']);
    const { requests } = await run(script, [99, 1, 199, 1]);
    expect(requests).toEqual([LIST, watchAt('5'), LIST, watchAt('5'), LIST, watchAt('5'), LIST, watchAt('5')]);
    const early = await run(scripted([list('5')], ['breaks', 'breaks', 'breaks']), [99]);
    expect(early.requests).toHaveLength(4);
  });

  it('keeps asking a server that refuses, and takes the list when it comes', async () => {
    const { names, synced } = await run(scripted([500, 503, list('5', map('a', '1'))], []), [100]);
    expect([names, synced]).toEqual([['a'], 1]);
  });
});
