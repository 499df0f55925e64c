import { describe, expect, it } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  CRDS,
  PATCH,
  testServer,
  type TestServer,
  WIDGETS,
  widget,
  widgetDefinition,
} from '../testing/server.ts';

async function withWidgets(): Promise<TestServer> {
  const server = testServer();
  await server.ok('POST', CRDS, widgetDefinition());
  return server;
}

describe('what is not served', () => {
  it('is a Status below the versions of built-in kinds, and plain text elsewhere', async () => {
    const { send } = await withWidgets();
    const nothing = { status: 404, body: { reason: 'NotFound', details: {} } };
    expect(await send('GET', '/api/v1/namespaces/default/nothings')).toMatchObject(nothing);
    expect(await send('POST', '/apis/apps/v1/namespaces/default/nothings', {})).toMatchObject(nothing);
    for (const path of ['/nowhere', '/api/v9/pods', '/apis/test.dev/v1/namespaces/default/nothings'])
      expect(await send('GET', path)).toMatchObject({ status: 404, body: '404 page not found\n' });
  });

  it('is 405 for a method without a route, which a POST to a custom resource is not', async () => {
    const { send } = await withWidgets();
    expect(await send('POST', `${CONFIG_MAPS}/x`, configMap('x'))).toMatchObject({
      status: 405,
      body: { message: 'the server does not allow this method on the requested resource', details: {} },
    });
    const created = await send('POST', `${WIDGETS}/y`, widget('x'));
    expect(created).toMatchObject({ status: 201, body: { metadata: { name: 'x' } } });
  });
});

describe('a body', () => {
  it('may be 3 MiB long, and no more', async () => {
    const { send } = await withWidgets();
    expect((await send('POST', WIDGETS, widget('x', { color: 'x'.repeat(3_000_000) }))).status).toBe(201);
    const answer = await send('POST', WIDGETS, widget('y', { color: '\u00e9'.repeat(1_600_000) }));
    expect(answer).toMatchObject({ status: 413, body: { message: 'Request entity too large: limit is 3145728' } });
  });

  it('of another kind is 422 for a custom resource and 400 for a built-in one', async () => {
    const { send } = await withWidgets();
    const gadget = { ...widget('x'), kind: 'Gadget' };
    expect(await send('POST', WIDGETS, gadget)).toMatchObject({
      status: 422,
      body: { message: 'Gadget.test.dev "x" is invalid: kind: Invalid value: "Gadget": must be Widget' },
    });
    expect((await send('POST', CONFIG_MAPS, { ...configMap('x'), kind: 'Secret' })).status).toBe(400);
  });

  it('with a value of another type is 400, and the patch that leads to it 422', async () => {
    const { ok, send } = testServer();
    await ok('POST', CONFIG_MAPS, configMap('there'));
    const why = 'json: cannot unmarshal number into Go struct field';
    const refused = await send('POST', CONFIG_MAPS, { ...configMap('x'), data: { key: 5 } });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`ConfigMap in version "v1" cannot be handled as a ConfigMap: ${why}`) },
    });
    const patched = await send('PATCH', `${CONFIG_MAPS}/there`, { data: { key: 5 } }, PATCH.merge);
    expect(patched).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'patch', message: expect.stringContaining(why) }] } },
    });
  });

  it('with an unknown member under strict validation is 400, and the patch that leads to it 422', async () => {
    const { ok, send } = await withWidgets();
    await ok('POST', WIDGETS, widget('x'));
    const strict = await send('POST', `${WIDGETS}?fieldValidation=Strict`, widget('y', { colour: 'red' }));
    const why = 'strict decoding error: unknown field "spec.colour"';
    const message = `Widget in version "v1" cannot be handled as a Widget: ${why}`;
    expect(strict).toMatchObject({ status: 400, body: { message } });
    const path = `${WIDGETS}/x?fieldValidation=Strict`;
    expect((await send('PATCH', path, { spec: { colour: 'red' } }, PATCH.merge)).status).toBe(422);
  });

  it('that is applied needs its apiVersion', async () => {
    const { send } = await withWidgets();
    const answer = await send('PATCH', `${WIDGETS}/x?fieldManager=one`, { metadata: { name: 'x' } }, PATCH.apply);
    expect(answer).toMatchObject({ status: 400, body: { message: 'invalid object type: /, Kind=' } });
  });
});

describe('an option', () => {
  it.each<[string, string, number]>([
    ['GET', '?resourceVersion=abc', 500],
    ['POST', '?timeout=soon', 400],
    ['POST', '?timeout=1m30s', 201],
    ['POST', '?timeout=0', 201],
    ['POST', '?fieldValidation=Loud', 422],
  ])('%s %s is answered with %i', async (method, query, status) => {
    const { send } = testServer();
    const body = method === 'GET' ? undefined : configMap('x');
    expect((await send(method as 'GET' | 'POST', `${CONFIG_MAPS}${query}`, body)).status).toBe(status);
  });

  it.each<[object]>([
    [{ preconditions: 'none' }],
    [{ preconditions: { uid: 5 } }],
    [{ gracePeriodSeconds: '5' }],
    [{ dryRun: 'All' }],
  ])('of a delete must have its type: %j', async (options) => {
    const { ok, send } = testServer();
    await ok('POST', CONFIG_MAPS, configMap('x'));
    expect((await send('DELETE', `${CONFIG_MAPS}/x`, options)).status).toBe(400);
    expect((await send('DELETE', `${CONFIG_MAPS}/x`, {})).status).toBe(200);
  });
});

describe('an Event', () => {
  it('lies in the namespace of what it is about, or in the default one', async () => {
    const { ok, send } = testServer();
    await ok('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    const status = async (lies: string, involvedObject: object): Promise<number> => {
      const event = { metadata: { name: 'e' }, involvedObject };
      return (await send('POST', `/api/v1/namespaces/${lies}/events`, event)).status;
    };
    expect(await status('other', { namespace: 'default' })).toBe(422);
    expect(await status('other', {})).toBe(422);
    expect(await status('other', { namespace: 'other' })).toBe(201);
    expect(await status('default', { kind: 'Node', name: 'n' })).toBe(201);
  });
});
