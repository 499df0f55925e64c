import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { noMetrics } from '../observe/metrics.ts';
import type { Happening } from './happening.ts';
import { tellPruning } from './tell-pruning.ts';

const object = (kind: string, name: string): KubernetesObject => ({ apiVersion: 'v1', kind, metadata: { name, uid: name, resourceVersion: '1' } });

test('a pruning counts by kind and by reason, and is told by Events', () => {
  const counted: unknown[] = [];
  const told: Happening[] = [];
  const metrics = {
    ...noMetrics,
    pruned: (...args: unknown[]) => void counted.push(args),
    pruneSkipped: (...args: unknown[]) => void counted.push(args),
  };
  const keep = [
    { object: object('Secret', 'wanted'), reason: 'Wanted' },
    { object: object('Secret', 'foreign'), reason: 'ForeignOwner' },
  ] as const;
  tellPruning(object('Page', 'front'), [object('ConfigMap', 'old')], keep, { metrics, events: { record: (...all) => void told.push(...all) } });
  expect(counted).toEqual([['ConfigMap', 1], ['ForeignOwner', 1]]);
  expect(told.map(({ reason }) => reason)).toEqual(['ObjectPruned', 'PruneSkipped']);
});
