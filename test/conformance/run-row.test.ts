// The runner finds what a row says is wrong: it would be of no use if it could not fail.
import type { ApiResponse, Transport, WatchEvent } from '@pawl/kube-api';
import { describe, expect, it } from 'vitest';
import type { Row, Step } from './row.ts';
import { about, answers, as, create, end, events, get, until, watch } from './rows/dsl.ts';
import { runRow } from './run-row.ts';
import type { Session } from './target.ts';

/** A server that gives these answers, in this order, and one watch with these events. */
function session(answersInOrder: readonly Partial<ApiResponse>[], watched: readonly WatchEvent[] = []): Session {
  const left = [...answersInOrder];
  const transport: Transport = {
    request: () => Promise.resolve({ status: 200, headers: {}, body: {}, ...left.shift() }),
    watch: () =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: undefined,
        events: (async function* () {
          for (const event of watched) yield await Promise.resolve(event);
        })(),
      }),
  };
  return {
    namespace: 'ns-1',
    transport: () => transport,
    sendText: () => Promise.resolve({ status: 200, headers: {}, body: {} }),
    pass: () => new Promise((resolve) => setImmediate(resolve)),
    forget: () => Promise.resolve(),
    setStorage: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const row = (...steps: readonly Step[]): Row => ({ id: 'T', title: 'a test', priority: 'P1', steps });

describe('runRow', () => {
  it('names the step, the request and the member that is not as expected, with the answer', async () => {
    const server = session([{ status: 200, body: { kind: 'Widget', spec: { size: 1 } } }]);
    const { disagreements } = await runRow(row(get('/x', answers(200, { spec: { size: 2 } }))), server);
    expect(disagreements).toEqual([
      'step 1: GET /x: body.spec.size: expected 2, found 1 (the answer: 200 {"kind":"Widget","spec":{"size":1}})',
    ]);
  });

  it('compares with an answer saved before', async () => {
    const saved = { status: 201, body: { metadata: { uid: 'u-1' } } };
    const steps = [
      as('a', create('/x', {}, answers(201))),
      get('/x', answers(200, { metadata: { uid: '{a.metadata.uid}' } })),
    ];
    expect(
      (await runRow(row(...steps), session([saved, { body: { metadata: { uid: 'u-1' } } }]))).disagreements,
    ).toEqual([]);
    expect(
      (await runRow(row(...steps), session([saved, { body: { metadata: { uid: 'u-2' } } }]))).disagreements,
    ).toHaveLength(1);
  });

  it('takes a failed setup for a disagreement', async () => {
    const server = session([{ status: 404 }]);
    const { disagreements } = await runRow({ ...row(), setup: [create('/x', {})] }, server);
    expect(disagreements).toEqual(['setup 1: POST /x: expected success (the answer: 404 {})']);
  });

  it('asks again until the answer is right, and gives up in the end', async () => {
    const patient = until('/x', answers(404), 1_000);
    expect((await runRow(row(patient), session([{}, {}, { status: 404 }]))).disagreements).toEqual([]);
    expect((await runRow(row(patient), session([]))).disagreements[0]).toContain('(after 1000 ms)');
  });

  it('finds an event that is missing, one that is wrong, and one too many before the end', async () => {
    const added: WatchEvent = { type: 'ADDED', object: { metadata: { name: 'x' } } };
    const run = async (watched: readonly WatchEvent[]): Promise<readonly string[]> =>
      (await runRow(row(watch('w', '/x'), events('w', about('ADDED', 'x')), end('w')), session([], watched)))
        .disagreements;
    expect(await run([added])).toEqual([]);
    expect((await run([]))[0]).toMatch(/expected 1 items .*, found \[\]/);
    expect((await run([{ ...added, type: 'MODIFIED' }]))[0]).toContain('expected "ADDED", found "MODIFIED"');
    expect((await run([added, added]))[0]).toContain('expected its end, found');
  });
});
