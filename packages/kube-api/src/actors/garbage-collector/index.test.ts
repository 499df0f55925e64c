// Garbage collection on this package's server.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { World } from '../testing/world.ts';
import { startWorld } from '../testing/world.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/bench.dev/v1/namespaces/default/widgets';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.dev' },
  spec: {
    group: 'bench.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const map = (name: string, ...ownerReferences: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ownerReferences },
});
const widget = (name: string, ...ownerReferences: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'bench.dev/v1',
  kind: 'Widget',
  metadata: { name, ownerReferences },
});

function refTo(object: JsonObject, more: JsonObject = {}): JsonObject {
  const { name, uid } = object['metadata'] as JsonObject;
  return { apiVersion: object['apiVersion'], kind: object['kind'], name, uid, ...more };
}

async function names(path: string): Promise<readonly string[]> {
  return (await world.list(path))
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => name !== 'kube-root-ca.crt');
}

const remove = (path: string, propagationPolicy: string): Promise<JsonObject> =>
  world.send('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });

describe('a dependent', () => {
  it('goes with its owner in the background, through all levels', async () => {
    const a = await world.send('POST', MAPS, map('a'));
    const b = await world.send('POST', MAPS, map('b', refTo(a)));
    await world.send('POST', MAPS, map('c', refTo(b)));
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['a', 'b', 'c']);
    await remove(`${MAPS}/a`, 'Background');
    await world.actors.idle();
    expect(await names(MAPS)).toEqual([]);
  });

  it('that is created with an owner that is gone is collected soon after', async () => {
    const a = await world.send('POST', MAPS, map('a'));
    await remove(`${MAPS}/a`, 'Background');
    await world.send('POST', MAPS, map('a'));
    await world.send('POST', MAPS, map('late', refTo(a)));
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['a']);
  });

  it('that names an owner which never was is collected after one question', async () => {
    world.server.log.clear();
    await world.send(
      'POST',
      MAPS,
      map('stray', { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'no-such-uid' }),
    );
    await world.actors.idle();
    expect(world.server.log.entries().map(({ verb, name }) => `${verb} ${name}`)).toEqual([
      'create ',
      'get nobody',
      'delete stray',
    ]);
  });

  it('keeps living with its other owner', async () => {
    const a = await world.send('POST', MAPS, map('a'));
    const b = await world.send('POST', MAPS, map('b'));
    await world.send('POST', MAPS, map('shared', refTo(a), refTo(b)));
    await remove(`${MAPS}/a`, 'Background');
    await world.actors.idle();
    expect((await world.find(`${MAPS}/shared`))?.['metadata']).toMatchObject({ ownerReferences: [{ name: 'b' }] });
  });

  it('in another namespace than its owner goes, with an Event', async () => {
    const far = await world.send('POST', '/api/v1/namespaces/kube-system/configmaps', map('far'));
    await world.actors.idle();
    await world.send('POST', MAPS, map('near', refTo(far)));
    await world.actors.idle();
    expect(await names(MAPS)).toEqual([]);
    expect((await world.list('/api/v1/namespaces/default/events')).map((event) => event['reason'])).toEqual([
      'OwnerRefInvalidNamespace',
    ]);
  });
});

describe('deletion', () => {
  it('in the foreground waits for dependents that block', async () => {
    const a = await world.send('POST', MAPS, map('a'));
    const held = map('held', refTo(a, { blockOwnerDeletion: true }));
    await world.send('POST', MAPS, {
      ...held,
      metadata: { ...(held['metadata'] as JsonObject), finalizers: ['x.dev/hold'] },
    });
    await world.actors.idle();
    await remove(`${MAPS}/a`, 'Foreground');
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['a', 'held']);
    await world.send('PATCH', `${MAPS}/held`, { metadata: { finalizers: [] } });
    await world.actors.idle();
    expect(await names(MAPS)).toEqual([]);
  });

  it('in the foreground does not wait for others', async () => {
    const a = await world.send('POST', MAPS, map('a'));
    const loose = map('loose', refTo(a));
    await world.send('POST', MAPS, {
      ...loose,
      metadata: { ...(loose['metadata'] as JsonObject), finalizers: ['x.dev/hold'] },
    });
    await world.actors.idle();
    await remove(`${MAPS}/a`, 'Foreground');
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['loose']);
  });

  it('with orphans leaves the dependents behind, free', async () => {
    const a = await world.send('POST', MAPS, map('a'));
    await world.send('POST', MAPS, map('b', refTo(a)));
    await world.actors.idle();
    await remove(`${MAPS}/a`, 'Orphan');
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['b']);
    expect((await world.find(`${MAPS}/b`))?.['metadata']).not.toHaveProperty('ownerReferences');
  });
});

describe('custom resources', () => {
  it('are collected, and collect, as soon as their kind is served', async () => {
    await world.send('POST', DEFINITIONS, definition);
    await world.actors.idle();
    const owner = await world.send('POST', WIDGETS, widget('owner'));
    const child = await world.send('POST', WIDGETS, widget('child', refTo(owner)));
    await world.send('POST', MAPS, map('leaf', refTo(child)));
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['leaf']);
    await remove(`${WIDGETS}/owner`, 'Background');
    await world.actors.idle();
    expect([await names(WIDGETS), await names(MAPS)]).toEqual([[], []]);
  });

  it('take their dependents along when their kind is deleted', async () => {
    await world.send('POST', DEFINITIONS, definition);
    await world.actors.idle();
    const owner = await world.send('POST', WIDGETS, widget('owner'));
    await world.send('POST', MAPS, map('leaf', refTo(owner)));
    await world.actors.idle();
    await world.send('DELETE', `${DEFINITIONS}/widgets.bench.dev`);
    await world.actors.idle();
    expect(await names(MAPS)).toEqual([]);
  });

  it('wait for their owner kind to be served', async () => {
    await world.send(
      'POST',
      MAPS,
      map('early', { apiVersion: 'bench.dev/v1', kind: 'Widget', name: 'w', uid: 'unknown' }),
    );
    await world.actors.idle();
    expect(await names(MAPS)).toEqual(['early']);
    await world.send('POST', DEFINITIONS, definition);
    await world.actors.idle();
    expect(await names(MAPS)).toEqual([]);
  });
});
