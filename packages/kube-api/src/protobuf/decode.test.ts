// Bodies as typed Go clients send them.
import { describe, expect, it } from 'vitest';
import { schemaOfBuiltin } from '../schema/builtin-types.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { decodeProtobuf } from './decode.ts';
import { fieldNumbers } from './numbers.ts';

/** A field of bytes: a text or a message. */
function field(number: number, ...content: readonly (string | readonly number[])[]): readonly number[] {
  const bytes = content.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : [...part]));
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

const count = (number: number, value: number): readonly number[] => [...varint(number << 3), ...varint(value)];

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

const body = (apiVersion: string, kind: string, ...content: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from([0x6b, 0x38, 0x73, 0, ...field(1, field(1, apiVersion), field(2, kind)), ...field(2, ...content)]);

describe('a body', () => {
  it('with maps, bytes and metadata', () => {
    const metadata = field(
      1,
      field(1, 's'),
      field(3, 'default'),
      field(8),
      field(11, field(1, 'app'), field(2, 'web')),
    );
    const secret = body('v1', 'Secret', metadata, field(2, field(1, 'key'), field(2, [0, 1, 2])), field(3, 'Opaque'));
    expect(decodeProtobuf(secret)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'default', labels: { app: 'web' } },
      data: { key: 'AAEC' },
      type: 'Opaque',
    });
  });

  it('with unset plain fields, which JSON leaves out, and set pointers, which it keeps', () => {
    const spec = field(2, count(1, 0), field(2, field(1, field(1, 'app'), field(2, 'web'))), count(5, 0));
    expect(
      decodeProtobuf(body('apps/v1', 'Deployment', field(1, field(1, 'web'), field(2, ''), count(7, 0)), spec)),
    ).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 0, selector: { matchLabels: { app: 'web' } } },
    });
  });

  it('with messages that JSON does not name, quantities, times and either-or values', () => {
    const volume = field(1, field(1, 'data'), field(2, field(10, field(1, 'claim'), count(2, 0))));
    const container = field(
      2,
      field(1, 'main'),
      field(8, field(1, field(1, 'cpu'), field(2, field(1, '500m')))),
      field(11, field(1, field(2, field(1, '/ready'), field(2, count(1, 1), count(2, 0), field(3, 'http'))))),
    );
    const pod = body(
      'v1',
      'Pod',
      field(1, field(1, 'p'), field(9, count(1, 1_704_067_200))),
      field(2, volume, container),
    );
    expect(decodeProtobuf(pod)).toMatchObject({
      metadata: { name: 'p', deletionTimestamp: '2024-01-01T00:00:00Z' },
      spec: {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }],
        containers: [
          {
            name: 'main',
            resources: { limits: { cpu: '500m' } },
            readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
          },
        ],
      },
    });
  });

  it('with negative numbers and JSON within', () => {
    const revision = body(
      'apps/v1',
      'ControllerRevision',
      field(1, field(1, 'r')),
      field(2, field(1, '{"spec":{"a":1}}')),
      count(3, -2),
    );
    expect(decodeProtobuf(revision)).toMatchObject({ data: { spec: { a: 1 } }, revision: -2 });
  });

  it('of a kind that is only sent', () => {
    const review = body(
      'authorization.k8s.io/v1',
      'SelfSubjectAccessReview',
      field(1),
      field(2, field(1, field(2, 'get'), field(5, 'pods'))),
      field(3, count(1, 0), field(2, '')),
    );
    expect(decodeProtobuf(review)).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
  });

  it.each([
    ['of another encoding', Uint8Array.from([123, 125]), 'lacks its prefix'],
    ['of an unknown kind', body('x.dev/v1', 'Thing'), 'protobuf of x.dev/v1 Thing'],
    ['with an unknown field', body('v1', 'ConfigMap', field(99, 'x')), 'protobuf of ConfigMap with field 99'],
    ['that is cut short', body('v1', 'ConfigMap', field(1, field(1, 'name'))).subarray(0, -2), 'ends within'],
  ])('%s is refused', (_, bytes, message) => {
    expect(() => decodeProtobuf(bytes)).toThrow(message);
  });
});

describe('the numbers', () => {
  const kinds: readonly (readonly [string, string])[] = [
    ['v1', 'Pod'],
    ['v1', 'Service'],
    ['v1', 'Node'],
    ['v1', 'PersistentVolume'],
    ['v1', 'Event'],
    ['apps/v1', 'StatefulSet'],
    ['batch/v1', 'CronJob'],
    ['networking.k8s.io/v1', 'Ingress'],
    ['events.k8s.io/v1', 'Event'],
    ['policy/v1', 'PodDisruptionBudget'],
  ];

  it.each(kinds)('of %s %s are distinct in every type', (apiVersion, kind) => {
    const seen = new Set<TypeSchema>();
    const check = (type: TypeSchema | undefined): void => {
      if (type === undefined || seen.has(type)) return;
      seen.add(type);
      if (type.map !== undefined && type.name !== undefined) {
        const numbers = [...fieldNumbers(type.name, type.map).values()];
        expect(new Set(numbers).size, type.name).toBe(numbers.length);
      }
      for (const { type: part } of type.map?.fields.values() ?? []) check(part);
      check(type.map?.element);
      check(type.list?.element);
    };
    check(schemaOfBuiltin(apiVersion, kind));
    expect(seen.size).toBeGreaterThan(5);
  });
});
