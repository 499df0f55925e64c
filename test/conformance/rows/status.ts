// Rows about status, generation and scale.
import { absent, exactly, newer } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  as,
  configMap,
  configMaps,
  create,
  deployments,
  fails,
  gadget,
  gadgets,
  get,
  mergePatch,
  put,
  remove,
  secrets,
  serviceAccounts,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;
const rv = '{a.metadata.resourceVersion}';
const scale = (replicas: number): object => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 'x', namespace: '{ns}' },
  spec: { replicas },
});
const workload = {
  metadata: { name: 'x' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  },
};

export const statusRows: readonly Row[] = [
  {
    id: '70',
    title: 'Replace or patch of a custom resource with the status subresource ignores status',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      mergePatch(x, { status: { ready: true } }, answers(200, { status: absent, metadata: { resourceVersion: rv } })),
      put(
        x,
        { ...widget('x', { size: 2 }, { resourceVersion: rv }), status: { ready: true } },
        answers(200, { status: absent, spec: { size: 2 } }),
      ),
    ],
  },
  {
    id: '71',
    title: 'A write to /status changes status only: spec, labels and finalizers are ignored',
    priority: 'P0',
    setup: [
      as('a', create(widgets, widget('x', { size: 1 }, { labels: { a: 'b' }, finalizers: ['example.com/hold'] }))),
    ],
    steps: [
      as(
        'b',
        put(
          `${x}/status`,
          {
            ...widget('x', { size: 5 }, { resourceVersion: rv, labels: { c: 'd' }, annotations: { e: 'f' } }),
            status: { ready: true },
          },
          answers(200, {
            spec: { size: 1 },
            status: { ready: true },
            metadata: {
              labels: exactly({ a: 'b' }),
              annotations: absent,
              finalizers: ['example.com/hold'],
              generation: 1,
              resourceVersion: newer(rv),
            },
          }),
        ),
      ),
      mergePatch(
        `${x}/status`,
        { metadata: { labels: { g: 'h' } }, spec: { size: 6 }, status: { ready: false } },
        answers(200, {
          spec: { size: 1 },
          status: { ready: false },
          metadata: { labels: exactly({ a: 'b' }), resourceVersion: newer('{b.metadata.resourceVersion}') },
        }),
      ),
      get(`${x}/status`, answers(200, { kind: 'Widget', spec: { size: 1 }, status: { ready: false } })),
    ],
  },
  {
    id: '72',
    title: 'A write to /status with a stale resourceVersion: 409 Conflict, by replace and by merge patch',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), mergePatch(x, { spec: { size: 2 } })],
    steps: [
      put(
        `${x}/status`,
        { ...widget('x', {}, { resourceVersion: rv }), status: { ready: true } },
        fails(409, 'Conflict'),
      ),
      mergePatch(`${x}/status`, { metadata: { resourceVersion: rv }, status: { ready: true } }, fails(409, 'Conflict')),
    ],
  },
  {
    id: '73',
    title: 'Without the status subresource: /status is 404 and status is written through the main path',
    priority: 'P0',
    setup: [create(gadgets, gadget('x'))],
    steps: [
      mergePatch(`${gadgets}/x/status`, { status: { ready: true } }, answers(404)),
      get(`${gadgets}/x/status`, answers(404)),
      mergePatch(`${gadgets}/x`, { status: { ready: true } }, answers(200, { status: { ready: true } })),
    ],
  },
  {
    id: '74',
    title: 'A new custom resource has generation 1',
    priority: 'P0',
    steps: [
      create(widgets, widget('x'), answers(201, { metadata: { generation: 1 } })),
      create(gadgets, gadget('x'), answers(201, { metadata: { generation: 1 } })),
    ],
  },
  {
    id: '75',
    title: 'A change outside of metadata and status raises the generation by one; metadata and /status do not',
    priority: 'P0',
    setup: [create(widgets, widget('x'))],
    steps: [
      mergePatch(x, { spec: { size: 2 } }, answers(200, { metadata: { generation: 2 } })),
      mergePatch(x, { metadata: { labels: { a: 'b' } } }, answers(200, { metadata: { generation: 2 } })),
      mergePatch(`${x}/status`, { status: { ready: true } }, answers(200, { metadata: { generation: 2 } })),
      mergePatch(x, { spec: { size: 2 } }, answers(200, { metadata: { generation: 2 } })),
    ],
  },
  {
    id: '76',
    title: 'A custom resource without the status subresource: a change of status raises the generation',
    priority: 'P1',
    setup: [create(gadgets, gadget('x'))],
    steps: [mergePatch(`${gadgets}/x`, { status: { ready: true } }, answers(200, { metadata: { generation: 2 } }))],
  },
  {
    id: '77',
    title: 'The first delete of an object with finalizers raises its generation by one',
    priority: 'P0',
    setup: [
      create(widgets, widget('x', {}, { finalizers: ['example.com/hold'] })),
      create(deployments, { ...workload, metadata: { name: 'x', finalizers: ['example.com/hold'] } }),
    ],
    steps: [
      remove(x, undefined, answers(200, { metadata: { generation: 2 } })),
      remove(x, undefined, answers(200, { metadata: { generation: 2 } })),
      remove(`${deployments}/x`, { propagationPolicy: 'Background' }, answers(200, { metadata: { generation: 2 } })),
    ],
  },
  {
    id: '78',
    title: 'ConfigMap, Secret and ServiceAccount have no generation',
    priority: 'P1',
    steps: [
      create(configMaps, configMap('x'), answers(201, { metadata: { generation: absent } })),
      create(secrets, { metadata: { name: 'x' } }, answers(201, { metadata: { generation: absent } })),
      create(serviceAccounts, { metadata: { name: 'x' } }, answers(201, { metadata: { generation: absent } })),
    ],
  },
  {
    id: '79',
    title:
      'The scale subresource of a custom resource reads and writes the mapped members; without the member of spec a read is 500',
    priority: 'P1',
    setup: [
      as('a', create(widgets, widget('x', { replicas: 2 }))),
      mergePatch(`${x}/status`, { status: { replicas: 1, selector: 'app=x' } }),
      create(widgets, widget('y', {})),
    ],
    steps: [
      get(
        `${x}/scale`,
        answers(200, {
          kind: 'Scale',
          apiVersion: 'autoscaling/v1',
          metadata: { name: 'x', uid: '{a.metadata.uid}' },
          spec: { replicas: 2 },
          status: { replicas: 1, selector: 'app=x' },
        }),
      ),
      put(`${x}/scale`, scale(3), answers(200, { spec: { replicas: 3 } })),
      mergePatch(`${x}/scale`, { spec: { replicas: 4 } }, answers(200, { kind: 'Scale', spec: { replicas: 4 } })),
      get(x, answers(200, { spec: { replicas: 4 }, metadata: { generation: 3 } })),
      get(
        `${widgets}/y/scale`,
        answers(500, { message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist' }),
      ),
    ],
  },
  {
    id: 'S1',
    title:
      'The scale subresource of a Deployment leaves replicas 0 out; status and generation follow the rules of custom resources',
    priority: 'P0',
    setup: [create(deployments, workload)],
    steps: [
      mergePatch(
        `${deployments}/x/scale`,
        { spec: { replicas: 0 } },
        answers(200, { kind: 'Scale', spec: { replicas: absent } }),
      ),
      get(`${deployments}/x`, answers(200, { spec: { replicas: 0 }, metadata: { generation: 2 } })),
      mergePatch(
        `${deployments}/x`,
        { metadata: { labels: { a: 'b' } }, status: { replicas: 7 } },
        answers(200, { metadata: { generation: 2 } }),
      ),
    ],
  },
  {
    id: 'S2',
    title:
      'A status merge patch with the right resourceVersion: 200 with the whole object; one that changes nothing keeps the resourceVersion',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      as(
        'b',
        mergePatch(
          `${x}/status`,
          {
            metadata: { resourceVersion: rv },
            status: { phase: 'Steady', conditions: [{ type: 'Ready', status: 'True' }] },
          },
          answers(200, {
            spec: { size: 1 },
            status: { phase: 'Steady', conditions: [{ type: 'Ready', status: 'True' }] },
            metadata: { resourceVersion: newer(rv) },
          }),
        ),
      ),
      mergePatch(
        `${x}/status`,
        { metadata: { resourceVersion: '{b.metadata.resourceVersion}' }, status: { phase: 'Steady' } },
        answers(200, { metadata: { resourceVersion: '{b.metadata.resourceVersion}' } }),
      ),
    ],
  },
  {
    id: 'S3',
    title: 'A write to /status of what is missing: 404',
    priority: 'P0',
    steps: [
      mergePatch(`${x}/status`, { status: {} }, fails(404, 'NotFound')),
      put(`${x}/status`, widget('x', {}, { resourceVersion: '1' }), fails(404, 'NotFound')),
    ],
  },
  {
    id: 'S4',
    title: 'Status of an object that is terminating can still be written',
    priority: 'P0',
    setup: [create(widgets, widget('x', {}, { finalizers: ['example.com/hold'] })), remove(x)],
    steps: [
      mergePatch(`${x}/status`, { status: { phase: 'Deleting' } }, answers(200, { status: { phase: 'Deleting' } })),
    ],
  },
];
