import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
import type { WatchEvent } from '../transport.ts';
import { CRDS, PATCH, WIDGETS, widget, widgetDefinition } from '../testing/server.ts';
import { hookedServer, type HookedServer, type Responder } from './testing.ts';

const WIDGETS2 = WIDGETS.replace('/v1/', '/v2/');

/** `size` in v1 is called `count` in v2. */
function converted(object: KubeObject, apiVersion: string): KubeObject {
  const { size, count, ...rest } = isObject(object['spec']) ? object['spec'] : {};
  const value = size ?? count;
  const field = apiVersion.endsWith('v1') ? 'size' : 'count';
  return { ...object, apiVersion, spec: { ...rest, ...(value === undefined ? {} : { [field]: value }) } };
}

const convert: Responder = ({ objects, desiredAPIVersion }) => ({
  result: { status: 'Success' },
  convertedObjects: (objects as KubeObject[]).map((object) => converted(object, desiredAPIVersion as string)),
});

async function served(respond: Responder = convert): Promise<HookedServer> {
  const test = hookedServer(respond);
  const schema = (field: string): object => ({
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { [field]: { type: 'integer' }, color: { type: 'string' } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  });
  const version = (name: string, field: string, storage: boolean): object => ({
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: schema(field),
  });
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://hooks.test/convert' } };
  await test.ok(
    'POST',
    CRDS,
    widgetDefinition(
      {},
      {
        versions: [version('v1', 'size', true), version('v2', 'count', false)],
        conversion: { strategy: 'Webhook', webhook },
      },
    ),
  );
  return test;
}

const widget2 = (name: string, spec: object): object => ({ ...widget(name, spec), apiVersion: 'test.dev/v2' });
const specs = (list: JsonObject): readonly Json[] =>
  (list['items'] as KubeObject[]).map((item) => item['spec'] ?? null);

describe('a conversion webhook', () => {
  it('shows objects in each version', async () => {
    const { ok, reviews } = await served();
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    expect(reviews).toEqual([]);
    const shown = await ok('GET', `${WIDGETS2}/a`);
    expect(shown).toMatchObject({ apiVersion: 'test.dev/v2', spec: { count: 1 } });
    expect(reviews).toMatchObject([{ desiredAPIVersion: 'test.dev/v2', objects: [{ spec: { size: 1 } }] }]);
    expect(await ok('GET', WIDGETS2)).toMatchObject({ items: [shown] });
    expect(reviews).toHaveLength(1);
  });

  it('is asked anew for each object that is read by itself', async () => {
    const { ok, reviews } = await served();
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    await ok('GET', `${WIDGETS2}/a`);
    await ok('GET', `${WIDGETS2}/a`);
    expect(reviews).toHaveLength(2);
  });

  it('stores what is written in another version, once, under the uid that it was shown', async () => {
    const { ok, server } = await served();
    const before = Number(server.resourceVersion());
    const made = await ok('POST', WIDGETS2, widget2('a', { count: 2 }));
    expect(Number(server.resourceVersion())).toBe(before + 1);
    expect(made).toMatchObject({ apiVersion: 'test.dev/v2', spec: { count: 2 }, metadata: { generation: 1 } });
    expect(await ok('GET', `${WIDGETS}/a`)).toMatchObject({ spec: { size: 2 }, metadata: { uid: made.metadata.uid } });
  });

  it('takes part in patches, status writes, applies and deletions', async () => {
    const { ok, send } = await served();
    await ok('POST', WIDGETS, widget('a', { size: 1 }, { finalizers: ['test.dev/hold'] }));
    expect(await ok('PATCH', `${WIDGETS2}/a`, { spec: { count: 5 } }, PATCH.merge)).toMatchObject({
      spec: { count: 5 },
      metadata: { generation: 2 },
    });
    await ok('PATCH', `${WIDGETS2}/a/status`, { status: { ready: true } }, PATCH.merge);
    await ok('PATCH', `${WIDGETS2}/a?fieldManager=me&force=true`, widget2('a', { count: 6 }), PATCH.apply);
    expect(await ok('GET', `${WIDGETS}/a`)).toMatchObject({ spec: { size: 6 }, status: { ready: true } });
    expect((await ok('DELETE', `${WIDGETS2}/a`)).metadata.deletionTimestamp).toBeDefined();
    await ok('PATCH', `${WIDGETS2}/a`, { metadata: { finalizers: null } }, PATCH.merge);
    expect((await send('GET', `${WIDGETS}/a`)).status).toBe(404);
  });

  it('is asked once for a whole list', async () => {
    const { ok, reviews } = await served();
    for (const name of ['a', 'b', 'c']) await ok('POST', WIDGETS, widget(name, { size: 1 }));
    expect(specs(await ok('GET', WIDGETS2))).toEqual([{ count: 1 }, { count: 1 }, { count: 1 }]);
    expect(reviews).toHaveLength(1);
  });

  it('shows watchers every change in order', async () => {
    const { ok, events } = await served();
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    const watched = events(`${WIDGETS2}?watch=true`, 4);
    await ok('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, PATCH.merge);
    await ok('POST', WIDGETS2, widget2('b', { count: 9 }));
    await ok('DELETE', `${WIDGETS}/a`);
    const shown = (await watched).map(({ type, object }: WatchEvent) => [type, (object as KubeObject)['spec']]);
    expect(shown).toEqual([
      ['ADDED', { count: 1 }],
      ['MODIFIED', { count: 2 }],
      ['ADDED', { count: 9 }],
      ['DELETED', { count: 2 }],
    ]);
  });

  it('may change labels and annotations, and nothing else of metadata', async () => {
    const { ok } = await served((request, path) => {
      const answer = convert(request, path) as JsonObject;
      const objects = (answer['convertedObjects'] as KubeObject[]).map((object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { l: 'x' }, finalizers: ['a.b/c'] },
      }));
      return { ...answer, convertedObjects: objects };
    });
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    const { metadata } = await ok('GET', `${WIDGETS2}/a`);
    expect(metadata.labels).toEqual({ l: 'x' });
    expect(metadata.finalizers).toBeUndefined();
  });

  it.each([
    [{ result: { status: 'Failure', message: 'cannot' } }, 'failed: cannot'],
    [{ result: { status: 'Failure' } }, "failed: response.result.status was 'Failure', not 'Success'"],
    [{ result: { status: 'Success' }, convertedObjects: [] }, 'returned 0 objects, expected 1'],
    [
      { result: { status: 'Success' }, convertedObjects: [widget('a')] },
      'returned invalid object at index 0: invalid groupVersion (expected test.dev/v2, received test.dev/v1)',
    ],
    ['{"a":1}', 'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind='],
  ])('that answers %j fails the request and a watch', async (response, message) => {
    const { ok, send, events } = await served(() => response as JsonObject | string);
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    const expected = {
      kind: 'Status',
      code: 500,
      message: `conversion webhook for test.dev/v1, Kind=Widget ${message}`,
    };
    expect(await send('GET', `${WIDGETS2}/a`)).toMatchObject({ status: 500, body: expected });
    expect(await events(`${WIDGETS2}?watch=true`, 1)).toMatchObject([{ type: 'ERROR', object: expected }]);
  });

  it('that fails is not asked for a list of objects that it converted before', async () => {
    let broken = false;
    const { ok, send } = await served((request, path) =>
      broken ? { result: { status: 'Failure' } } : convert(request, path),
    );
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    await ok('GET', WIDGETS2);
    broken = true;
    expect((await send('GET', `${WIDGETS2}/a`)).status).toBe(500);
    expect(specs(await ok('GET', WIDGETS2))).toEqual([{ count: 1 }]);
  });

  it('is asked again after it failed', async () => {
    let broken = true;
    const { ok, send } = await served((request, path) =>
      broken ? { result: { status: 'Failure' } } : convert(request, path),
    );
    await ok('POST', WIDGETS, widget('a', { size: 1 }));
    expect((await send('GET', `${WIDGETS2}/a`)).status).toBe(500);
    broken = false;
    expect((await ok('GET', `${WIDGETS2}/a`))['spec']).toEqual({ count: 1 });
  });

  it('must have an address and a version', async () => {
    const { send } = hookedServer(convert);
    const answer = await send('POST', CRDS, widgetDefinition({}, { conversion: { strategy: 'Webhook' } }));
    expect(answer).toMatchObject({
      status: 422,
      body: {
        details: {
          causes: [
            {
              field: 'spec.conversion.webhookClientConfig',
              message: 'Required value: required when strategy is set to Webhook',
            },
            { field: 'spec.conversion.conversionReviewVersions', message: 'Required value' },
          ],
        },
      },
    });
  });
});
