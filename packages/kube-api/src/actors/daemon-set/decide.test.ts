// DaemonSet decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { DaemonSet, Live } from '../base/model.ts';
import { dataOf, revisionName } from '../base/revisions.ts';
import { inShort, live, pod, reported, viewOf } from '../testing/view.ts';
import { decideDaemonSet } from './decide.ts';

const labels = { app: 'agent' };

function daemonSet(spec: JsonObject = {}): DaemonSet {
  return live(
    'apps/v1',
    'DaemonSet',
    { name: 'agent' },
    {
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [] } },
        ...spec,
      },
    },
  ) as DaemonSet;
}

function revision(owner: DaemonSet): Live {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: owner.metadata.uid, controller: true },
  ];
  return live(
    'apps/v1',
    'ControllerRevision',
    { name: revisionName(owner), ownerReferences, labels },
    { data: dataOf(owner.spec.template), revision: 1 },
  );
}

const node = (name: string, spec: JsonObject = {}, nodeLabels: Record<string, string> = {}): Live =>
  live('v1', 'Node', { name, labels: nodeLabels }, { spec });

function on(owner: DaemonSet, name: string, state: Parameters<typeof pod>[3] = { ready: 0 }, of = owner): Live {
  const made = pod(
    `agent-${name}`,
    owner,
    { ...labels, 'controller-revision-hash': revisionName(of).slice('agent-'.length) },
    state,
  );
  return { ...made, spec: { nodeName: name } } as Live;
}

const decide = (owner: DaemonSet, ...objects: readonly Live[]): ReturnType<typeof decideDaemonSet> =>
  decideDaemonSet('default/agent', viewOf(owner, revision(owner), ...objects), Date.parse('2024-01-01T01:00:00Z'));

describe('a DaemonSet', () => {
  const set = daemonSet();

  it('puts one pod on each node that lacks one', () => {
    const decision = decide(set, node('a'), node('b'), on(set, 'a'));
    expect(inShort(decision)).toEqual(['create Pod agent-*']);
    expect(decision.steps[0]).toMatchObject({ object: { spec: { nodeName: 'b' } } });
  });

  it('runs on cordoned nodes, not on tainted ones, and only where its selector matches', () => {
    expect(
      inShort(
        decide(
          set,
          node('a', {
            unschedulable: true,
            taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
          }),
        ),
      ),
    ).toHaveLength(1);
    expect(inShort(decide(set, node('a', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] })))).toEqual([]);
    const picky = daemonSet({ template: { metadata: { labels }, spec: { nodeSelector: { disk: 'ssd' } } } });
    expect(inShort(decide(picky, node('a'), node('b', {}, { disk: 'ssd' })))).toHaveLength(1);
  });

  it('leaves the pod on a node that is tainted later, unless the taint evicts', () => {
    expect(inShort(decide(set, node('a', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }), on(set, 'a')))).toEqual(
      [],
    );
    expect(inShort(decide(set, node('a', { taints: [{ key: 'gpu', effect: 'NoExecute' }] }), on(set, 'a')))).toEqual([
      'delete Pod agent-a',
    ]);
  });

  it('takes the pod away with its node', () => {
    expect(inShort(decide(set, on(set, 'gone')))).toEqual(['delete Pod agent-gone']);
  });

  it('updates as many pods at a time as may be missing', () => {
    const before = daemonSet({ template: { metadata: { labels }, spec: { containers: [{ name: 'a' }] } } });
    const nodes = ['a', 'b', 'c'].map((name) => node(name));
    const old = ['a', 'b', 'c'].map((name) => on(set, name, { ready: 0 }, before));
    expect(inShort(decide(set, ...nodes, ...old))).toHaveLength(1);
    expect(inShort(decide(set, ...nodes, on(set, 'a', {}), ...old.slice(1)))).toEqual([]);
    const patient = daemonSet({ updateStrategy: { type: 'OnDelete' } });
    expect(inShort(decide(patient, ...nodes, ...old))).toEqual([]);
  });

  it('reports where it runs', () => {
    expect(reported(decide(set, node('a'), node('b'), on(set, 'a'), on(set, 'b', {})))).toEqual({
      observedGeneration: 1,
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 1,
      numberAvailable: 1,
      numberUnavailable: 1,
      updatedNumberScheduled: 2,
    });
  });
});
