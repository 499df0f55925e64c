import { expect, test } from 'vitest';
import type { DaemonSet, Deployment } from './builtin.ts';
import { rolloutOf } from './rollout.ts';

const deployment = (status: object, replicas = 3, generation = 2): Deployment =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', uid: 'u', resourceVersion: '1', generation }, spec: { replicas }, status }) as never;

test.each([
  ['its controller has not seen it', { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 }, { done: 0, total: 3, complete: false }],
  ['some pods are not ready', { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2 }, { done: 2, total: 3, complete: false }],
  ['an old pod is left', { observedGeneration: 2, replicas: 4, updatedReplicas: 3, availableReplicas: 4 }, { done: 3, total: 3, complete: false }],
  ['all pods are new and ready', { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 }, { done: 3, total: 3, complete: true }],
])('a Deployment of which %s', (_name, status, expected) => {
  expect(rolloutOf(deployment(status))).toEqual(expected);
});

test('a Deployment of no pods is complete as soon as it is seen', () => {
  expect(rolloutOf(deployment({ observedGeneration: 2 }, 0))).toEqual({ done: 0, total: 0, complete: true });
});

test('a DaemonSet counts nodes', () => {
  const status = { observedGeneration: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 };
  const set = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'n', uid: 'u', resourceVersion: '1', generation: 1 }, status };
  expect(rolloutOf(set as unknown as DaemonSet)).toEqual({ done: 1, total: 2, complete: false });
});
