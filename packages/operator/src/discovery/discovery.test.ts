// Discovery: what is asked, how often, and what it says about kinds that are not there.
import { describe, expect, test } from 'vitest';
import { Caller } from '../client/caller.ts';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { ScriptedTransport } from '../testing/scripted-transport.ts';
import { Discovery } from './discovery.ts';

const APPS = {
  kind: 'APIResourceList',
  groupVersion: 'apps/v1',
  resources: [
    { name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get', 'list'] },
    { name: 'deployments/status', kind: 'Deployment', namespaced: true, verbs: ['get'] },
    { name: 'deployments/scale', kind: 'Scale', group: 'autoscaling', namespaced: true, verbs: ['get'] },
  ],
};
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };
const CRON = { apiVersion: 'apps/v1', kind: 'CronTab' };

function setUp(documents: Record<string, unknown>) {
  const clock = new ManualClock();
  const transport = new ScriptedTransport(({ path }) =>
    path in documents ? { body: documents[path] } : { status: 404, body: '404 page not found' },
  );
  const caller = new Caller({ transport, clock, random: fixedRandom(0) });
  const asked = (): readonly string[] => transport.requests.map(({ path }) => path);
  return { discovery: new Discovery({ caller, clock }), clock, asked };
}

describe('a kind', () => {
  test('is described with its plural, scope, verbs and subresources', async () => {
    const { discovery } = setUp({ '/apis/apps/v1': APPS });
    expect(await discovery.resolve(DEPLOYMENT)).toEqual({
      ...DEPLOYMENT,
      plural: 'deployments',
      namespaced: true,
      verbs: ['get', 'list'],
      subresources: ['status', 'scale'],
    });
  });

  test('that was found is never asked for again, and several askers share a request', async () => {
    const { discovery, clock, asked } = setUp({ '/apis/apps/v1': APPS });
    await Promise.all([discovery.resolve(DEPLOYMENT), discovery.resolve(DEPLOYMENT)]);
    clock.advance(3_600_000);
    await discovery.resolve(DEPLOYMENT);
    expect(asked()).toEqual(['/apis/apps/v1']);
  });

  test('that is missing is asked for again, but not at once', async () => {
    const documents: Record<string, unknown> = {
      '/apis/apps/v1': APPS,
      '/apis/apps': { versions: [{ version: 'v1' }] },
    };
    const { discovery, clock, asked } = setUp(documents);
    for (let n = 0; n < 3; n += 1) expect(await discovery.serves(CRON)).toBe(false);
    expect(asked()).toEqual(['/apis/apps/v1']);
    documents['/apis/apps/v1'] = { resources: [{ name: 'crontabs', kind: 'CronTab', namespaced: false, verbs: [] }] };
    clock.advance(5_000);
    expect(await discovery.resolve(CRON)).toMatchObject({ plural: 'crontabs', namespaced: false });
    expect(asked()).toEqual(['/apis/apps/v1', '/apis/apps/v1']);
  });

  test('of the core group is looked for where the core group is', async () => {
    const { discovery, asked } = setUp({ '/api': { kind: 'APIVersions', versions: ['v1'] } });
    await expect(discovery.resolve({ apiVersion: 'v2', kind: 'Pod' })).rejects.toThrow(
      'the server does not serve v2 Pod: of the core group it serves v1',
    );
    expect(asked()).toEqual(['/api/v2', '/api']);
  });

  test('of an unknown group names its CRD as what may be missing', async () => {
    const { discovery, asked } = setUp({});
    const type = { apiVersion: 'x.example/v1', kind: 'Gadget' };
    for (let n = 0; n < 3; n += 1)
      await expect(discovery.resolve(type)).rejects.toThrow(
        'the server does not serve x.example/v1 Gadget: it serves no version of group x.example; is the CRD installed?',
      );
    expect(asked()).toEqual(['/apis/x.example/v1', '/apis/x.example']);
  });

  test('is asked for again once it is forgotten', async () => {
    const { discovery, asked } = setUp({ '/apis/apps/v1': APPS });
    await discovery.resolve(DEPLOYMENT);
    discovery.forget('apps/v1');
    await discovery.resolve(DEPLOYMENT);
    expect(asked()).toHaveLength(2);
  });
});
