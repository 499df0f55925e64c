// Rolling updates in numbers.
import { describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../base/model.ts';
import { live } from '../testing/view.ts';
import { boundsOf, newReplicas, shrinkOld } from './rolling.ts';

function deployment(replicas: number, rollingUpdate: object, type = 'RollingUpdate'): Deployment {
  return live('apps/v1', 'Deployment', { name: 'web' }, {
    spec: { replicas, strategy: { type, rollingUpdate } },
  } as never) as Deployment;
}

function set(name: string, replicas: number, available: number): ReplicaSet {
  return live(
    'apps/v1',
    'ReplicaSet',
    { name },
    { spec: { replicas }, status: { replicas, availableReplicas: available } },
  ) as ReplicaSet;
}

describe('bounds', () => {
  it.each([
    [10, { maxSurge: '25%', maxUnavailable: '25%' }, { surge: 3, unavailable: 2 }],
    [3, { maxSurge: 1, maxUnavailable: 0 }, { surge: 1, unavailable: 0 }],
    [1, { maxSurge: 0, maxUnavailable: '25%' }, { surge: 0, unavailable: 1 }],
    [2, { maxSurge: 0, maxUnavailable: 5 }, { surge: 0, unavailable: 2 }],
  ])('%i replicas with %j are %j', (replicas, strategy, expected) => {
    expect(boundsOf(deployment(replicas, strategy))).toEqual(expected);
  });
});

describe('the new ReplicaSet', () => {
  it.each([
    ['starts with the surge', 3, { maxSurge: 1, maxUnavailable: 0 }, 0, 3, 1],
    ['starts with nothing if there is no room', 3, { maxSurge: 0, maxUnavailable: 1 }, 0, 3, 0],
    ['takes the room that the old one has left', 3, { maxSurge: 0, maxUnavailable: 1 }, 0, 2, 1],
    ['never exceeds what is wanted', 3, { maxSurge: 3, maxUnavailable: 0 }, 2, 0, 3],
    ['shrinks to what is wanted', 2, { maxSurge: 1, maxUnavailable: 0 }, 5, 0, 2],
  ])('%s', (_, wanted, strategy, has, old, expected) => {
    expect(newReplicas(deployment(wanted, strategy), set('new', has, has), [set('old', old, old)])).toBe(expected);
  });
});

describe('old ReplicaSets', () => {
  const shrunk = (
    wanted: number,
    strategy: object,
    current: ReplicaSet,
    old: readonly ReplicaSet[],
  ): readonly (readonly [string, number])[] =>
    shrinkOld(deployment(wanted, strategy), current, old).map(
      (scale) => [scale.set.metadata.name, scale.replicas] as const,
    );

  it('keep all serving pods until a new one serves', () => {
    expect(shrunk(3, { maxSurge: 1, maxUnavailable: 0 }, set('new', 1, 0), [set('old', 3, 3)])).toEqual([]);
  });

  it('give way one for one', () => {
    expect(shrunk(3, { maxSurge: 1, maxUnavailable: 0 }, set('new', 1, 1), [set('old', 3, 3)])).toEqual([['old', 2]]);
  });

  it('lose pods that do not serve first', () => {
    expect(shrunk(3, { maxSurge: 1, maxUnavailable: 1 }, set('new', 1, 0), [set('a', 1, 0), set('b', 2, 2)])).toEqual([
      ['a', 0],
    ]);
  });

  it('do not shrink below the minimum while their status lags behind', () => {
    const lagging = live(
      'apps/v1',
      'ReplicaSet',
      { name: 'old' },
      { spec: { replicas: 2 }, status: { availableReplicas: 3 } },
    ) as ReplicaSet;
    expect(shrunk(3, { maxSurge: 1, maxUnavailable: 0 }, set('new', 1, 1), [lagging])).toEqual([]);
  });
});
