// Node decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { inShort, live, viewOf } from '../testing/view.ts';
import { decideNode } from './decide.ts';

const decide = (spec: JsonObject, ready?: string): readonly string[] => {
  const status = ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready }] };
  return inShort(
    decideNode('/a', viewOf(live('v1', 'Node', { name: 'a', resourceVersion: '7' }, { spec, status })), 0),
  );
};
const taint = (name: string): JsonObject => ({ key: `node.kubernetes.io/${name}`, effect: 'NoSchedule' });
const set = (...taints: readonly JsonObject[]): readonly string[] => [
  `patch Node a ${JSON.stringify({ metadata: { resourceVersion: '7' }, spec: { taints } })}`,
];

describe('a node', () => {
  it('comes up ready', () => {
    expect(decide({})).toEqual([expect.stringMatching(/"type":"Ready","status":"True"/)]);
  });

  it.each([
    ['that is ready wants nothing', {}, 'True', []],
    ['that is cordoned is tainted', { unschedulable: true }, 'True', set(taint('unschedulable'))],
    ['that is not ready is tainted', {}, 'False', set(taint('not-ready'))],
    ['that is silent is tainted', {}, 'Unknown', set(taint('unreachable'))],
    ['that is ready again loses the taint', { taints: [taint('not-ready')] }, 'True', set()],
    ['keeps taints of others', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }, 'True', []],
  ])('%s', (_, spec, ready, expected) => {
    expect(decide(spec as JsonObject, ready)).toEqual(expected);
  });
});
