// Rows about rules of workloads and pods that upgrades run into.
import { containing, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  budgets,
  create,
  deployments,
  fails,
  get,
  invalid,
  jobs,
  mergePatch,
  pods,
  replicaSets,
  statefulSets,
  strategicPatch,
  until,
} from './dsl.ts';

const template = (labels: object = { app: 'x' }): object => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});
const workload = (rest: object = {}): object => ({
  metadata: { name: 'x' },
  spec: { selector: { matchLabels: { app: 'x' } }, template: template(), ...rest },
});

export const podRows: readonly Row[] = [
  {
    id: '146',
    title:
      'StatefulSet: only some members of spec may change; the others 422 Forbidden with the list of those that may',
    priority: 'P0',
    setup: [create(statefulSets, workload({ serviceName: 'x' }))],
    steps: [
      mergePatch(
        `${statefulSets}/x`,
        { spec: { replicas: 2, minReadySeconds: 5, template: template() } },
        answers(200, { spec: { replicas: 2 } }),
      ),
      mergePatch(
        `${statefulSets}/x`,
        { spec: { serviceName: 'y' } },
        invalid({
          reason: 'FieldValueForbidden',
          field: 'spec',
          message: text('^Forbidden: updates to statefulset spec for fields other than '),
        }),
      ),
      mergePatch(`${statefulSets}/x`, { spec: { podManagementPolicy: 'Parallel' } }, invalid({ field: 'spec' })),
      mergePatch(
        `${statefulSets}/x`,
        {
          spec: {
            volumeClaimTemplates: [
              {
                metadata: { name: 'd' },
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            ],
          },
        },
        invalid({ field: 'spec' }),
      ),
    ],
  },
  {
    id: '147',
    title: 'Deployment, ReplicaSet, DaemonSet: the selector cannot change; Job: nor the template',
    priority: 'P0',
    setup: [
      create(deployments, workload()),
      create(replicaSets, workload()),
      create('/apis/apps/v1/namespaces/{ns}/daemonsets', workload()),
      create(jobs, {
        metadata: { name: 'x' },
        spec: {
          suspend: true,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'nginx' }] } },
        },
      }),
    ],
    steps: [
      mergePatch(
        `${deployments}/x`,
        { spec: { selector: { matchLabels: { app: 'y' } }, template: template({ app: 'y' }) } },
        invalid({ reason: 'FieldValueInvalid', field: 'spec.selector', message: text('field is immutable$') }),
      ),
      mergePatch(
        `${replicaSets}/x`,
        { spec: { selector: { matchLabels: { app: 'y' } }, template: template({ app: 'y' }) } },
        invalid({ field: 'spec.selector' }),
      ),
      mergePatch(
        '/apis/apps/v1/namespaces/{ns}/daemonsets/x',
        { spec: { selector: { matchLabels: { app: 'y' } }, template: template({ app: 'y' }) } },
        invalid({ field: 'spec.selector' }),
      ),
      mergePatch(
        `${jobs}/x`,
        { spec: { template: { spec: { containers: [{ name: 'main', image: 'nginx:2' }] } } } },
        invalid({ field: 'spec.template', message: text('field is immutable$') }),
      ),
      create(
        deployments,
        {
          metadata: { name: 'y' },
          spec: { selector: { matchLabels: { app: 'y' } }, template: template({ app: 'z' }) },
        },
        invalid({
          reason: 'FieldValueInvalid',
          field: 'spec.template.metadata.labels',
          message: text('`selector` does not match template `labels`$'),
        }),
      ),
      create(
        deployments,
        { metadata: { name: 'y' }, spec: { template: template() } },
        invalid({ reason: 'FieldValueRequired', field: 'spec.selector' }),
      ),
      create(
        deployments,
        {
          metadata: { name: 'y' },
          spec: {
            selector: { matchLabels: { app: 'x' } },
            template: { metadata: { labels: { app: 'x' } }, spec: { containers: [] } },
          },
        },
        invalid({ reason: 'FieldValueRequired', field: 'spec.template.spec.containers' }),
      ),
      create(
        deployments,
        {
          metadata: { name: 'y' },
          spec: {
            replicas: -1,
            selector: { matchLabels: { app: 'x' } },
            template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ image: 'nginx' }] } },
          },
        },
        invalid(
          { reason: 'FieldValueInvalid', field: 'spec.replicas' },
          { reason: 'FieldValueRequired', field: 'spec.template.spec.containers[0].name' },
        ),
      ),
    ],
  },
  {
    id: '152',
    title: 'Pod: of spec only the images and few other members may change',
    priority: 'P1',
    setup: [create(pods, { metadata: { name: 'x' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } })],
    steps: [
      strategicPatch(
        `${pods}/x`,
        { spec: { containers: [{ name: 'main', image: 'nginx:2' }] } },
        answers(200, { spec: { containers: [{ image: 'nginx:2' }] } }),
      ),
      mergePatch(
        `${pods}/x`,
        { spec: { hostname: 'other' } },
        invalid({
          reason: 'FieldValueForbidden',
          field: 'spec',
          message: text('^Forbidden: pod updates may not change fields other than'),
        }),
      ),
      get(
        `${pods}/x`,
        answers(200, {
          spec: {
            restartPolicy: 'Always',
            dnsPolicy: 'ClusterFirst',
            schedulerName: 'default-scheduler',
            terminationGracePeriodSeconds: 30,
            serviceAccountName: present,
          },
          status: { phase: 'Pending', qosClass: 'BestEffort' },
        }),
      ),
    ],
  },
  {
    id: '153',
    title:
      'Eviction of a pod that a budget protects: 429 TooManyRequests with the cause DisruptionBudget; of another one: 201 and it is gone',
    priority: 'P0',
    needs: ['controllers', 'pods'],
    setup: [
      create(pods, { metadata: { name: 'free' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } }),
      create(pods, {
        metadata: { name: 'held', labels: { app: 'x' } },
        spec: { containers: [{ name: 'main', image: 'nginx' }] },
      }),
      until(`${pods}/held`, answers(200, { status: { phase: 'Running' } })),
      create(budgets, { metadata: { name: 'x' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } }),
      until(
        `${budgets}/x`,
        answers(200, { status: { observedGeneration: 1, expectedPods: 1, disruptionsAllowed: 0 } }),
      ),
    ],
    steps: [
      create(
        `${pods}/held/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'held', namespace: '{ns}' } },
        fails(429, 'TooManyRequests', {
          message: "Cannot evict pod as it would violate the pod's disruption budget.",
          details: { causes: containing({ reason: 'DisruptionBudget' }) },
        }),
      ),
      create(
        `${pods}/free/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'free', namespace: '{ns}' } },
        answers(201, { kind: 'Status', status: 'Success' }),
      ),
      until(`${pods}/free`, answers(404)),
      create(
        `${pods}/none/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'none', namespace: '{ns}' } },
        fails(404, 'NotFound'),
      ),
    ],
  },
];
