// Rows about single fields of other owners' objects.
import { absent, containing, exactly, like } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, apply, as, configMaps, create, deployments, invalid, mergePatch, remove, fails } from './dsl.ts';

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
];
