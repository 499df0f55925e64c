import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { CRDS, testServer, widgetDefinition } from '../testing/server.ts';
import { AGGREGATED_TYPE } from './aggregated.ts';
import { compareVersions } from './lists.ts';

describe('discovery', () => {
  it('lists resources with verbs, short names and subresources', async () => {
    const { ok } = testServer();
    const { resources } = (await ok('GET', '/apis/apps/v1')) as unknown as { resources: JsonObject[] };
    const names = resources.map((resource) => resource['name']);
    expect(names).toContain('deployments/status');
    expect(names).toContain('deployments/scale');
    expect(resources.find((resource) => resource['name'] === 'deployments')).toMatchObject({
      kind: 'Deployment',
      shortNames: ['deploy'],
    });
  });

  it('shows a custom resource at once, in all its forms, and forgets it with its definition', async () => {
    const { ok, send, server } = testServer();
    await ok('POST', CRDS, widgetDefinition());
    const group = { name: 'test.dev', preferredVersion: { groupVersion: 'test.dev/v1' } };
    expect((await ok('GET', '/apis'))['groups']).toContainEqual(expect.objectContaining({ name: 'test.dev' }));
    expect(await ok('GET', '/apis/test.dev')).toMatchObject(group);
    const aggregated = await server.request({
      method: 'GET',
      path: '/apis',
      headers: { accept: `${AGGREGATED_TYPE},application/json` },
    });
    expect(aggregated.headers['content-type']).toBe(AGGREGATED_TYPE);
    expect(JSON.stringify(aggregated.body)).toContain('"resource":"widgets"');
    expect(Object.keys((await ok('GET', '/openapi/v3'))['paths'] as JsonObject)).toContain('apis/test.dev/v1');
    await ok('DELETE', `${CRDS}/widgets.test.dev`);
    expect((await send('GET', '/apis/test.dev')).status).toBe(404);
    expect((await send('GET', '/openapi/v3/apis/test.dev/v1')).status).toBe(404);
  });

  it('prefers stable versions, then beta, then alpha, newer ones first', () => {
    const versions = ['v1alpha1', 'v2', 'v1beta2', 'foo', 'v1', 'v1beta10', 'v10'];
    expect(versions.sort(compareVersions)).toEqual(['v10', 'v2', 'v1', 'v1beta10', 'v1beta2', 'v1alpha1', 'foo']);
  });

  it('is healthy and knows its version', async () => {
    const { send } = testServer({ kubernetesVersion: 'v1.33.1' });
    expect((await send('GET', '/readyz')).body).toBe('ok');
    expect((await send('GET', '/version')).body).toMatchObject({ major: '1', minor: '33', gitVersion: 'v1.33.1' });
  });
});
