import { describe, expect, it } from 'vitest';
import { freezeJson, without } from '../json.ts';
import type { Json, KubeObject } from '../json.ts';
import { schemaOfBuiltin } from '../schema/builtin-types.ts';
import { deducedSchema } from '../schema/type-schema.ts';
import { keepTimesIfUnchanged, recordUpdate } from './record-update.ts';
import { apply, entryOf, fieldsOf, thing, time, update } from './testing.ts';

const withSpec = (object: KubeObject, spec: Json): KubeObject => ({ ...object, spec });

describe('a create', () => {
  it('gives everything to its manager, but for what belongs to the server', () => {
    const object = update(
      undefined,
      'a',
      thing({ replicas: 1, ports: [{ name: 'p' }] }, { labels: { x: 'y' }, uid: 'u', generation: 1 }),
    );
    expect(fieldsOf(object, 'a')).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
      'f:spec': {
        '.': {},
        'f:ports': { '.': {}, 'k:{"name":"p","protocol":"TCP"}': { '.': {}, 'f:name': {} } },
        'f:replicas': {},
      },
    });
  });

  it('of a built-in kind does not count the parts that an empty object has', () => {
    const after: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        strategy: { type: 'Recreate' },
        template: { metadata: {}, spec: { containers: [{ name: 'c', resources: {} }] } },
      },
    };
    const schema = schemaOfBuiltin('apps/v1', 'Deployment') ?? deducedSchema;
    const object = recordUpdate({
      before: undefined,
      after,
      schema,
      manager: 'a',
      now: time(1),
      apiVersion: 'apps/v1',
    });
    expect(fieldsOf(object, 'a')).toEqual({
      'f:spec': {
        'f:strategy': { 'f:type': {} },
        'f:template': {
          'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:resources': {} } } },
        },
      },
    });
  });
});

describe('an update', () => {
  const live = freezeJson(apply(undefined, 'a', { replicas: 1, image: 'x' }));

  it('takes changed and removed fields from the others', () => {
    const next = update(live, 'b', withSpec(live, { replicas: 2 }), 2);
    expect(entryOf(next, 'a')).toBeUndefined();
    expect(fieldsOf(next, 'b')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(entryOf(next, 'b')?.time).toBe(time(2));
  });

  it('that changes nothing keeps all entries', () => {
    expect(update(live, 'b', live, 2)).toBe(live);
    const copy = JSON.parse(JSON.stringify(live)) as KubeObject;
    expect(update(live, 'b', copy, 2).metadata.managedFields).toBe(live.metadata.managedFields);
  });

  it('without managedFields goes on with the stored ones', () => {
    const bare = { ...live, metadata: without(live.metadata, 'managedFields') };
    expect(update(live, 'b', bare, 2).metadata.managedFields).toEqual(live.metadata.managedFields);
  });

  it('adds to what its manager owned, under the newest time', () => {
    const first = update(live, 'b', withSpec(live, { replicas: 2, image: 'x' }), 2);
    const second = update(first, 'b', withSpec(first, { replicas: 2, image: 'y' }), 3);
    expect(fieldsOf(second, 'b')).toEqual({ 'f:spec': { 'f:image': {}, 'f:replicas': {} } });
    expect(entryOf(second, 'b')?.time).toBe(time(3));
  });

  it('through a subresource has an entry of its own and ignores managedFields of the client', () => {
    const after = { ...live, status: { ready: 1 }, metadata: { ...live.metadata, managedFields: [] } };
    const next = update(live, 'a', after, 2, 'status');
    expect(next.metadata.managedFields).toHaveLength(2);
    expect(next.metadata.managedFields?.[1]).toMatchObject({
      manager: 'a',
      operation: 'Update',
      subresource: 'status',
    });
    expect(next.metadata.managedFields?.[1]?.['fieldsV1']).toEqual({ 'f:status': { '.': {}, 'f:ready': {} } });
  });

  it('leaves an object untracked that has no entries', () => {
    const bare = thing({ replicas: 1 });
    expect(update(bare, 'a', thing({ replicas: 2 }), 2).metadata.managedFields).toBeUndefined();
  });

  it.each([[[]], [[{}]]])('with managedFields %j forgets all owners', (managedFields) => {
    const after = { ...live, metadata: { ...live.metadata, managedFields } };
    expect(update(live, 'a', after, 2).metadata.managedFields).toBeUndefined();
  });

  it('merges the oldest of more than ten updaters', () => {
    let object = live;
    for (let second = 1; second <= 12; second++) {
      object = update(
        object,
        `u${second}`,
        withSpec(object, {
          labels: { ...(object['spec'] as { labels?: object }).labels, [`k${second}`]: 'v' },
        } as Json),
        second,
      );
    }
    const names = object.metadata.managedFields?.map((entry) => entry['manager']);
    expect(names).toEqual(['ancient-changes', 'u4', 'u5', 'u6', 'u7', 'u8', 'u9', 'u10', 'u11', 'u12']);
    expect(fieldsOf(object, 'ancient-changes')).toEqual({
      'f:spec': { 'f:labels': { '.': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
    });
    expect(entryOf(object, 'ancient-changes')?.time).toBe(time(3));
  });
});

describe('keeping times', () => {
  const live = freezeJson(apply(undefined, 'a', { image: '1000m' }));
  const later = {
    ...live,
    metadata: { ...live.metadata, managedFields: [{ ...entryOf(live, 'a'), time: time(9) }] },
  } as KubeObject;

  it('restores them if nothing else changed', () => {
    expect(keepTimesIfUnchanged(live, later)).toEqual(live);
  });

  it('leaves a change alone', () => {
    const changed = withSpec(later, { image: '2' });
    expect(keepTimesIfUnchanged(live, changed)).toBe(changed);
  });
});
