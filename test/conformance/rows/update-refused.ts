// Rows about replacements that are refused, and about what lets them pass.
import { absent, other, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  as,
  configMap,
  configMaps,
  create,
  deployments,
  fails,
  invalid,
  leases,
  mergePatch,
  put,
  secrets,
  services,
  statefulSets,
  widget,
  widgets,
} from './dsl.ts';

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
const workload = (rest: object = {}): object => ({ selector: { matchLabels: { app: 'x' } }, template, ...rest });
const rv = '{a.metadata.resourceVersion}';

export const refusedUpdateRows: readonly Row[] = [
  {
    id: '33',
    title:
      'PUT of a custom resource without resourceVersion: 422, metadata.resourceVersion must be specified for an update',
    priority: 'P0',
    setup: [create(widgets, widget('x'))],
    steps: [
      put(
        `${widgets}/x`,
        widget('x', { size: 2 }),
        invalid({
          reason: 'FieldValueInvalid',
          field: 'metadata.resourceVersion',
          message: text('must be specified for an update$'),
        }),
      ),
      mergePatch(
        `${widgets}/x`,
        { metadata: { resourceVersion: null }, spec: { size: 2 } },
        invalid({ field: 'metadata.resourceVersion' }),
      ),
    ],
  },
  {
    id: '34',
    title: 'PUT of ConfigMap, Secret, Service, Deployment or StatefulSet without resourceVersion: unconditional update',
    priority: 'P0',
    setup: [
      create(configMaps, configMap('x')),
      create(secrets, { metadata: { name: 'x' } }),
      as('s', create(services, { metadata: { name: 'x' }, spec: { ports: [{ port: 80 }] } })),
      create(deployments, { metadata: { name: 'x' }, spec: workload() }),
      create(statefulSets, { metadata: { name: 'x' }, spec: workload({ serviceName: 'x' }) }),
    ],
    steps: [
      put(`${configMaps}/x`, configMap('x', { new: 'value' }), answers(200, { data: { key: absent, new: 'value' } })),
      put(`${secrets}/x`, { metadata: { name: 'x' }, data: { a: 'Yg==' } }, answers(200, { data: { a: 'Yg==' } })),
      put(
        `${services}/x`,
        { metadata: { name: 'x' }, spec: { ports: [{ port: 81 }] } },
        answers(200, { spec: { clusterIP: '{s.spec.clusterIP}', ports: [{ port: 81 }] } }),
      ),
      put(
        `${deployments}/x`,
        { metadata: { name: 'x' }, spec: workload({ replicas: 2 }) },
        answers(200, { spec: { replicas: 2 } }),
      ),
      put(
        `${statefulSets}/x`,
        { metadata: { name: 'x' }, spec: workload({ serviceName: 'x', replicas: 2 }) },
        answers(200, { spec: { replicas: 2 } }),
      ),
    ],
  },
  {
    id: '35',
    title: 'PUT with a stale resourceVersion: 409 Conflict, for built-in and custom resources',
    priority: 'P0',
    setup: [
      as('a', create(configMaps, configMap('x'))),
      mergePatch(`${configMaps}/x`, { data: { key: 'other' } }),
      as('b', create(widgets, widget('x'))),
      mergePatch(`${widgets}/x`, { spec: { size: 2 } }),
    ],
    steps: [
      put(`${configMaps}/x`, configMap('x', {}, { resourceVersion: rv }), fails(409, 'Conflict')),
      put(`${widgets}/x`, widget('x', {}, { resourceVersion: '{b.metadata.resourceVersion}' }), fails(409, 'Conflict')),
    ],
  },
  {
    id: '36',
    title: 'PUT with the uid of another object: 409 Conflict, the UID in the precondition is named',
    priority: 'P0',
    setup: [as('a', create(configMaps, configMap('x'))), as('b', create(widgets, widget('x')))],
    steps: [
      put(
        `${configMaps}/x`,
        configMap('x', {}, { uid: 'other' }),
        fails(409, 'Conflict', {
          message:
            'Operation cannot be fulfilled on configmaps "x": StorageError: invalid object, Code: 4, Key: /registry/configmaps/{ns}/x, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: {a.metadata.uid}',
        }),
      ),
      put(
        `${widgets}/x`,
        widget('x', {}, { uid: 'other', resourceVersion: '{b.metadata.resourceVersion}' }),
        fails(409, 'Conflict', {
          message: text('Precondition failed: UID in precondition: other, UID in object meta: '),
        }),
      ),
    ],
  },
  {
    id: '37',
    title: 'A name in the body other than that of the URL: 400 BadRequest',
    priority: 'P0',
    setup: [create(configMaps, configMap('x'))],
    steps: [
      put(
        `${configMaps}/x`,
        configMap('y'),
        fails(400, 'BadRequest', { message: 'the name of the object (y) does not match the name on the URL (x)' }),
      ),
      put(`${configMaps}/x`, configMap('x', {}, { namespace: 'default' }), fails(400, 'BadRequest')),
    ],
  },
  {
    id: '42',
    title: 'A deletionTimestamp in the body of a live object: 422, the field is immutable',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), create(configMaps, configMap('x'))],
    steps: [
      put(
        `${widgets}/x`,
        widget('x', {}, { resourceVersion: rv, deletionTimestamp: '2001-01-01T00:00:00Z' }),
        invalid({
          reason: 'FieldValueInvalid',
          field: 'metadata.deletionTimestamp',
          message: text('field is immutable$'),
        }),
      ),
      mergePatch(
        `${configMaps}/x`,
        { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } },
        invalid({ field: 'metadata.deletionTimestamp' }),
      ),
    ],
  },
  {
    id: '43',
    title: 'PUT to an object that is missing: 404; a Lease is created by it (201)',
    priority: 'P0',
    steps: [
      put(`${configMaps}/none`, configMap('none'), fails(404, 'NotFound')),
      put(`${widgets}/none`, widget('none', {}, { resourceVersion: '1' }), fails(404, 'NotFound')),
      put(
        `${leases}/none`,
        { metadata: { name: 'none' }, spec: { holderIdentity: 'me' } },
        answers(201, {
          metadata: { uid: other('') },
          spec: { holderIdentity: 'me' },
        }),
      ),
    ],
  },
  {
    id: 'U1',
    title: 'PUT with resourceVersion "0" of a custom resource: 409 or 422, never an unconditional write',
    priority: 'P1',
    setup: [create(widgets, widget('x'))],
    steps: [put(`${widgets}/x`, widget('x', { size: 2 }, { resourceVersion: '0' }), answers(422))],
  },
];
