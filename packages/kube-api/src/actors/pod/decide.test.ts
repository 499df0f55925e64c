// Pod decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { Cluster } from '../base/cluster.ts';
import type { Live, Pod } from '../base/model.ts';
import { inShort, kind, live, put, reported, viewOf } from '../testing/view.ts';
import type { PodOptions } from './behaviour.ts';
import { behaviourOf } from './behaviour.ts';
import { decidePod } from './decide.ts';

const NOW = Date.parse('2024-01-01T01:00:00Z');

function podWith(metadata: JsonObject = {}, status: JsonObject = { phase: 'Pending' }, spec: JsonObject = {}): Live {
  return live(
    'v1',
    'Pod',
    { name: 'a', ...metadata },
    { spec: { containers: [{ name: 'main', image: 'web:1' }], ...spec }, status },
  );
}

/** Decides `sinceMs` after the pod entered its present stage. */
function decide(pod: Live, options: PodOptions = {}, sinceMs = 0, view = viewOf(pod)): ReturnType<typeof decidePod> {
  return decidePod(
    'default/a',
    view,
    NOW,
    (found: Pod) => behaviourOf(found, options),
    () => NOW - sinceMs,
  );
}

const conditions = (status: JsonObject | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ((status?.['conditions'] ?? []) as readonly JsonObject[]).map((condition) => [
      condition['type'],
      condition['status'],
    ]),
  );
const terminating = { deletionTimestamp: '2024-01-01T01:00:10Z', deletionGracePeriodSeconds: 30 };

describe('a pod', () => {
  it('runs and is ready at once by default, with an address', () => {
    const status = reported(decide(podWith()));
    expect(status).toMatchObject({
      phase: 'Running',
      podIP: expect.stringMatching(/^10\./),
      containerStatuses: [{ name: 'main', ready: true }],
    });
    expect(conditions(status)).toEqual({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    });
  });

  it('runs first and is ready later if it takes time', () => {
    const decision = decide(podWith(), { podReadyAfterMs: 5000 });
    expect(reported(decision)?.['phase']).toBe('Running');
    expect(conditions(reported(decision))).toMatchObject({ Ready: 'False', PodScheduled: 'True' });
    expect(decision.againAfterMs).toBe(5000);
    const running = podWith({}, { phase: 'Running' });
    expect(conditions(reported(decide(running, { podReadyAfterMs: 5000 }, 5000)))).toMatchObject({ Ready: 'True' });
  });

  it('never gets ready if a predicate or an annotation says so', () => {
    const never = { podBehaviour: () => ({ readyAfterMs: Infinity }) };
    expect(decide(podWith(), never).againAfterMs).toBeUndefined();
    expect(conditions(reported(decide(podWith(), never)))).toMatchObject({ Ready: 'False' });
    const told = podWith({ annotations: { 'actors.pawl.dev/ready-after-ms': 'never' } });
    expect(conditions(reported(decide(told)))).toMatchObject({ Ready: 'False' });
  });

  it('stays Pending as long as it takes to start', () => {
    const decision = decide(podWith(), { podStartAfterMs: 2000 }, 500);
    expect(reported(decision)).toBeUndefined();
    expect(decision.againAfterMs).toBe(1500);
  });

  it('succeeds if it belongs to a Job, and fails if told so', () => {
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'task', uid: 'u', controller: true }];
    expect(reported(decide(podWith({ ownerReferences })))?.['phase']).toBe('Succeeded');
    expect(
      reported(decide(podWith({ ownerReferences, annotations: { 'actors.pawl.dev/exit': 'Failed' } })))?.['phase'],
    ).toBe('Failed');
  });

  it('is not ready before its readiness gates are open', () => {
    const gated = podWith({}, { phase: 'Pending' }, { readinessGates: [{ conditionType: 'Synced' }] });
    expect(conditions(reported(decide(gated)))).toMatchObject({ Ready: 'False', ContainersReady: 'True' });
  });

  it('wants nothing once it is ready', () => {
    const status = reported(decide(podWith()));
    const decision = decide(podWith({}, status));
    expect(decision).toEqual({ steps: [] });
  });
});

describe('a deleted pod', () => {
  it('ends at once by default, for good', () => {
    const decision = decide(podWith(terminating));
    expect(decision.steps).toMatchObject([{ step: 'delete', gracePeriodSeconds: 0 }]);
  });

  it('takes the time that it is given, but no longer than its grace period', () => {
    expect(decide(podWith(terminating), { podStopAfterMs: 4000 }, 1000).againAfterMs).toBe(3000);
    expect(decide(podWith(terminating), { podStopAfterMs: Infinity }, 1000).againAfterMs).toBe(10_000);
  });

  it('that only a finalizer holds is left alone', () => {
    expect(
      inShort(
        decide(
          podWith({ deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, finalizers: ['x'] }),
        ),
      ),
    ).toEqual([]);
  });
});

describe('nodes', () => {
  const scheduling = (pod: Live, ...nodes: readonly Live[]): Cluster => {
    const view = new Cluster();
    view.add(kind('v1', 'Pod', ['status', 'binding']));
    view.add(kind('v1', 'Node'));
    for (const object of [pod, ...nodes]) put(view, object);
    return view;
  };
  const node = (name: string, spec: JsonObject = {}, ready = 'True'): Live =>
    live('v1', 'Node', { name }, { spec, status: { conditions: [{ type: 'Ready', status: ready }] } });

  it('get the pod where it fits', () => {
    const pod = podWith();
    const view = scheduling(
      pod,
      node('a', { unschedulable: true }),
      node('b'),
      node('c', { taints: [{ key: 'x', effect: 'NoSchedule' }] }),
    );
    expect(decide(pod, {}, 0, view).steps).toMatchObject([{ step: 'bind', node: 'b' }]);
  });

  it('leave it Pending where none fits', () => {
    const pod = podWith();
    const decision = decide(pod, {}, 0, scheduling(pod, node('a', { unschedulable: true })));
    expect(conditions(reported(decision))).toEqual({ PodScheduled: 'False' });
  });

  it('that turn up late leave alone what runs already', () => {
    const pod = podWith({}, { phase: 'Running' });
    expect(decide(pod, {}, 0, scheduling(pod, node('a', { unschedulable: true }))).steps).toEqual([]);
    expect(conditions(reported(decide(pod, {}, 0, scheduling(pod, node('a')))))).toMatchObject({ Ready: 'True' });
  });

  it('that are down neither start nor end pods', () => {
    for (const metadata of [{}, terminating]) {
      const pod = podWith(metadata, { phase: 'Pending' }, { nodeName: 'a' });
      expect(decide(pod, {}, 0, scheduling(pod, node('a', {}, 'Unknown')))).toEqual({ steps: [] });
    }
  });
});
