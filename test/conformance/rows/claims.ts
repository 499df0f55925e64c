// Rows about single fields of other owners' objects, events, and other small things that operators write.
import { absent, containing, exactly, like } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  as,
  configMaps,
  create,
  deployments,
  get,
  invalid,
  mergePatch,
  remove,
  widget,
  widgets,
  fails,
} from './dsl.ts';

const nodes = '/api/v1/nodes';
const node = `${nodes}/{ns}`;
const claim = (spec: object): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}' }, spec });
const workload = {
  metadata: { name: 'x', labels: { a: 'b' } },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  },
};

export const claimRows: readonly Row[] = [
  {
    id: 'N1',
    title: 'A claim on one field of a node (cordon) by apply: owned alone; released by an apply without it',
    priority: 'P0',
    setup: [create(nodes, { metadata: { name: '{ns}' } })],
    steps: [
      apply(
        node,
        'claim',
        claim({ unschedulable: true }),
        answers(200, {
          spec: { unschedulable: true },
          metadata: {
            managedFields: containing({
              manager: 'claim',
              operation: 'Apply',
              fieldsV1: exactly({ 'f:spec': { 'f:unschedulable': {} } }),
            }),
          },
        }),
      ),
      apply(node, 'claim', claim({}), answers(200, { spec: { unschedulable: absent } })),
      remove(node, undefined, answers(200)),
    ],
  },
  {
    id: 'N2',
    title:
      'An administrator who writes the value that a claim holds already is not recorded: releasing the claim takes it away',
    priority: 'P0',
    setup: [create(nodes, { metadata: { name: '{ns}' } }), apply(node, 'claim', claim({ unschedulable: true }))],
    steps: [
      mergePatch(
        `${node}?fieldManager=admin`,
        { spec: { unschedulable: true } },
        answers(200, { spec: { unschedulable: true } }),
      ),
      apply(node, 'claim', claim({}), answers(200, { spec: { unschedulable: absent } })),
      remove(node, undefined, answers(200)),
    ],
  },
  {
    id: 'N3',
    title: 'Annotations of several claims on one object are independent of each other and of the owner',
    priority: 'P0',
    setup: [create(deployments, workload)],
    steps: [
      apply(
        `${deployments}/x`,
        'one',
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', annotations: { 'example.com/one': '1' } } },
        answers(200),
      ),
      apply(
        `${deployments}/x`,
        'two',
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', annotations: { 'example.com/two': '2' } } },
        answers(200),
      ),
      apply(
        `${deployments}/x`,
        'one',
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } },
        answers(200, {
          metadata: { annotations: { 'example.com/one': absent, 'example.com/two': '2' }, labels: { a: 'b' } },
          spec: { replicas: 0 },
        }),
      ),
    ],
  },
  {
    id: 'N4',
    title:
      'A change of annotations raises the generation of a Deployment; labels do not; annotations written through /status stay and do not',
    priority: 'P0',
    setup: [create(deployments, { ...workload, spec: { ...workload.spec, paused: true } })],
    steps: [
      mergePatch(
        `${deployments}/x`,
        { metadata: { annotations: { a: 'b' } } },
        answers(200, { metadata: { generation: 2 } }),
      ),
      mergePatch(
        `${deployments}/x`,
        { metadata: { labels: { c: 'd' } } },
        answers(200, { metadata: { generation: 2 } }),
      ),
      mergePatch(
        `${deployments}/x/status`,
        { metadata: { annotations: { e: 'f' }, labels: { g: 'h' } } },
        answers(200, {
          metadata: { generation: 2, annotations: { a: 'b', e: 'f' }, labels: { g: absent } },
        }),
      ),
    ],
  },
  {
    id: 'N5',
    title: 'An Event is written in one group and read in the other; it must lie in the namespace of what it is about',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      create(
        '/apis/events.k8s.io/v1/namespaces/{ns}/events',
        {
          metadata: { name: 'x.1' },
          regarding: {
            apiVersion: 'conformance.pawl.dev/v1',
            kind: 'Widget',
            name: 'x',
            namespace: '{ns}',
            uid: '{a.metadata.uid}',
          },
          type: 'Normal',
          reason: 'Upgraded',
          action: 'Upgrade',
          note: 'done',
          eventTime: '2026-01-01T00:00:00.000000Z',
          reportingController: 'example.com/tester',
          reportingInstance: 'tester-1',
        },
        answers(201, { regarding: { name: 'x' }, note: 'done' }),
      ),
      get(
        '/api/v1/namespaces/{ns}/events/x.1',
        answers(200, {
          involvedObject: { kind: 'Widget', name: 'x' },
          message: 'done',
          reason: 'Upgraded',
          reportingComponent: 'example.com/tester',
        }),
      ),
      create(
        '/api/v1/namespaces/{ns}/events',
        {
          metadata: { name: 'y.1' },
          involvedObject: { kind: 'Widget', name: 'x', namespace: 'default' },
          reason: 'R',
          message: 'm',
          type: 'Normal',
        },
        invalid({ field: 'involvedObject.namespace' }),
      ),
      create(
        '/api/v1/namespaces/{ns}/events',
        {
          metadata: { name: 'y.1' },
          involvedObject: { kind: 'Widget', name: 'x', namespace: '{ns}' },
          reason: 'R',
          message: 'm',
          type: 'Normal',
          count: 1,
          firstTimestamp: '2026-01-01T00:00:00Z',
        },
        answers(201, { count: 1 }),
      ),
      mergePatch('/api/v1/namespaces/{ns}/events/y.1', { count: 2 }, answers(200, { count: 2 })),
      get(
        '/api/v1/namespaces/{ns}/events?fieldSelector=involvedObject.name%3Dx,reason%3DR',
        answers(200, { items: [{ metadata: { name: 'y.1' } }] }),
      ),
    ],
  },
  {
    id: 'N6',
    title:
      'An owner reference is owned as a whole: the same one is shared, another one for the same uid is a conflict; a second controller is refused',
    priority: 'P0',
    setup: [
      as('o', create(configMaps, { metadata: { name: 'o' } })),
      as('p', create(configMaps, { metadata: { name: 'p' } })),
      apply(`${configMaps}/x`, 'one', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'x',
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '{o.metadata.uid}', controller: true },
          ],
        },
      }),
    ],
    steps: [
      apply(
        `${configMaps}/x`,
        'two',
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'x',
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: '{p.metadata.uid}', controller: true },
            ],
          },
        },
        invalid({ field: 'metadata.ownerReferences' }),
      ),
      apply(
        `${configMaps}/x`,
        'two',
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'x',
            ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '{o.metadata.uid}' }],
          },
        },
        fails(409, 'Conflict', { message: like('.metadata.ownerReferences\\[uid="') }),
      ),
      apply(
        `${configMaps}/x`,
        'two',
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'x',
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '{o.metadata.uid}', controller: true },
            ],
          },
        },
        answers(200, { metadata: { ownerReferences: [{ name: 'o', uid: '{o.metadata.uid}', controller: true }] } }),
      ),
    ],
  },
  {
    id: 'N7',
    title:
      'A list of many namespaces or kinds by label: the label that a create carries finds the object in the very next list',
    priority: 'P0',
    steps: [
      create(widgets, widget('x', {}, { labels: { 'example.com/owner': '{ns}' } }), answers(201)),
      get(
        '/apis/conformance.pawl.dev/v1/widgets?labelSelector=example.com/owner%3D{ns}',
        answers(200, { items: [{ metadata: { name: 'x' } }] }),
      ),
      get('/api/v1/configmaps?labelSelector=example.com/owner%3D{ns}', answers(200, { items: [] })),
      remove(`${widgets}/x`, undefined, answers(200)),
      get('/apis/conformance.pawl.dev/v1/widgets?labelSelector=example.com/owner%3D{ns}', answers(200, { items: [] })),
    ],
  },
  {
    id: 'N8',
    title: 'Warnings for deprecated or odd input travel as Warning headers, one for each',
    priority: 'P1',
    steps: [
      create(
        widgets,
        widget('x', { colour: 'red', sice: 1 }),
        answers(
          201,
          {},
          { headers: { warning: like('unknown field \\\\"spec.colour\\\\".*unknown field \\\\"spec.sice\\\\"') } },
        ),
      ),
    ],
  },
  {
    id: 'N9',
    title: 'timeout in the query of a write is accepted; one that is no duration is refused',
    priority: 'P1',
    steps: [
      create(`${configMaps}?timeout=15s`, { metadata: { name: 'x' } }, answers(201)),
      create(`${configMaps}?timeout=soon`, { metadata: { name: 'y' } }, answers(400)),
    ],
  },
];
