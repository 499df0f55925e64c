// Decisions about disruption budgets.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Cluster } from '../base/cluster.ts';
import type { Live } from '../base/model.ts';
import { kind, live, pod, put, reported, viewOf } from '../testing/view.ts';
import { decideDisruption } from './decide.ts';

const NOW = Date.parse('2024-01-01T01:00:00Z');
const labels = { app: 'db' };
const set = live('apps/v1', 'StatefulSet', { name: 'db' }, { spec: { replicas: 4 } });
const member = (name: string, state: Parameters<typeof pod>[3] = { ready: 0 }): Live => pod(name, set, labels, state);

function view(spec: JsonObject, pods: readonly Live[], status: JsonObject = {}): Cluster {
  const cluster = viewOf(set, ...pods);
  cluster.add({ ...kind('policy/v1', 'PodDisruptionBudget'), plural: 'poddisruptionbudgets' });
  put(
    cluster,
    live(
      'policy/v1',
      'PodDisruptionBudget',
      { name: 'db' },
      { spec: { selector: { matchLabels: labels }, ...spec }, status },
    ),
  );
  return cluster;
}

const decide = (...args: Parameters<typeof view>): JsonObject | undefined =>
  reported(decideDisruption('default/db', view(...args), NOW));
const three = ['a', 'b', 'c'].map((name) => member(name));

describe('a budget', () => {
  it.each([
    [
      'a minimum',
      { minAvailable: 2 },
      { expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 },
    ],
    ['a minimum above what is there', { minAvailable: 5 }, { desiredHealthy: 5, disruptionsAllowed: 0 }],
    [
      'a share of what is wanted',
      { minAvailable: '50%' },
      { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 1 },
    ],
    [
      'a maximum, of what is wanted',
      { maxUnavailable: 1 },
      { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 0 },
    ],
    ['a maximum share, rounded up', { maxUnavailable: '30%' }, { desiredHealthy: 2, disruptionsAllowed: 1 }],
  ])('with %s', (_, spec, expected) => {
    expect(decide(spec, three)).toMatchObject(expected);
  });

  it('counts only pods that serve and stay', () => {
    const pods = [member('a'), member('b', {}), member('c', { ready: 0, deleted: true })];
    expect(decide({ minAvailable: 1 }, pods)).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0 });
  });

  it('does not count a pod whose eviction was granted, for two minutes', () => {
    const granted = (time: string): JsonObject => ({ disruptedPods: { a: time } });
    expect(decide({ minAvailable: 2 }, three, granted('2024-01-01T00:59:00Z'))).toMatchObject({
      currentHealthy: 2,
      disruptionsAllowed: 0,
    });
    expect(decide({ minAvailable: 2 }, three, granted('2024-01-01T00:57:00Z'))).toMatchObject({
      currentHealthy: 3,
      disruptionsAllowed: 1,
    });
  });

  it('writes only over the status that it has read', () => {
    const cluster = view({ minAvailable: 1 }, three);
    const resourceVersion = cluster.get('poddisruptionbudgets.policy', 'default', 'db')?.metadata.resourceVersion;
    expect(decideDisruption('default/db', cluster, NOW).report).toMatchObject([
      { patch: { metadata: { resourceVersion } } },
    ]);
  });
});
