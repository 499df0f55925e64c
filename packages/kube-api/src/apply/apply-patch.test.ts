import { describe, expect, it } from 'vitest';
import { StatusError } from '../errors.ts';
import { freezeJson } from '../json.ts';
import { applyPatch } from './apply-patch.ts';
import { apply, applyObject, entryOf, fieldsOf, thing, thingType, time, update } from './testing.ts';

function failure(run: () => unknown): StatusError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('applying to nothing', () => {
  it('creates the object and owns what was sent', () => {
    const object = apply(undefined, 'a', { replicas: 1, ports: [{ name: 'http' }] });
    expect(object['spec']).toEqual({ replicas: 1, ports: [{ name: 'http' }] });
    expect(entryOf(object, 'a')).toEqual({
      manager: 'a',
      operation: 'Apply',
      apiVersion: 'example.dev/v1',
      time: time(1),
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': { 'f:ports': { 'k:{"name":"http","protocol":"TCP"}': { '.': {}, 'f:name': {} } }, 'f:replicas': {} },
      },
    });
  });
});

describe('applying again', () => {
  const live = freezeJson(apply(undefined, 'a', { replicas: 1, set: ['x'], labels: { a: '1' } }));

  it('answers the same object if nothing changes', () => {
    expect(apply(live, 'a', { replicas: 1, set: ['x'], labels: { a: '1' } }, 9)).toBe(live);
  });

  it('removes what only this manager owned and left out', () => {
    const next = apply(live, 'a', { replicas: 1 }, 2);
    expect(next['spec']).toEqual({ replicas: 1 });
    expect(entryOf(next, 'a')?.time).toBe(time(2));
  });

  it('keeps what others own as well', () => {
    const shared = apply(live, 'b', { labels: { a: '1' } }, 2);
    const next = apply(shared, 'a', { replicas: 1 }, 3);
    expect(next['spec']).toEqual({ replicas: 1, labels: { a: '1' } });
    expect(fieldsOf(next, 'a')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('keeps what nobody ever owned', () => {
    const next = apply(
      { ...live, spec: { ...(live['spec'] as object), image: 'x' } } as typeof live,
      'a',
      { replicas: 1 },
      2,
    );
    expect(next['spec']).toEqual({ replicas: 1, image: 'x' });
  });

  it('removes single list items', () => {
    const two = apply(undefined, 'a', { ports: [{ name: 'p' }, { name: 'q' }], set: ['x', 'y'] });
    expect(apply(two, 'a', { ports: [{ name: 'q' }], set: ['y'] }, 2)['spec']).toEqual({
      ports: [{ name: 'q' }],
      set: ['y'],
    });
  });
});

describe('ownership', () => {
  const live = freezeJson(apply(undefined, 'a', { replicas: 1, image: 'x' }));

  it('is shared for equal values, without a time for the one who changed nothing', () => {
    const next = apply(live, 'b', { replicas: 1 }, 2);
    expect(entryOf(next, 'b')?.time).toBeUndefined();
    expect(fieldsOf(next, 'a')).toEqual(fieldsOf(live, 'a'));
  });

  it('makes another value a conflict', () => {
    const error = failure(() => apply(live, 'b', { replicas: 2 }));
    expect(error.code).toBe(409);
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.replicas');
    expect(error.details?.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.replicas' },
    ]);
  });

  it('names updaters by their version, and all fields of all owners', () => {
    const updated = update(
      live,
      'kubectl',
      thing({ replicas: 3, image: 'x' }, { managedFields: live.metadata.managedFields ?? [] }),
      2,
    );
    const error = failure(() => apply(updated, 'b', { replicas: 2, image: 'y' }));
    expect(error.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.image\nconflicts with "kubectl" using example.dev/v1:\n- .spec.replicas',
    );
  });

  it('passes to the one who forces', () => {
    const next = apply(live, 'b', { replicas: 2 }, 2, true);
    expect(next['spec']).toEqual({ replicas: 2, image: 'x' });
    expect(fieldsOf(next, 'a')).toEqual({ 'f:spec': { 'f:image': {} } });
    expect(fieldsOf(next, 'b')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('starts for an object that nobody tracked with one owner of everything', () => {
    const next = apply(thing({ image: 'x' }), 'a', { replicas: 1 }, 2);
    expect(fieldsOf(next, 'before-first-apply')).toEqual({ 'f:spec': { '.': {}, 'f:image': {} } });
  });

  it('is never had of fields that the endpoint sets back', () => {
    const object = applyObject(undefined, 'a', { ...thing({ replicas: 1 }), status: { ready: 1 } });
    expect(fieldsOf(object, 'a')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });
});

describe('types', () => {
  it('replaces atomic lists and maps, and merges the others', () => {
    const live = apply(undefined, 'a', {
      atomic: ['x'],
      whole: { a: '1' },
      labels: { a: '1' },
      set: ['x'],
      free: { a: 1 },
    });
    const next = apply(
      live,
      'b',
      { atomic: ['y'], whole: { b: '2' }, labels: { b: '2' }, set: ['y'], free: { b: 2 } },
      2,
      true,
    );
    expect(next['spec']).toEqual({
      atomic: ['y'],
      whole: { b: '2' },
      labels: { a: '1', b: '2' },
      set: ['x', 'y'],
      free: { a: 1, b: 2 },
    });
    expect(fieldsOf(next, 'a')).toEqual({
      'f:spec': { 'f:free': { 'f:a': {} }, 'f:labels': { 'f:a': {} }, 'f:set': { 'v:"x"': {} } },
    });
  });

  it('finds list items by key, with the defaults of absent keys', () => {
    const live = apply(undefined, 'a', {
      ports: [
        { name: 'p', protocol: 'TCP', port: 1 },
        { name: 'p', protocol: 'UDP', port: 2 },
      ],
    });
    const next = apply(live, 'b', { ports: [{ name: 'p', note: 'x' }] }, 2);
    expect(next['spec']).toEqual({
      ports: [
        { name: 'p', protocol: 'TCP', port: 1, note: 'x' },
        { name: 'p', protocol: 'UDP', port: 2 },
      ],
    });
  });

  it('puts the configured items in their order and leaves foreign ones where they were', () => {
    const live = apply(undefined, 'a', { set: ['a', 'b', 'c', 'd'] });
    expect((apply(live, 'b', { set: ['d', 'x', 'b'] }, 2)['spec'] as { set: string[] }).set).toEqual([
      'a',
      'c',
      'd',
      'x',
      'b',
    ]);
  });

  it('refuses undeclared fields, wrong types and repeated keys as the typed parser does', () => {
    const message = (spec: object) => failure(() => apply(undefined, 'a', spec as never)).message;
    const prefix = 'failed to create typed patch object (/t; example.dev/v1, Kind=Thing): ';
    expect(message({ nope: 1 })).toBe(`${prefix}.spec.nope: field not declared in schema`);
    expect(message({ replicas: 'x' })).toBe(`${prefix}.spec.replicas: expected numeric (int or float), got string`);
    expect(message({ ports: [{ name: 'p' }, { name: 'p' }] })).toBe(
      `${prefix}.spec.ports: duplicate entries for key [name="p",protocol="TCP"]`,
    );
  });
});

describe('what a client may not send', () => {
  it('is managedFields', () => {
    const error = failure(() => applyObject(undefined, 'a', thing({}, { managedFields: [] })));
    expect([error.code, error.message]).toEqual([400, 'metadata.managedFields must be nil']);
  });

  it('is another version than that of the endpoint', () => {
    const error = failure(() => applyObject(undefined, 'a', { ...thing({}), apiVersion: 'example.dev/v2' }));
    expect([error.code, error.message]).toEqual([400, 'invalid object type: example.dev/v2, Kind=Thing']);
  });
});

describe('versions', () => {
  it('keeps entries of other served versions and drops those of the others', () => {
    const entry = {
      manager: 'o',
      operation: 'Update',
      apiVersion: 'example.dev/v0',
      time: time(1),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:image': {} } },
    };
    const live = thing({ image: 'x' }, { managedFields: [entry] });
    const common = {
      live,
      patch: thing({ replicas: 1 }),
      manager: 'a',
      force: false,
      now: time(2),
      apiVersion: 'example.dev/v1',
    };
    expect(entryOf(applyPatch({ ...common, schema: thingType }).object, 'o')).toBe(entry);
    const gone = applyPatch({
      ...common,
      schema: thingType,
      isServed: (version) => version !== 'example.dev/v0',
    }).object;
    expect(entryOf(gone, 'o')).toBeUndefined();
  });
});

describe('kubectl', () => {
  it('takes over without conflict what client-side apply recorded and nobody changed', () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const recorded = JSON.stringify(thing({ replicas: 1 }, { annotations: {} }));
    const live = update(
      undefined,
      'kubectl-client-side-apply',
      thing({ replicas: 1, image: 'x' }, { annotations: { [annotation]: recorded } }),
    );
    const next = apply(live, 'kubectl', { replicas: 2 }, 2);
    expect(next['spec']).toEqual({ replicas: 2, image: 'x' });
    expect(JSON.parse(next.metadata.annotations?.[annotation] ?? '')).toMatchObject({ spec: { replicas: 2 } });
    expect(failure(() => apply(live, 'kubectl', { image: 'y' }, 2)).code).toBe(409);
  });
});
