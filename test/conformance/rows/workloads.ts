// Rows about changing and rolling out workloads.
import { absent, containing, exactly, present, size, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  as,
  configMaps,
  create,
  deployment,
  deployments,
  entry,
  fails,
  get,
  invalid,
  mergePatch,
  pods,
  statefulSets,
  until,
} from './dsl.ts';

const d = `${deployments}/x`;

export const workloadRows: readonly Row[] = [
  {
    id: 'F5',
    title: 'Scale by another manager: the value changes; who owns f:replicas after it is recorded',
    priority: 'P0',
    setup: [apply(d, 'one', deployment({}, { replicas: 0 }))],
    steps: [
      mergePatch(`${d}/scale?fieldManager=scaler`, { spec: { replicas: 2 } }, answers(200, { spec: { replicas: 2 } })),
      get(
        d,
        answers(200, {
          spec: { replicas: 2 },
          metadata: {
            managedFields: containing(entry('one', { 'f:spec': { 'f:replicas': absent } }), {
              manager: 'scaler',
              operation: 'Update',
              subresource: 'scale',
              fieldsV1: exactly({ 'f:spec': { 'f:replicas': {} } }),
            }),
          },
        }),
      ),
    ],
  },
  {
    id: 'F8',
    title: 'A dry-run apply of a forbidden change is refused as the real one would be',
    priority: 'P0',
    setup: [
      apply(`${statefulSets}/x`, 'one', { ...deployment({}, { serviceName: 'x' }), kind: 'StatefulSet' }),
      apply(d, 'one', deployment()),
    ],
    steps: [
      apply(
        `${statefulSets}/x`,
        'one',
        { ...deployment({}, { serviceName: 'y' }), kind: 'StatefulSet' },
        invalid({ reason: 'FieldValueForbidden', field: 'spec' }),
        '&dryRun=All&force=true',
      ),
      apply(
        d,
        'one',
        deployment({}, { selector: { matchLabels: { app: 'y' } } }),
        invalid({ field: 'spec.selector', message: text('field is immutable$') }),
        '&dryRun=All&force=true',
      ),
      apply(
        d,
        'one',
        deployment({ image: 'nginx:2' }),
        answers(200, { spec: { template: { spec: { containers: [{ image: 'nginx:2' }] } } } }),
        '&dryRun=All&force=true',
      ),
      get(
        d,
        answers(200, {
          spec: { template: { spec: { containers: [{ image: 'nginx:1' }] } } },
          metadata: { generation: 1 },
        }),
      ),
    ],
  },
  {
    id: 'F9',
    title:
      'Apply of a Deployment rolls out: observedGeneration, updated and available replicas, the condition Available',
    priority: 'P0',
    needs: ['controllers', 'pods'],
    setup: [apply(d, 'one', deployment({}, { replicas: 2 }))],
    steps: [
      until(
        d,
        answers(200, {
          status: {
            observedGeneration: 1,
            replicas: 2,
            updatedReplicas: 2,
            readyReplicas: 2,
            availableReplicas: 2,
            conditions: containing({ type: 'Available', status: 'True' }),
          },
        }),
      ),
      get(`${pods}?labelSelector=app%3Dx`, answers(200, { items: size(2) })),
      apply(d, 'one', deployment({ image: 'nginx:2' }, { replicas: 2 }), answers(200, { metadata: { generation: 2 } })),
      until(
        d,
        answers(200, { status: { observedGeneration: 2, updatedReplicas: 2, replicas: 2, availableReplicas: 2 } }),
      ),
      until(
        `${pods}?labelSelector=app%3Dx`,
        answers(200, {
          items: [{ spec: { containers: [{ image: 'nginx:2' }] } }, { spec: { containers: [{ image: 'nginx:2' }] } }],
        }),
      ),
      mergePatch(`${d}`, { spec: { replicas: 0 } }, answers(200)),
      until(`${pods}?labelSelector=app%3Dx`, answers(200, { items: [] })),
    ],
  },
  {
    id: 'F10',
    title: 'A StatefulSet brings its pods up in order, and keeps their names',
    priority: 'P0',
    needs: ['controllers', 'pods'],
    setup: [
      create(statefulSets, {
        metadata: { name: 'x' },
        spec: {
          replicas: 2,
          serviceName: 'x',
          selector: { matchLabels: { app: 'x' } },
          template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
        },
      }),
    ],
    steps: [
      until(
        `${statefulSets}/x`,
        answers(200, {
          status: {
            observedGeneration: 1,
            replicas: 2,
            readyReplicas: 2,
            currentRevision: present,
            updateRevision: present,
          },
        }),
      ),
      get(
        `${pods}?labelSelector=app%3Dx`,
        answers(200, {
          items: [
            {
              metadata: {
                name: 'x-0',
                labels: { 'apps.kubernetes.io/pod-index': '0', 'statefulset.kubernetes.io/pod-name': 'x-0' },
              },
            },
            { metadata: { name: 'x-1' } },
          ],
        }),
      ),
      mergePatch(`${statefulSets}/x`, { spec: { replicas: 1 } }, answers(200)),
      until(`${pods}?labelSelector=app%3Dx`, answers(200, { items: [{ metadata: { name: 'x-0' } }] })),
    ],
  },
  {
    id: 'F11',
    title: 'An apply that carries metadata.resourceVersion is a compare-and-swap: stale 409, right 200',
    priority: 'P0',
    setup: [
      as(
        'a',
        apply(`${configMaps}/x`, 'one', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'x' },
          data: { a: '1' },
        }),
      ),
      mergePatch(`${configMaps}/x`, { data: { b: '2' } }),
    ],
    steps: [
      apply(
        `${configMaps}/x`,
        'one',
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'x', resourceVersion: '{a.metadata.resourceVersion}' },
          data: { a: '2' },
        },
        fails(409, 'Conflict'),
      ),
      as('b', get(`${configMaps}/x`, answers(200))),
      apply(
        `${configMaps}/x`,
        'one',
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'x', resourceVersion: '{b.metadata.resourceVersion}' },
          data: { a: '2' },
        },
        answers(200, { data: exactly({ a: '2', b: '2' }) }),
      ),
    ],
  },
];
