import { systemClock } from '@pawl/reconciler';
import { FakeClock, TestObject } from '@pawl/reconciler/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Enrollment } from '../api.ts';
import { startPluginProcess, type PluginProcess } from '../testing/plugin-process.ts';
import { v3 } from '../v3/index.ts';
import { httpPlugin } from './http-plugin.ts';
import { jsonRpc, type Fetch } from './json-rpc.ts';
import { pluginCalls } from './plugin-set.ts';

/** Starting a process may take a while on a busy machine. */
const PROCESS = { timeout: 60_000 };
let running: PluginProcess | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

/** An Enrollment from the server's group into the server's sink. */
function enrolling(url: string): TestObject<Enrollment> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const externals = new Map([['plugins', pluginCalls({}, { config: { sample: { url } }, clock: systemClock }, fetch)]]);
  const spec = {
    source: { plugin: { name: 'sample', group: 'workers' } },
    sink: {
      plugin: { name: 'sample' },
      labels: { team: 'a' },
      properties: { host: '{{ id }}', address: '{{ properties.address }}' },
    },
  };
  return new TestObject<Enrollment>(
    {
      apiVersion: 'enrollment.pawl.dev/v1alpha1',
      kind: 'Enrollment',
      metadata: { name: 'nfs', namespace: 'default' },
      spec,
    },
    { clock, externals },
  );
}

describe('a plugin in a process of its own', () => {
  it('is source and sink, and is found again after the operator was not there', PROCESS, async () => {
    running = await startPluginProcess(process.execPath, ['h1', 'h2']);
    const test = enrolling(running.url);
    await test.settle(v3);
    expect((await running.entries()).map(({ Properties }) => Properties)).toEqual([
      { host: 'h1', address: '10.0.0.1' },
      { host: 'h2', address: '10.0.0.2' },
    ]);
    await running.setMembers(['h2', 'h3']);
    await test.settle(v3);
    expect((await running.entries()).map(({ Tags }) => Tags['enrollment.pawl.dev/key'])).toEqual(['h2', 'h3']);
    expect((await running.entries())[0]?.Tags['team']).toBe('a');
  });

  it('that is gone leads to nothing; when it is back it goes on', PROCESS, async () => {
    running = await startPluginProcess(process.execPath, ['h1']);
    const { port } = new URL(running.url);
    const test = enrolling(running.url);
    await test.settle(v3);
    await running.kill();
    const { outcomes } = await test.cycle(v3);
    expect(outcomes.get('SourceListed')?.result).toMatchObject({ status: 'False', reason: 'SourceUnavailable' });
    expect(outcomes.get('SourceListed')?.result.message).toContain('ECONNREFUSED');
    running = await startPluginProcess(process.execPath, ['h1', 'h2'], Number(port));
    await test.settle(v3);
    expect(await running.entries()).toHaveLength(2);
  });

  it('says by its own message what it does not know', PROCESS, async () => {
    running = await startPluginProcess(process.execPath, []);
    const { instance } = httpPlugin({ url: running.url, fetch, clock: systemClock, timeoutMs: 10_000 });
    await expect(instance.label('none', {})).rejects.toThrow('Instance.Label: no instance none');
  });
});

describe('a call by JSON-RPC', () => {
  const answering =
    (status: number, body: string): Fetch =>
    () =>
      Promise.resolve({ ok: status === 200, status, text: () => Promise.resolve(body) });
  const rpc = (answer: Fetch, clock = new FakeClock(0)) =>
    jsonRpc({ url: 'http://x', fetch: answer, clock, timeoutMs: 1_000 });

  it.each([
    [
      'an error of the plugin',
      answering(200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"full"}}'),
      'M: full',
    ],
    ['an old error, which is a text', answering(200, '{"id":1,"result":null,"error":"full"}'), 'M: full'],
    [
      'a page instead of an answer',
      answering(502, '<html>'),
      'M: found status 502 and "<html>"; allowed is a JSON-RPC answer',
    ],
    ['the answer to another call', answering(200, '{"id":7,"result":{}}'), 'M: id: found 7; allowed is 1'],
  ])('fails with %s', async (_what, answer, message) => {
    await expect(rpc(answer)('M', {})).rejects.toThrow(message);
  });

  it('fails when no answer comes in time', async () => {
    const clock = new FakeClock(0);
    const call = rpc(
      (_url, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      clock,
    )('M', {});
    clock.advance(1_000);
    await expect(call).rejects.toThrow('M: no answer within 1000 ms');
  });

  it('sends method, parameters and a new id each time', async () => {
    const sent: unknown[] = [];
    const call = rpc((_url, { body }) => {
      const { id } = JSON.parse(body) as { readonly id: number };
      sent.push(JSON.parse(body));
      return answering(200, JSON.stringify({ id, result: id }))('', {} as never);
    });
    expect([await call('A', { x: 1 }), await call('B', {})]).toEqual([1, 2]);
    expect(sent).toEqual([
      { jsonrpc: '2.0', method: 'A', params: { x: 1 }, id: 1 },
      { jsonrpc: '2.0', method: 'B', params: {}, id: 2 },
    ]);
  });
});

describe('an answer that is not understood', () => {
  const plugin = (result: unknown) =>
    httpPlugin({
      url: 'http://x',
      clock: new FakeClock(0),
      timeoutMs: 1_000,
      fetch: () =>
        Promise.resolve({ ok: true, status: 200, text: () => Promise.resolve(JSON.stringify({ id: 1, result })) }),
    });

  it('is never taken for an empty list', async () => {
    await expect(plugin({ Description: {} }).group.describeGroup('g')).rejects.toThrow(
      'Description.Instances: found nothing; allowed is a list',
    );
    await expect(plugin({ Descriptions: null }).instance.describeInstances({})).rejects.toThrow(
      'Descriptions: found null; allowed is a list',
    );
    await expect(plugin({ Descriptions: [{ ID: '' }] }).instance.describeInstances({})).rejects.toThrow(
      'Descriptions[0].ID',
    );
  });

  it('is never taken for success', async () => {
    await expect(plugin({ OK: false }).instance.destroy('i', 'terminate')).rejects.toThrow('did not do it');
    await expect(plugin({}).instance.provision({ Tags: {} })).rejects.toThrow('ID: found nothing');
  });
});

describe('the plugins of an operator', () => {
  const calls = (config: unknown) =>
    pluginCalls({}, { config, clock: new FakeClock(0) }, () => Promise.reject(new Error('no network')));

  it('are configured by address, and every fault of that is told at once', () => {
    expect(() => calls({ a: { url: 'ftp://x' }, b: 3 })).toThrow(
      /external\.plugins\.a: found .*\nexternal\.plugins\.b: found 3; allowed is/,
    );
    expect(() => calls([])).toThrow('external.plugins: found []');
  });

  it('are asked by name', async () => {
    await expect(calls({ a: { url: 'http://x' } }).reads.describeGroup('b', 'g')).rejects.toThrow(
      'plugin b is not configured; configured are a',
    );
    await expect(calls(undefined).reads.describeInstances('b', {})).rejects.toThrow('configured are none');
  });
});
