import { done, type Logger } from '@pawl/reconciler';
import { ConfigMaps, Secrets, Sensitive } from '@pawl/reconciler/kubernetes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorConfig } from '../config.ts';
import { partsOf } from '../controller/custom-object.ts';
import type { Operator } from '../operator.ts';
import { faultyTransport, statusFault, type FaultyTransport } from '../testing/faulty-transport.ts';
import { forPages, page, Pages, release, v1 } from '../testing/pages.ts';
import { flat, outline, SpanRecorder, type SpanNode } from '../testing/span-recorder.ts';
import { countingRandom, World } from '../testing/world.ts';
import { createOperator } from '../wiring/operator-module.ts';
import { openTelemetryTracer } from './open-telemetry.ts';
import { SPANS } from './trace-names.ts';
import type { Tracer } from './tracing.ts';

let world: World;
let network: FaultyTransport;
let recorder: SpanRecorder;
const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
const keep = (fields: object, message: string): void => void lines.push({ message, fields: fields as Readonly<Record<string, unknown>> });
const log: Logger = { debug: keep, info: keep, warn: keep, error: keep };

beforeEach(async () => {
  lines.length = 0;
  world = new World();
  network = faultyTransport(world.api, world.clock);
  recorder = new SpanRecorder();
  await world.install(release(v1));
});
afterEach(async () => {
  recorder.close();
  await world.close();
});

async function operatorOf(packages: Parameters<typeof createOperator>[1], tracer?: Tracer): Promise<Operator> {
  const transport = { request: network.request, watch: network.watch, server: 'https://10.0.0.1:6443' };
  const config = operatorConfig({ operatorName: 'test', settleMs: 0 });
  const operator = createOperator(config, packages, { transport, clock: world.clock, random: countingRandom(11), log, tracer });
  await Promise.all([operator.start(), world.run(2_000)]);
  return operator;
}
const stop = (operator: Operator): Promise<unknown> => Promise.all([operator.stop(), world.run(3_000)]);
const isAt = (version: string) => async (): Promise<boolean> => {
  const found = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
  const { procedure } = (found === undefined ? {} : partsOf(found).status) as { procedure?: { version?: string; phase?: string } };
  return procedure?.version === version && procedure.phase === 'Steady';
};
const spansNamed = (name: string): readonly SpanNode[] => recorder.traces.flatMap(flat).filter((span) => span.name === name);

test('names and attributes of spans are what they were in the last release', () => {
  const rows = Object.values(SPANS).map(({ name, kind, attributes }) => `${kind} ${name}: ${attributes.join(', ')}`);
  expect(rows).toMatchInlineSnapshot(`
    [
      "internal reconcile <Kind>: k8s.object.api_version, k8s.object.kind, k8s.namespace.name, k8s.object.name, k8s.object.uid, pawl.object.generation, pawl.procedure.version, pawl.procedure.target, pawl.mode, pawl.cycle.id, pawl.reconcile.attempt, pawl.reconcile.result, error.type",
      "internal action <Name>: pawl.action.name, pawl.action.status, pawl.action.reason, pawl.action.changes, pawl.procedure.version, pawl.mode, pawl.cycle.id, error.type",
      "client <METHOD> <url.template>: http.request.method, url.template, url.full, server.address, server.port, http.response.status_code, error.type",
    ]
  `);
});

test('an install is a trace for each pass: Actions within it, and requests within them', async () => {
  const operator = await operatorOf([release(v1)], await openTelemetryTracer());
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await stop(operator);
  const { traces } = recorder;
  expect(traces.slice(0, 3).map((trace) => outline(trace).join('\n'))).toMatchInlineSnapshot(`
    [
      "reconcile Page
      GET /apis/test.pawl.dev/v1/namespaces/{namespace}/pages/{name}
      GET /api/v1/namespaces/{namespace}/configmaps
      GET /apis/apps/v1/namespaces/{namespace}/deployments
      PATCH /apis/test.pawl.dev/v1/namespaces/{namespace}/pages/{name}/status",
      "reconcile Page
      PATCH /apis/test.pawl.dev/v1/namespaces/{namespace}/pages/{name}
      action ContentStored
        GET /api/v1/namespaces/{namespace}/configmaps/{name}
        GET /apis/test.pawl.dev/v1/namespaces/{namespace}/pages/{name}
        PATCH /api/v1/namespaces/{namespace}/configmaps/{name}
      action Served
        GET /apis/apps/v1/namespaces/{namespace}/deployments/{name}
        PATCH /apis/apps/v1/namespaces/{namespace}/deployments/{name}
      PATCH /apis/test.pawl.dev/v1/namespaces/{namespace}/pages/{name}/status",
      "reconcile Page
      action ContentStored
      action Served",
    ]
  `);
  const [hop] = traces.filter(({ attributes }) => attributes['pawl.mode'] === 'Hop');
  const [action] = hop?.within.filter(({ name }) => name === 'action ContentStored') ?? [];
  const request = action?.within.at(-1);
  const cycle = { 'pawl.procedure.version': '1.0.0', 'pawl.mode': 'Hop', 'pawl.cycle.id': expect.stringMatching(/^[-0-9a-f]{36}\/\d+$/) };
  expect(hop).toMatchObject({ name: 'reconcile Page', kind: 'internal', failed: false });
  expect(hop?.attributes).toEqual({
    ...cycle,
    'k8s.object.api_version': 'test.pawl.dev/v1',
    'k8s.object.kind': 'Page',
    'k8s.namespace.name': 'default',
    'k8s.object.name': 'front',
    'k8s.object.uid': expect.stringMatching(/^[-0-9a-f]{36}$/),
    'pawl.object.generation': 1,
    'pawl.procedure.target': '1.0.0',
    'pawl.reconcile.attempt': 1,
    'pawl.reconcile.result': 'success',
  });
  expect(action?.attributes).toEqual({
    ...cycle,
    'pawl.action.name': 'ContentStored',
    'pawl.action.status': 'True',
    'pawl.action.reason': 'AsExpected',
    'pawl.action.changes': 1,
  });
  expect(request).toMatchObject({ name: 'PATCH /api/v1/namespaces/{namespace}/configmaps/{name}', kind: 'client', failed: false });
  expect(request?.attributes).toEqual({
    'http.request.method': 'PATCH',
    'url.template': '/api/v1/namespaces/{namespace}/configmaps/{name}',
    'url.full': 'https://10.0.0.1:6443/api/v1/namespaces/default/configmaps/front-content',
    'server.address': '10.0.0.1',
    'server.port': 6443,
    'http.response.status_code': 201,
  });
  const modes = traces.flatMap(({ within }) => within.flatMap(({ attributes }) => attributes['pawl.mode'] ?? []));
  expect([...new Set(modes)]).toEqual(['Hop', 'Verify', 'Steady']);
});

test('Actions that run at the same time have their own requests each', async () => {
  const stored = (action: string, name: string) =>
    forPages.defineAction({
      name: action,
      owns: { configs: ConfigMaps },
      run: async ({ cluster }) => {
        await cluster.configs.apply({ metadata: { name }, data: {} });
        return done();
      },
    });
  const procedure = forPages.defineProcedure({ version: '1.0.0', actions: [stored('OneStored', 'one'), stored('TwoStored', 'two')] });
  const operator = await operatorOf([release(procedure)], await openTelemetryTracer());
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await stop(operator);
  const applied = (action: string): readonly unknown[] =>
    spansNamed(action).flatMap(({ within }) =>
      within.filter(({ attributes }) => attributes['http.request.method'] === 'PATCH').map(({ attributes }) => attributes['url.full']),
    );
  const base = 'https://10.0.0.1:6443/api/v1/namespaces/default/configmaps';
  expect([applied('action OneStored'), applied('action TwoStored')]).toEqual([[`${base}/one`], [`${base}/two`]]);
});

describe('a failure', () => {
  test('shows in the request, its Action and the pass, and the next attempt is counted', async () => {
    network.setFaults(({ method, path }) => (method === 'PATCH' && path.includes('/configmaps/') ? statusFault(422, 'Invalid') : undefined));
    const operator = await operatorOf([release(v1)], await openTelemetryTracer());
    await world.client.create(Pages, page('front'));
    await world.until('it was tried twice', () => spansNamed('action ContentStored').length >= 2);
    network.setFaults(undefined);
    await world.until('front is at 1.0.0', isAt('1.0.0'));
    await stop(operator);
    const passes = recorder.traces.filter(({ within }) => within.some(({ name }) => name === 'action ContentStored'));
    const [first, second] = passes;
    const [action] = first?.within.filter(({ name }) => name === 'action ContentStored') ?? [];
    const request = action?.within.at(-1);
    expect(request).toMatchObject({ failed: true, attributes: { 'http.response.status_code': 422, 'error.type': '422' } });
    expect(action).toMatchObject({ failed: true, attributes: { 'pawl.action.status': 'Unknown', 'pawl.action.reason': 'Failed', 'error.type': 'Failed' } });
    expect(first).toMatchObject({ failed: true, attributes: { 'pawl.reconcile.result': 'error', 'pawl.reconcile.attempt': 1, 'error.type': 'ActionFailed' } });
    expect(second?.attributes['pawl.reconcile.attempt']).toBe(2);
    expect(spansNamed('action Served').every(({ failed }) => !failed)).toBe(true);
  });

  test('of the network has no status, but a type', async () => {
    const operator = await operatorOf([release(v1)], await openTelemetryTracer());
    network.setFaults(({ method, path }) => (method === 'GET' && path.includes('/pages/') ? 'refused' : undefined));
    await world.client.create(Pages, page('front'));
    await world.until('a pass has failed', () => spansNamed('reconcile Page').some(({ failed }) => failed));
    network.setFaults(undefined);
    await stop(operator);
    const [pass] = spansNamed('reconcile Page').filter(({ failed }) => failed);
    const [request] = pass?.within ?? [];
    expect(request).toMatchObject({ failed: true, attributes: { 'error.type': 'ECONNREFUSED' } });
    expect(request?.attributes).not.toHaveProperty('http.response.status_code');
    expect(pass?.attributes).toMatchObject({ 'pawl.reconcile.result': 'error', 'error.type': 'ECONNREFUSED' });
  });

  test('is none if something that is looked for is not there', async () => {
    const operator = await operatorOf([release(v1)], await openTelemetryTracer());
    await world.client.create(Pages, page('front'));
    await world.until('front is at 1.0.0', isAt('1.0.0'));
    await stop(operator);
    const answers = recorder.traces.flatMap(flat).filter(({ attributes }) => attributes['http.response.status_code'] === 404);
    expect(answers.map(({ name, failed }) => [name, failed])).toContainEqual(['GET /api/v1/namespaces/{namespace}/configmaps/{name}', false]);
  });
});

test('lines of the log name the span that they were written in', async () => {
  const told = forPages.defineAction({
    name: 'Told',
    run: ({ log: ofAction }) => {
      ofAction.info({ step: 1 }, 'an Action speaks');
      return done();
    },
  });
  const operator = await operatorOf([release(forPages.defineProcedure({ version: '1.0.0', actions: [told] }))], await openTelemetryTracer());
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await stop(operator);
  const fieldsOf = (text: string): unknown => lines.find(({ message }) => message === text)?.fields;
  const [action] = spansNamed('action Told');
  expect(fieldsOf('an Action speaks')).toEqual({ trace_id: action?.traceId, span_id: action?.spanId, step: 1 });
  const [intent] = recorder.traces;
  expect(fieldsOf('a procedure version was chosen')).toMatchObject({ trace_id: intent?.traceId, span_id: intent?.spanId });
  expect(fieldsOf('reconciling begins')).not.toHaveProperty('trace_id');
});

test('no secret is in a span, whoever says it', async () => {
  const keyStored = forPages.defineAction({
    name: 'KeyStored',
    owns: { keys: Secrets },
    run: async ({ object, cluster }) => {
      await cluster.keys.apply({ metadata: { name: object.metadata.name }, data: { password: new Sensitive('UExBTlRFRA==') } });
      throw new Error('PLANTED-message');
    },
  });
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 422, reason: 'Invalid', message: 'PLANTED-answer is no password' };
  network.setFaults(({ method, path }) =>
    method === 'PATCH' && path.includes('/secrets/') && spansNamed('action KeyStored').length < 2 ? { status: 422, body } : undefined,
  );
  const operator = await operatorOf([release(forPages.defineProcedure({ version: '1.0.0', actions: [keyStored] }))], await openTelemetryTracer());
  await world.client.create(Pages, page('front', 'PLANTED-spec'));
  await world.until('it was tried thrice', () => spansNamed('action KeyStored').length >= 3);
  await stop(operator);
  const answers = recorder.traces.flatMap(flat).map(({ attributes }) => attributes['http.response.status_code']);
  expect(answers).toEqual(expect.arrayContaining([422, 201]));
  expect(recorder.text).toContain('/secrets/front');
  expect(recorder.text).not.toMatch(/PLANTED|UExBTlRFRA|fieldManager/);
});

test('spans have no attributes but those that are named', async () => {
  network.setFaults(({ method, path }) => (method === 'PATCH' && path.includes('/configmaps/') ? statusFault(403, 'Forbidden') : undefined));
  const operator = await operatorOf([release(v1)], await openTelemetryTracer());
  await world.client.create(Pages, page('front'));
  await world.run(5_000);
  network.setFaults(undefined);
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await stop(operator);
  const seen = { reconcile: new Set<string>(), action: new Set<string>(), request: new Set<string>() };
  for (const { name, attributes } of recorder.traces.flatMap(flat)) {
    const [word = ''] = name.split(' ');
    const kind = word === 'reconcile' || word === 'action' ? word : 'request';
    for (const attribute of Object.keys(attributes)) seen[kind].add(attribute);
  }
  for (const kind of ['reconcile', 'action', 'request'] as const) expect([...seen[kind]].toSorted()).toEqual([...SPANS[kind].attributes].toSorted());
});

test('an operator without a tracer makes no spans, though there is an SDK', async () => {
  const operator = await operatorOf([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await stop(operator);
  expect(recorder.traces).toEqual([]);
  expect(lines.some(({ fields }) => 'trace_id' in fields)).toBe(false);
});
