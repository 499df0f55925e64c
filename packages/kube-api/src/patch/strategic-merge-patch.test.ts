import { describe, expect, it } from 'vitest';
import type { StatusError } from '../errors.ts';
import { freezeJson } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { schemaOfBuiltin } from '../schema/builtin-types.ts';
import { deducedSchema } from '../schema/type-schema.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const type = schemaOfBuiltin('v1', 'Pod') ?? deducedSchema;
const pod = freezeJson({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', finalizers: ['x', 'y'] },
  spec: {
    containers: [
      { name: 'a', image: '1', env: [{ name: 'E', value: '1' }] },
      { name: 'b', image: '1' },
    ],
    tolerations: [{ key: 't' }],
    nodeSelector: { n: '1' },
    volumes: [{ name: 'v', emptyDir: {} }],
  },
});

const patched = (spec: JsonObject, metadata: JsonObject = {}): Json =>
  applyStrategicMergePatch(pod, { metadata, spec }, type);
const specOf = (spec: JsonObject): Json | undefined => (patched(spec) as typeof pod).spec;

describe('strategic merge patch', () => {
  it('merges lists by their key and replaces the others', () => {
    expect(
      specOf({ containers: [{ name: 'b', image: '2' }, { name: 'c' }], tolerations: [{ key: 'u' }] }),
    ).toMatchObject({
      containers: [{ name: 'a', image: '1' }, { name: 'b', image: '2' }, { name: 'c' }],
      tolerations: [{ key: 'u' }],
    });
  });

  it('gives the object back if nothing changes', () => {
    expect(patched({ containers: [{ name: 'a', image: '1' }], nodeSelector: { n: '1' } })).toEqual(pod);
    expect(applyStrategicMergePatch(pod, { metadata: { name: 'p' } }, type)).toBe(pod);
  });

  it('removes with null, and with $patch: delete in lists', () => {
    expect(specOf({ containers: [{ name: 'a', $patch: 'delete' }], nodeSelector: null })).toEqual({
      containers: [{ name: 'b', image: '1' }],
      tolerations: [{ key: 't' }],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
  });

  it('replaces with $patch: replace', () => {
    expect(
      specOf({ containers: [{ $patch: 'replace' }, { name: 'z' }], nodeSelector: { $patch: 'replace', m: '2' } }),
    ).toMatchObject({
      containers: [{ name: 'z' }],
      nodeSelector: { m: '2' },
    });
  });

  it('orders by $setElementOrder', () => {
    const spec = {
      '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }, { name: 'a' }],
      containers: [{ name: 'c' }],
    };
    expect((specOf(spec) as typeof pod.spec).containers.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  });

  it('deletes from lists of scalars, and merges them', () => {
    const result = patched({}, { finalizers: ['z'], '$deleteFromPrimitiveList/finalizers': ['x'] });
    expect((result as typeof pod).metadata.finalizers).toEqual(['z', 'y']);
  });

  it('clears what $retainKeys does not name', () => {
    expect(
      specOf({ volumes: [{ name: 'v', configMap: { name: 'c' }, $retainKeys: ['name', 'configMap'] }] }),
    ).toMatchObject({
      volumes: [{ name: 'v', configMap: { name: 'c' } }],
    });
  });

  it.each<[JsonObject, number]>([
    [{ containers: [{ image: '2' }] }, 500],
    [{ nodeSelector: { $patch: 'explode' } }, 500],
    [{ volumes: [{ name: 'v', hostPath: {}, $retainKeys: ['name'] }] }, 400],
    [{ '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] }, 400],
  ])('refuses %j', (spec, code) => {
    expect(() => patched(spec)).toThrow(expect.objectContaining({ code }) as StatusError);
  });
});
