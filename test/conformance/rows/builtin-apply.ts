// Rows about applying workloads: defaults, list keys, ownership.
import { containing, exactly, present } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  deployment,
  deployments,
  entry,
  fails,
  services,
  statefulSets,
  strategicPatch,
} from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;

const d = `${deployments}/x`;
const service = (spec: Json): Json => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec });
const inPod = (fields: Json): Json => ({ 'f:spec': { 'f:template': { 'f:spec': fields } } });

export const builtinApplyRows: readonly Row[] = [
  {
    id: 'F1',
    title:
      'Apply of a Deployment: only what was sent is owned, but a default that is part of a list key enters the key',
    priority: 'P0',
    setup: [],
    steps: [
      apply(
        deployments + '/x',
        'one',
        deployment({
          ports: [{ containerPort: 80 }],
          env: [{ name: 'A', value: '1' }],
          resources: { requests: { cpu: '1000m' } },
        }),
        answers(
          201,
          {
            spec: {
              replicas: 1,
              revisionHistoryLimit: 10,
              progressDeadlineSeconds: 600,
              strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
              template: {
                spec: {
                  restartPolicy: 'Always',
                  dnsPolicy: 'ClusterFirst',
                  schedulerName: 'default-scheduler',
                  securityContext: exactly({}),
                  terminationGracePeriodSeconds: 30,
                  containers: [
                    {
                      imagePullPolicy: 'IfNotPresent',
                      terminationMessagePath: '/dev/termination-log',
                      terminationMessagePolicy: 'File',
                      ports: [{ containerPort: 80, protocol: 'TCP' }],
                      resources: { requests: { cpu: '1' } },
                    },
                  ],
                },
              },
            },
            metadata: {
              managedFields: [
                entry(
                  'one',
                  exactly({
                    'f:spec': {
                      'f:selector': {},
                      'f:template': {
                        'f:metadata': { 'f:labels': { 'f:app': {} } },
                        'f:spec': {
                          'f:containers': {
                            'k:{"name":"main"}': {
                              '.': {},
                              'f:name': {},
                              'f:image': {},
                              'f:ports': {
                                'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
                              },
                              'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
                              'f:resources': { 'f:requests': { 'f:cpu': {} } },
                            },
                          },
                        },
                      },
                    },
                  }),
                ),
              ],
            },
          },
          { same: ['spec'] },
        ),
      ),
    ],
  },
  {
    id: 'F2',
    title:
      'Apply of the identical Deployment, Service or StatefulSet: 200 and generation unchanged (the resourceVersion may move)',
    priority: 'P0',
    setup: [
      apply(d, 'one', deployment({ ports: [{ containerPort: 80 }] })),
      apply(`${services}/x`, 'one', service({ selector: { app: 'x' }, ports: [{ port: 80 }] })),
      apply(`${statefulSets}/x`, 'one', { ...deployment(), kind: 'StatefulSet' }),
    ],
    steps: [
      apply(d, 'one', deployment({ ports: [{ containerPort: 80 }] }), answers(200, { metadata: { generation: 1 } })),
      apply(
        `${services}/x`,
        'one',
        service({ selector: { app: 'x' }, ports: [{ port: 80 }] }),
        answers(200, { metadata: { managedFields: [entry('one', present)] } }),
      ),
      apply(
        `${statefulSets}/x`,
        'one',
        { ...deployment(), kind: 'StatefulSet' },
        answers(200, { metadata: { generation: 1 } }),
      ),
    ],
  },
  {
    id: 'F3',
    title: 'An env item or container left out of the next apply is removed; those of others stay',
    priority: 'P0',
    setup: [
      apply(
        d,
        'one',
        deployment({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        }),
      ),
      apply(d, 'two', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'x' },
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'main', env: [{ name: 'C', value: '3' }] },
                { name: 'side', image: 'side' },
              ],
            },
          },
        },
      }),
    ],
    steps: [
      apply(
        d,
        'one',
        deployment({ env: [{ name: 'A', value: '1' }] }),
        answers(200, {
          spec: {
            template: {
              spec: { containers: [{ name: 'main', env: [{ name: 'A' }, { name: 'C' }] }, { name: 'side' }] },
            },
          },
        }),
      ),
      apply(
        d,
        'two',
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } },
        answers(200, { spec: { template: { spec: { containers: [{ name: 'main', env: [{ name: 'A' }] }] } } } }),
      ),
    ],
  },
  {
    id: 'F4',
    title: 'What another manager changes in a container leaves our entry, item by item, and shows as drift there',
    priority: 'P0',
    setup: [
      apply(
        d,
        'one',
        deployment({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        }),
      ),
    ],
    steps: [
      strategicPatch(
        `${d}?fieldManager=hand`,
        { spec: { template: { spec: { containers: [{ name: 'main', env: [{ name: 'A', value: 'x' }] }] } } } },
        answers(200, {
          metadata: {
            managedFields: containing(
              entry(
                'one',
                inPod({
                  'f:containers': {
                    'k:{"name":"main"}': {
                      'f:env': {
                        'k:{"name":"A"}': exactly({ '.': {}, 'f:name': {} }),
                        'k:{"name":"B"}': exactly({ '.': {}, 'f:name': {}, 'f:value': {} }),
                      },
                    },
                  },
                }),
              ),
            ),
          },
        }),
      ),
      apply(
        d,
        'one',
        deployment({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        }),
        fails(409, 'Conflict', {
          message:
            'Apply failed with 1 conflict: conflict with "hand" using apps/v1: .spec.template.spec.containers[name="main"].env[name="A"].value',
        }),
      ),
      apply(
        d,
        'one',
        deployment({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        }),
        answers(200, {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    env: [
                      { name: 'A', value: '1' },
                      { name: 'B', value: '2' },
                    ],
                  },
                ],
              },
            },
          },
        }),
        '&force=true',
      ),
    ],
  },
];
