// Rows about objects that cannot be created as sent.
import { containing } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  configMap,
  configMaps,
  create,
  fails,
  invalid,
  namespaces,
  owner,
  remove,
  send,
  services,
  widget,
  widgets,
} from './dsl.ts';

export const refusedCreateRows: readonly Row[] = [
  {
    id: '21',
    title: 'Neither name nor generateName: 422, cause FieldValueRequired for metadata.name',
    priority: 'P0',
    steps: [
      create(
        configMaps,
        { metadata: {} },
        invalid({
          reason: 'FieldValueRequired',
          field: 'metadata.name',
          message: 'Required value: name or generateName is required',
        }),
      ),
      create(
        widgets,
        { apiVersion: 'conformance.pawl.dev/v1', kind: 'Widget', metadata: {} },
        invalid({
          reason: 'FieldValueRequired',
          field: 'metadata.name',
          message: 'Required value: name or generateName is required',
        }),
      ),
    ],
  },
  {
    id: '24',
    title: 'A namespace in the body other than that of the URL: 400 BadRequest',
    priority: 'P0',
    steps: [
      create(
        configMaps,
        configMap('x', {}, { namespace: 'default' }),
        fails(400, 'BadRequest', {
          message: 'the namespace of the provided object does not match the namespace sent on the request',
        }),
      ),
      create(widgets, widget('x', {}, { namespace: 'default' }), fails(400, 'BadRequest')),
    ],
  },
  {
    id: '25',
    title: 'A namespace that does not exist: 404 for the namespace',
    priority: 'P0',
    steps: [
      create(
        `${namespaces}/missing/configmaps`,
        configMap('x'),
        fails(404, 'NotFound', {
          message: 'namespaces "missing" not found',
          details: { name: 'missing', kind: 'namespaces' },
        }),
      ),
    ],
  },
  {
    id: '26',
    title: 'A namespace that is terminating: 403 Forbidden with the cause NamespaceTerminating',
    priority: 'P0',
    setup: [
      create(configMaps, configMap('held', {}, { finalizers: ['example.com/hold'] })),
      remove(`${namespaces}/{ns}`),
    ],
    steps: [
      {
        until: { method: 'POST', path: configMaps, body: configMap('x') },
        expect: fails(403, 'Forbidden', {
          message:
            'configmaps "x" is forbidden: unable to create new content in namespace {ns} because it is being terminated',
          details: {
            causes: containing({
              reason: 'NamespaceTerminating',
              field: 'metadata.namespace',
              message: 'namespace {ns} is being terminated',
            }),
          },
        }),
      },
    ],
  },
  {
    id: '27',
    title:
      'POST to the path of an object: 405 for a built-in type; a custom resource is created under the name of its body',
    priority: 'P1',
    steps: [
      send('POST', `${configMaps}/x`, configMap('x'), fails(405, 'MethodNotAllowed')),
      send('POST', `${widgets}/x`, widget('x'), answers(201, { metadata: { name: 'x' } })),
    ],
  },
  {
    id: '30',
    title: 'Two owner references with controller: true, or one without uid, name, kind or apiVersion: 422',
    priority: 'P0',
    steps: [
      create(
        configMaps,
        configMap(
          'x',
          {},
          { ownerReferences: [owner('a', '1', { controller: true }), owner('b', '2', { controller: true })] },
        ),
        invalid({
          reason: 'FieldValueInvalid',
          field: 'metadata.ownerReferences',
        }),
      ),
      create(
        configMaps,
        configMap('x', {}, { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] }),
        invalid(
          { field: 'metadata.ownerReferences.apiVersion', reason: 'FieldValueInvalid' },
          { field: 'metadata.ownerReferences.kind', reason: 'FieldValueInvalid' },
          { field: 'metadata.ownerReferences.name', reason: 'FieldValueInvalid' },
          { field: 'metadata.ownerReferences.uid', reason: 'FieldValueInvalid' },
        ),
      ),
    ],
  },
  {
    id: '31',
    title:
      'An apiVersion or kind in the body other than that of the URL: 400 BadRequest; 422 for the kind of a custom resource',
    priority: 'P1',
    steps: [
      create(widgets, { ...widget('x'), apiVersion: 'conformance.pawl.dev/v2' }, fails(400, 'BadRequest')),
      create(
        widgets,
        { ...widget('x'), kind: 'Gadget' },
        invalid({ reason: 'FieldValueInvalid', field: 'kind', message: 'Invalid value: "Gadget": must be Widget' }),
      ),
      create(configMaps, { ...configMap('x'), apiVersion: 'v2' }, fails(400, 'BadRequest')),
      create(configMaps, { ...configMap('x'), kind: 'Secret' }, fails(400, 'BadRequest')),
    ],
  },
  {
    id: '32',
    title: 'Annotations above 256 KiB, labels, finalizers or names of bad syntax: 422',
    priority: 'P1',
    steps: [
      create(
        configMaps,
        configMap('x', {}, { annotations: { big: 'x'.repeat(256 * 1024 + 1) } }),
        invalid({
          reason: 'FieldValueTooLong',
          field: 'metadata.annotations',
        }),
      ),
      create(
        configMaps,
        configMap('x', {}, { labels: { 'a b': 'c' } }),
        invalid({ reason: 'FieldValueInvalid', field: 'metadata.labels' }),
      ),
      create(
        configMaps,
        configMap('x', {}, { labels: { a: 'not valid!' } }),
        invalid({ reason: 'FieldValueInvalid', field: 'metadata.labels' }),
      ),
      create(
        configMaps,
        configMap('x', {}, { annotations: { 'a b': 'c' } }),
        invalid({ reason: 'FieldValueInvalid', field: 'metadata.annotations' }),
      ),
      create(configMaps, configMap('x', {}, { finalizers: ['not valid!'] }), invalid({ field: 'metadata.finalizers' })),
      create(
        services,
        { metadata: { name: '1-begins-with-a-digit' }, spec: { ports: [{ port: 80 }] } },
        invalid({
          reason: 'FieldValueInvalid',
          field: 'metadata.name',
        }),
      ),
    ],
  },
];
