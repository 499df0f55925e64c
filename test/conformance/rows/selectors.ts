// Rows about selectors and representations of what is read.
import { absent, containing, present, size, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  configMaps,
  create,
  deployments,
  fails,
  gadget,
  gadgets,
  get,
  names,
  namespaces,
  three,
  widget,
  widgets,
} from './dsl.ts';

export const selectorRows: readonly Row[] = [
  {
    id: '112',
    title: 'Label selectors: =, ==, !=, in, notin, key, !key, and commas; bad syntax is 400',
    priority: 'P0',
    setup: three,
    steps: [
      get(`${configMaps}?labelSelector=app%3Dx`, answers(200, names('b'))),
      get(`${configMaps}?labelSelector=app%3D%3Dx`, answers(200, names('b'))),
      get(`${configMaps}?labelSelector=app,app%21%3Dx`, answers(200, names('a', 'c'))),
      get(`${configMaps}?labelSelector=app%20in%20%28x,y%29`, answers(200, names('a', 'b'))),
      get(`${configMaps}?labelSelector=app,app%20notin%20%28x,y%29`, answers(200, names('c'))),
      get(`${configMaps}?labelSelector=tier`, answers(200, names('b', 'c'))),
      get(`${configMaps}?labelSelector=app,%21tier`, answers(200, names('a'))),
      get(`${configMaps}?labelSelector=app%20in%20%28x,z%29,tier%3Ddb`, answers(200, names('c'))),
      get(
        `${configMaps}?labelSelector=app%20in`,
        fails(400, 'BadRequest', { message: text('unable to parse requirement') }),
      ),
      get(`${configMaps}?labelSelector=a%20b`, fails(400, 'BadRequest')),
    ],
  },
  {
    id: '113',
    title: 'Field selectors metadata.name and metadata.namespace work for every type',
    priority: 'P0',
    setup: [...three, create(widgets, widget('x')), create(widgets, widget('y'))],
    steps: [
      get(`${configMaps}?fieldSelector=metadata.name%3Da`, answers(200, names('a'))),
      get(`${widgets}?fieldSelector=metadata.name%3Dx,metadata.namespace%3D{ns}`, answers(200, names('x'))),
      get(`${widgets}?fieldSelector=metadata.name%21%3Dx`, answers(200, names('y'))),
      get(`${namespaces}?fieldSelector=metadata.name%3D{ns}`, answers(200, { items: size(1) })),
    ],
  },
  {
    id: '114',
    title: 'Another field of a custom resource: 400 unless the definition lists it under selectableFields',
    priority: 'P0',
    since: '1.31',
    setup: [create(gadgets, gadget('x', { color: 'red' })), create(gadgets, gadget('y', { color: 'blue' }))],
    steps: [
      get(
        `${widgets}?fieldSelector=spec.size%3D1`,
        fails(400, 'BadRequest', { message: text('field label not supported: spec.size') }),
      ),
      get(`${gadgets}?fieldSelector=spec.color%3Dred`, answers(200, names('x'))),
      get(`${configMaps}?fieldSelector=data.key%3D1`, fails(400, 'BadRequest')),
    ],
  },
  {
    id: '115',
    title: 'Accept with as=Table and as=PartialObjectMetadata answers those shapes',
    priority: 'P1',
    setup: [create(widgets, widget('x', { size: 3 }, { labels: { a: 'b' } }))],
    steps: [
      get(
        widgets,
        answers(200, {
          kind: 'Table',
          apiVersion: 'meta.k8s.io/v1',
          columnDefinitions: [
            { name: 'Name', type: 'string', format: 'name' },
            { name: 'Size', type: 'integer' },
            { name: 'Age', type: 'date' },
          ],
          rows: [
            {
              cells: ['x', 3, present],
              object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'x' } },
            },
          ],
        }),
        { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
      ),
      get(
        `${widgets}/x`,
        answers(200, {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { name: 'x', labels: { a: 'b' } },
          spec: absent,
        }),
        { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
      ),
      get(
        widgets,
        answers(200, {
          kind: 'PartialObjectMetadataList',
          apiVersion: 'meta.k8s.io/v1',
          items: [{ metadata: { name: 'x' }, spec: absent }],
        }),
        { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
      ),
    ],
  },
  {
    id: 'R4',
    title: 'Table of a Deployment has the columns that kubectl prints',
    priority: 'P1',
    setup: [
      create(deployments, {
        metadata: { name: 'x' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'x' } },
          template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
        },
      }),
    ],
    steps: [
      get(
        deployments,
        answers(200, {
          kind: 'Table',
          columnDefinitions: containing({ name: 'Ready' }, { name: 'Up-to-date' }, { name: 'Available' }),
          rows: [{ cells: containing('x', '0/0') }],
        }),
        { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      ),
    ],
  },
];
