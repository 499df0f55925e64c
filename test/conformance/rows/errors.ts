// Rows about errors and the envelope they come in.
import { absent, containing, present } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  as,
  configMap,
  configMaps,
  create,
  deployments,
  fails,
  get,
  group,
  invalid,
  mergePatch,
  namespaces,
  put,
  remove,
  send,
  strategicPatch,
  widget,
  widgets,
} from './dsl.ts';

export const errorRows: readonly Row[] = [
  {
    id: '1',
    title: 'Any API error is a Status: kind, apiVersion, status Failure, code, reason, message, details',
    priority: 'P0',
    steps: [get(`${configMaps}/none`, fails(404, 'NotFound', { message: present, details: present, metadata: {} }))],
  },
  {
    id: '2',
    title:
      'A missing object: 404 NotFound; details.kind is the plural resource, the message names resource, group and object',
    priority: 'P0',
    steps: [
      get(
        `${widgets}/none`,
        fails(404, 'NotFound', {
          message: `widgets.${group} "none" not found`,
          details: { name: 'none', group, kind: 'widgets' },
        }),
      ),
      get(
        `${configMaps}/none`,
        fails(404, 'NotFound', {
          message: 'configmaps "none" not found',
          details: { name: 'none', group: absent, kind: 'configmaps' },
        }),
      ),
    ],
  },
  {
    id: '3',
    title:
      'Creating what exists: 409 AlreadyExists; while the existing one is terminating the message starts with "object is being deleted:"',
    priority: 'P0',
    setup: [
      create(widgets, widget('there')),
      create(widgets, widget('going', {}, { finalizers: ['example.com/hold'] })),
      remove(`${widgets}/going`),
    ],
    steps: [
      create(
        widgets,
        widget('there'),
        fails(409, 'AlreadyExists', {
          message: `widgets.${group} "there" already exists`,
          details: { name: 'there', group, kind: 'widgets' },
        }),
      ),
      create(
        widgets,
        widget('going'),
        fails(409, 'AlreadyExists', {
          message: `object is being deleted: widgets.${group} "going" already exists`,
        }),
      ),
    ],
  },
  {
    id: '4',
    title:
      'A resourceVersion that is not the stored one: 409 Conflict with the advice to apply the changes to the latest version',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), mergePatch(`${widgets}/x`, { spec: { size: 2 } })],
    steps: [
      put(
        `${widgets}/x`,
        widget('x', { size: 3 }, { resourceVersion: '{a.metadata.resourceVersion}' }),
        fails(409, 'Conflict', {
          message: `Operation cannot be fulfilled on widgets.${group} "x": the object has been modified; please apply your changes to the latest version and try again`,
          details: { name: 'x', group, kind: 'widgets' },
        }),
      ),
    ],
  },
  {
    id: '5',
    title:
      'An object that fails validation: 422 Invalid; details.kind is the Kind, details.causes name reason, message and field',
    priority: 'P0',
    steps: [
      create(
        widgets,
        widget('x', { size: 'big' }),
        fails(422, 'Invalid', {
          details: {
            name: 'x',
            group,
            kind: 'Widget',
            causes: containing({ reason: 'FieldValueTypeInvalid', field: 'spec.size' }),
          },
        }),
      ),
      create(
        configMaps,
        configMap('Not A Name'),
        fails(422, 'Invalid', {
          details: {
            name: 'Not A Name',
            kind: 'ConfigMap',
            causes: containing({ reason: 'FieldValueInvalid', field: 'metadata.name' }),
          },
        }),
      ),
    ],
  },
  {
    id: '6',
    title: 'A body that is not JSON: 400 BadRequest',
    priority: 'P0',
    needs: ['text'],
    steps: [
      { send: { method: 'POST', path: configMaps, text: '{"metadata":' }, expect: fails(400, 'BadRequest') },
      { send: { method: 'POST', path: widgets, text: '{"metadata":' }, expect: fails(400, 'BadRequest') },
    ],
  },
  {
    id: '7',
    title: 'A path, kind or version that is not served: 404 with the text "404 page not found", not a typed object',
    priority: 'P0',
    steps: [
      get('/nowhere', answers(404)),
      get('/apis/nowhere.example/v1/things', answers(404, '404 page not found\n')),
      get(`/apis/${group}/v1/namespaces/{ns}/nothings`, answers(404, '404 page not found\n')),
      get(`/apis/${group}/v9/namespaces/{ns}/widgets`, answers(404, '404 page not found\n')),
      get(
        '/api/v1/namespaces/{ns}/nothings',
        fails(404, 'NotFound', { message: 'the server could not find the requested resource' }),
      ),
    ],
  },
  {
    id: '8',
    title: 'A verb that the resource does not have: 405 MethodNotAllowed',
    priority: 'P1',
    steps: [
      send('PUT', configMaps, configMap('x'), fails(405, 'MethodNotAllowed')),
      send('POST', `${configMaps}/x`, configMap('x'), fails(405, 'MethodNotAllowed')),
      send('PATCH', `${configMaps}`, {}, fails(405, 'MethodNotAllowed'), {
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    ],
  },
  {
    id: '9',
    title: 'A patch of a content type that the server does not know: 415 UnsupportedMediaType',
    priority: 'P0',
    setup: [create(configMaps, configMap('x')), create(widgets, widget('x'))],
    steps: [
      send('PATCH', `${configMaps}/x`, { data: { a: 'b' } }, fails(415, 'UnsupportedMediaType'), {
        headers: { 'content-type': 'application/json' },
      }),
      send('PATCH', `${widgets}/x`, {}, fails(415, 'UnsupportedMediaType'), {
        headers: { 'content-type': 'application/json' },
      }),
    ],
  },
  {
    id: '10',
    title: 'An Accept header that nothing satisfies: 406 NotAcceptable',
    priority: 'P1',
    steps: [get(configMaps, fails(406, 'NotAcceptable'), { accept: 'image/png' })],
  },
  {
    id: '11',
    title: 'A body above 3 MiB: 413 RequestEntityTooLarge',
    priority: 'P1',
    steps: [
      create(configMaps, configMap('x', { big: 'x'.repeat(3 * 1024 * 1024 + 1) }), fails(413, 'RequestEntityTooLarge')),
    ],
  },
  {
    id: '17',
    title: 'An internal error that is no Status of its own: 500 without a reason',
    priority: 'P1',
    steps: [
      create(
        widgets,
        widget('x', {}, { resourceVersion: '5' }),
        answers(500, { kind: 'Status', code: 500, reason: absent, message: present }),
      ),
    ],
  },
  {
    id: 'E1',
    title: 'The first refusal wins: authorisation before admission, admission before validation',
    priority: 'P1',
    steps: [
      create(
        `${namespaces}/no-such-namespace/configmaps`,
        configMap('Not A Name'),
        fails(404, 'NotFound', { message: 'namespaces "no-such-namespace" not found' }),
      ),
    ],
  },
  {
    id: 'E2',
    title: 'A built-in type refuses a number where text belongs: 400 on create, 422 on a patch, 500 on apply',
    priority: 'P1',
    setup: [create(configMaps, configMap('there'))],
    steps: [
      create(configMaps, { ...configMap('x'), data: { key: 5 } }, fails(400, 'BadRequest')),
      mergePatch(`${configMaps}/there`, { data: { key: 5 } }, fails(422, 'Invalid')),
      strategicPatch(
        `${configMaps}/there`,
        { data: { key: 5 } },
        invalid({ reason: 'FieldValueInvalid', field: 'patch' }),
      ),
      apply(`${configMaps}/x`, 'tester', { ...configMap('x'), data: { key: 5 } }, answers(500)),
      create(
        deployments,
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: 'none' },
        fails(400, 'BadRequest'),
      ),
    ],
  },
  {
    id: 'E3',
    title: 'A name of a custom resource must be a DNS subdomain',
    priority: 'P1',
    steps: [create(widgets, widget('Upper'), invalid({ reason: 'FieldValueInvalid', field: 'metadata.name' }))],
  },
];
