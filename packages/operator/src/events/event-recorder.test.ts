import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApiServer } from '@pawl/kube-api';
import { seeded, type Random } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { beforeEach, describe, expect, test } from 'vitest';
import { KubeClient } from '../client/kube-client.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import type { Transport } from '../transport/transport.ts';
import { EVENTS } from './event-object.ts';
import { EventRecorder, type EventLimits } from './event-recorder.ts';
import type { Happening } from './happening.ts';

let clock: ManualClock;
let api: Transport;
let logged: string[];
beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  api = createApiServer({ clock, random: random(1) });
  logged = [];
});

function random(seed: number): Random {
  const next = seeded(seed);
  return { uuid: () => String(next()), bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)) };
}

function recorder(transport: Transport = api, limits?: Partial<EventLimits>): EventRecorder {
  const keep = (_: object, message: string): void => void logged.push(message);
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const client = new KubeClient({ transport, clock, random: random(2), userAgent: 'pawl/web' });
  return new EventRecorder({ client, clock, random: random(3), log, controller: 'pawl.dev/web', instance: 'web-0', limits });
}

const happening = (name: string, note = 'going from 1.0.0 to 2.0.0', namespace = 'default'): Happening => ({
  type: 'Normal',
  reason: 'UpgradeStarted',
  action: 'Upgrade',
  note,
  regarding: { apiVersion: 'web.test/v1', kind: 'Page', name, namespace, uid: `uid-${name}` },
});

async function run(ms: number, stepMs = 1_000): Promise<void> {
  for (let passed = 0; passed <= ms; passed += stepMs) {
    for (let round = 0; round < 6; round += 1) await nextTurn();
    if (passed < ms) clock.advance(stepMs);
  }
}

type Written = KubernetesObject & Readonly<Record<string, unknown>>;
async function events(): Promise<readonly Written[]> {
  const reader = new KubeClient({ transport: api, clock, random: random(4) });
  return (await reader.list(EVENTS)).items as readonly Written[];
}

describe('what has happened', () => {
  test('becomes an Event beside its object, which the API server accepts', async () => {
    recorder().record(happening('front'));
    await run(0);
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      metadata: { namespace: 'default', name: expect.stringMatching(/^front\.[0-9a-f]{19}$/) },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'pawl.dev/web',
      reportingInstance: 'web-0',
      type: 'Normal',
      reason: 'UpgradeStarted',
      action: 'Upgrade',
      note: 'going from 1.0.0 to 2.0.0',
      regarding: { kind: 'Page', name: 'front', uid: 'uid-front' },
    });
    expect(event?.['series']).toBeUndefined();
  });

  test('to an object without a namespace is told in the namespace default', async () => {
    const { namespace: _none, ...regarding } = happening('node-1').regarding;
    recorder().record({ ...happening('node-1'), regarding });
    await run(0);
    expect((await events()).map(({ metadata }) => metadata.namespace)).toEqual(['default']);
  });

  test('is cut to what fits, between two characters', async () => {
    recorder().record(happening('front', 'ü'.repeat(600)));
    await run(0);
    const note = String((await events())[0]?.['note']);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(note).toMatch(/^ü+\.\.\.$/);
  });

  test('again and again is one Event that counts up, written once a minute at most', async () => {
    let writes = 0;
    const counting: Transport = { watch: api.watch, request: (request) => ((writes += 1), api.request(request)) };
    const one = recorder(counting);
    for (let minute = 0; minute < 5; minute += 1) {
      for (let times = 0; times < 20; times += 1) one.record(happening('front'));
      await run(60_000, 10_000);
    }
    await run(60_000, 10_000);
    const found = await events();
    expect(found).toHaveLength(1);
    expect(found[0]?.['series']).toMatchObject({ count: 100 });
    expect(writes).toBe(6);
  });

  test('again after a long time is a new Event', async () => {
    const one = recorder();
    one.record(happening('front'));
    await run(700_000, 100_000);
    one.record(happening('front'));
    await run(0);
    expect(await events()).toHaveLength(2);
  });

  test('still, when the server has forgotten the Event, is told anew', async () => {
    const one = recorder();
    one.record(happening('front'));
    await run(0);
    const [event] = await events();
    const remover = new KubeClient({ transport: api, clock, random: random(5) });
    await remover.remove(EVENTS, event?.metadata ?? { name: '' });
    one.record(happening('front'));
    await run(61_000);
    expect((await events()).map((again) => again['series'])).toEqual([expect.objectContaining({ count: 2 })]);
  });
});

describe('too much', () => {
  test('of one object is dropped, and others are not held up by it', async () => {
    const one = recorder();
    for (let n = 0; n < 100; n += 1) one.record(happening('noisy', `note ${n}`));
    one.record(happening('quiet'));
    await run(0);
    const names = (await events()).map(({ metadata }) => metadata.name.split('.')[0]);
    expect(names.filter((name) => name === 'noisy')).toHaveLength(25);
    expect(names.filter((name) => name === 'quiet')).toHaveLength(1);
    expect(one.dropped).toBe(75);
    expect(logged).toEqual(['there are more Events than may be written']);
  });

  test('at once is spread over time', async () => {
    const one = recorder(api, { overall: { burst: 2, refillMs: 1_000 } });
    for (let n = 0; n < 5; n += 1) one.record(happening(`page-${n}`));
    await run(0);
    expect(await events()).toHaveLength(2);
    await run(5_000);
    expect(await events()).toHaveLength(5);
  });

  test('to remember drops what is new, so that memory has a bound', async () => {
    const never = new ScriptedTransport(() => 'never');
    const one = recorder(never, { remembered: 10 });
    for (let n = 0; n < 50; n += 1) one.record(happening(`page-${n}`));
    await run(0);
    expect(one.dropped).toBeGreaterThanOrEqual(39);
  });
});

describe('an Event that cannot be written', () => {
  test('is tried again while the server is not well, and is not written twice', async () => {
    let calls = 0;
    const flaky: Transport = {
      watch: api.watch,
      request: async (request) => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
        const answer = await api.request(request);
        if (calls === 2) throw new Error('reset after the server had taken it');
        return answer;
      },
    };
    recorder(flaky).record(happening('front'));
    await run(30_000);
    expect(await events()).toHaveLength(1);
    expect(calls).toBe(3);
  });

  test('is given up when the server refuses it, and the next one is written', async () => {
    const refusing = new ScriptedTransport((_request, n) => (n === 1 ? failure(403, 'Forbidden') : { status: 201 }));
    const one = recorder(refusing);
    one.record(happening('front'), happening('back'));
    await run(0);
    expect(refusing.requests).toHaveLength(2);
    expect(logged).toEqual(['an Event could not be written']);
  });

  test('does not keep the process from stopping', async () => {
    const one = recorder(new ScriptedTransport(() => 'never'));
    one.record(happening('front'));
    const stopped = one.stop(2_000);
    await run(3_000);
    await stopped;
    one.record(happening('late'));
    expect(one.dropped).toBe(0);
  });
});

test('what is counted but not written yet is written when the process stops', async () => {
  const one = recorder();
  one.record(happening('front'), happening('front'), happening('front'));
  await run(0);
  one.record(happening('front'));
  const stopped = one.stop();
  await run(1_000);
  await stopped;
  expect((await events())[0]?.['series']).toMatchObject({ count: 4 });
});
