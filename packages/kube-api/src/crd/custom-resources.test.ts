import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../json.ts';
import { CRDS, PATCH, testServer, WIDGETS, widget, widgetDefinition } from '../testing/server.ts';

const CRD = `${CRDS}/widgets.test.dev`;
const conditions = (crd: KubeObject): unknown => (crd['status'] as KubeObject)['conditions'];

describe('a CustomResourceDefinition', () => {
  it('is established and served as soon as it is created', async () => {
    const { ok } = testServer();
    await ok('POST', CRDS, widgetDefinition());
    expect(conditions(await ok('GET', CRD))).toMatchObject([
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'True' },
    ]);
    expect((await ok('POST', WIDGETS, widget('w')))['spec']).toEqual({ size: 1 });
  });

  it('shows watchers how it is created first and established then', async () => {
    const { events, ok, server } = testServer();
    const watch = events(`${CRDS}?watch=true&resourceVersion=${server.resourceVersion()}`, 2);
    await ok('POST', CRDS, widgetDefinition());
    expect((await watch).map((event) => event.type)).toEqual(['ADDED', 'MODIFIED']);
  });

  it('is not served if its names are taken, until they are free', async () => {
    const { ok, send } = testServer();
    await ok('POST', CRDS, widgetDefinition({}, { names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] } }));
    const rival = widgetDefinition({}, { names: { plural: 'wads', kind: 'Wad', shortNames: ['wd'] } });
    await ok('POST', CRDS, { ...rival, metadata: { name: 'wads.test.dev' } });
    expect(conditions(await ok('GET', `${CRDS}/wads.test.dev`))).toMatchObject([
      { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict' },
      { type: 'Established', status: 'False' },
    ]);
    expect((await send('GET', '/apis/test.dev/v1/wads')).status).toBe(404);
    await ok('DELETE', CRD);
    expect((await send('GET', '/apis/test.dev/v1/wads')).status).toBe(200);
  });

  it('takes its objects with it, and waits for their finalizers', async () => {
    const { ok, send } = testServer();
    await ok('POST', CRDS, widgetDefinition());
    await ok('POST', WIDGETS, widget('free'));
    await ok('POST', WIDGETS, widget('held', {}, { finalizers: ['test.dev/hold'] }));
    await ok('DELETE', CRD);
    expect((await send('GET', `${WIDGETS}/free`)).status).toBe(404);
    expect((await ok('GET', `${WIDGETS}/held`)).metadata.deletionTimestamp).toBe('2026-01-01T00:00:00Z');
    expect((await send('POST', WIDGETS, widget('late'))).status).toBe(403);
    expect(conditions(await ok('GET', CRD))).toContainEqual(
      expect.objectContaining({ type: 'Terminating', status: 'True' }),
    );
    await ok('PATCH', `${WIDGETS}/held`, { metadata: { finalizers: null } }, PATCH.merge);
    expect((await send('GET', CRD)).status).toBe(404);
    expect((await send('GET', WIDGETS)).status).toBe(404);
  });

  it.each([
    ['a name that does not fit', { metadata: { name: 'x.test.dev' } }, 'metadata.name'],
    ['no storage version', widgetDefinition({ storage: false }), 'spec.versions'],
    ['no schema', widgetDefinition({ schema: undefined }), 'spec.versions[0].schema.openAPIV3Schema'],
    ['another scope', widgetDefinition({}, { scope: 'Global' }), 'spec.scope'],
    [
      'equal kinds',
      widgetDefinition({}, { names: { plural: 'widgets', kind: 'Widget', listKind: 'Widget' } }),
      'spec.names.listKind',
    ],
    [
      'a bad column',
      widgetDefinition({ additionalPrinterColumns: [{ name: 'X', type: 'text', jsonPath: '.x' }] }),
      'spec.additionalPrinterColumns[0].type',
    ],
    [
      'a schema that is not structural',
      widgetDefinition({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } }),
      'spec.validation.openAPIV3Schema.properties[spec].type',
    ],
  ])('is refused with %s', async (_, part, field) => {
    const { send } = testServer();
    const { status, body } = await send('POST', CRDS, { ...widgetDefinition(), ...part });
    expect(status).toBe(422);
    expect((body as { details: { causes: { field: string }[] } }).details.causes.map((cause) => cause.field)).toContain(
      field,
    );
  });
});

describe('a custom resource', () => {
  it('shows stored objects with the defaults of a newer schema, without a write', async () => {
    const { ok, server } = testServer();
    await ok('POST', CRDS, widgetDefinition());
    await ok('POST', WIDGETS, widget('w'));
    const schema = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color/default';
    await ok('PATCH', CRD, [{ op: 'add', path: schema, value: 'blue' }], PATCH.json);
    const before = server.resourceVersion();
    expect((await ok('GET', `${WIDGETS}/w`))['spec']).toEqual({ size: 1, color: 'blue' });
    expect(server.resourceVersion()).toBe(before);
  });

  it('has the columns that its definition gives it', async () => {
    const { ok, server } = testServer();
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ];
    await ok('POST', CRDS, widgetDefinition({ additionalPrinterColumns }));
    await ok('POST', WIDGETS, widget('w'));
    await ok(
      'PATCH',
      `${WIDGETS}/w/status`,
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      PATCH.merge,
    );
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body } = await server.request({ method: 'GET', path: WIDGETS, headers: { accept } });
    expect(body).toMatchObject({
      kind: 'Table',
      columnDefinitions: [{ name: 'Name' }, { name: 'Size' }, { name: 'Ready' }, { name: 'Since' }],
      rows: [{ cells: ['w', 1, 'True', '0s'], object: { kind: 'PartialObjectMetadata' } }],
    });
  });

  it('can be selected by the fields that its definition names', async () => {
    const { ok, send } = testServer();
    await ok('POST', CRDS, widgetDefinition({ selectableFields: [{ jsonPath: '.spec.color' }] }));
    await ok('POST', WIDGETS, widget('w', { color: 'red' }));
    await ok('POST', WIDGETS, widget('x', { color: 'blue' }));
    const list = await ok('GET', `${WIDGETS}?fieldSelector=spec.color%3Dred`);
    expect((list['items'] as KubeObject[]).map((item) => item.metadata.name)).toEqual(['w']);
    expect((await send('GET', `${WIDGETS}?fieldSelector=spec.size%3D1`)).status).toBe(400);
  });

  it('warns about a version that is deprecated', async () => {
    const { ok, send } = testServer();
    await ok('POST', CRDS, widgetDefinition({ deprecated: true }));
    expect((await send('GET', WIDGETS)).headers['warning']).toBe('299 - "test.dev/v1 Widget is deprecated"');
  });

  it('scales through the paths of its definition', async () => {
    const { ok, send } = testServer();
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    await ok('POST', CRDS, widgetDefinition({ subresources: { status: {}, scale } }));
    await ok('POST', WIDGETS, widget('w', { size: 2 }));
    expect(await ok('PATCH', `${WIDGETS}/w/scale`, { spec: { replicas: 5 } }, PATCH.merge)).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 5 },
    });
    expect((await ok('GET', `${WIDGETS}/w`))['spec']).toEqual({ size: 5 });
    expect((await send('PATCH', `${WIDGETS}/w/scale`, { spec: { replicas: -1 } }, PATCH.merge)).status).toBe(422);
  });

  it('obeys the rules of its schema, also those that compare with what was there', async () => {
    const { ok, send } = testServer();
    const spec = {
      type: 'object',
      properties: { size: { type: 'integer' }, limit: { type: 'integer' } },
      'x-kubernetes-validations': [
        { rule: 'self.size <= self.limit', message: 'size is above limit' },
        { rule: 'self.size >= oldSelf.size', message: 'size may not shrink' },
      ],
    };
    await ok('POST', CRDS, widgetDefinition({ schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }));
    const causes = async (...request: Parameters<typeof send>): Promise<unknown> =>
      ((await send(...request)).body as { details?: { causes: unknown } }).details?.causes;
    expect(await causes('POST', WIDGETS, widget('w', { size: 3, limit: 2 }))).toMatchObject([
      { field: 'spec', message: expect.stringContaining('size is above limit') as string },
    ]);
    await ok('POST', WIDGETS, widget('w', { size: 3, limit: 4 }));
    expect(await causes('PATCH', `${WIDGETS}/w`, { spec: { size: 2 } }, PATCH.merge)).toMatchObject([
      { field: 'spec', message: expect.stringContaining('size may not shrink') as string },
    ]);
  });
});
