// What a hop changes that is not seen in one version alone, over states made by hand.
import { ANNOTATIONS, LABELS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { keyOf } from '../explore/state.ts';
import { pairFindings } from './compare.ts';
import type { Pair } from './pair.ts';

type Parts = { readonly metadata?: object; readonly spec?: object; readonly apiVersion?: string; readonly annotations?: object; readonly labels?: object };

function owned(kind: string, name: string, { metadata, apiVersion = 'v1', annotations, labels, ...rest }: Parts = {}): KubernetesObject {
  return {
    apiVersion,
    kind,
    metadata: {
      namespace: 'default',
      name,
      uid: `${kind} ${name}`,
      labels: { [LABELS.owner]: 'site', ...labels },
      annotations: { [ANNOTATIONS.action]: 'Made', ...annotations },
      ...metadata,
    },
    ...rest,
  } as unknown as KubernetesObject;
}

const stateOf = (objects: readonly KubernetesObject[]): Pair['upgraded'] => new Map(objects.map((object) => [keyOf(object), object]));

interface Three {
  readonly older: readonly KubernetesObject[];
  readonly newer: readonly KubernetesObject[];
  /** Default: as the newer one. */
  readonly upgraded?: readonly KubernetesObject[];
}

function findings({ older, newer, upgraded = newer }: Three, changed: Partial<Pair> = {}): readonly string[] {
  const pair: Pair = {
    edge: '1.0.0 → 2.0.0',
    older: { version: '1.0.0', state: stateOf(older), pods: [] },
    newer: { version: '2.0.0', state: stateOf(newer), pods: [] },
    upgraded: stateOf(upgraded),
    isUpgraded: true,
    refusals: [],
    strategyOf: () => 'Refuse',
    ...changed,
  };
  return pairFindings(pair).map(({ severity, object, path, says }) => `${severity}: ${object}${path ?? ''}: ${says}`);
}

const workload = (app: string, replicas = 1): KubernetesObject =>
  owned('Deployment', 'web', { apiVersion: 'apps/v1', spec: { replicas, template: { metadata: { labels: { app } } } } });
const service = (app: string): KubernetesObject => owned('Service', 'web', { spec: { selector: { app } } });

test('the same in both versions is not worth a word', () => {
  const same = [workload('a'), service('a'), owned('ConfigMap', 'c')];
  expect(findings({ older: same, newer: same })).toEqual([]);
});

test('a Service whose pods have other labels now selects those of the older version only', () => {
  expect(findings({ older: [workload('a'), service('a')], newer: [workload('b'), service('a')] })).toEqual([
    'error: Service default/web.spec.selector: in 2.0.0 it selects pods of 1.0.0 only, which go',
  ]);
  expect(findings({ older: [workload('a'), service('a')], newer: [workload('a'), service('b')] })).toEqual([
    'error: Service default/web.spec.selector: in 2.0.0 it selects no pod, neither of 2.0.0 nor of 1.0.0',
  ]);
});

test('a Service and pods that change together have no endpoints for a while', () => {
  expect(findings({ older: [workload('a'), service('a')], newer: [workload('b', 0), service('b')] })).toEqual([
    expect.stringMatching(/^information: Service default\/web\.spec\.selector: .*no endpoints until a new one is ready$/),
  ]);
});

test('where nothing makes pods in the newer version, nobody can say that none will come', () => {
  expect(findings({ older: [workload('a'), service('a')], newer: [owned('Cluster', 'c'), service('a')], upgraded: [owned('Cluster', 'c'), service('a')] })).toEqual([
    expect.stringMatching(/^information: Service/),
    expect.stringMatching(/^information: Deployment default\/web: 2\.0\.0 no longer has it; the upgrade deletes it$/),
  ]);
});

test('budgets and policies are looked at as well, and other namespaces are not', () => {
  const budget = owned('PodDisruptionBudget', 'b', { apiVersion: 'policy/v1', spec: { selector: { matchLabels: { app: 'a' } } } });
  const policy = owned('NetworkPolicy', 'n', { apiVersion: 'networking.k8s.io/v1', spec: { podSelector: { matchLabels: { app: 'a' } } } });
  const elsewhere = owned('Deployment', 'web', { apiVersion: 'apps/v1', metadata: { namespace: 'other' }, spec: { template: { metadata: { labels: { app: 'a' } } } } });
  expect(findings({ older: [workload('a'), budget, policy], newer: [elsewhere, budget, policy], upgraded: [elsewhere, budget, policy] }).slice(0, 2)).toEqual([
    expect.stringMatching(/^error: PodDisruptionBudget default\/b\.spec\.selector\.matchLabels/),
    expect.stringMatching(/^error: NetworkPolicy default\/n\.spec\.podSelector\.matchLabels/),
  ]);
});

test('an object that is dropped is deleted, kept on purpose, or forgotten', () => {
  const [plain, kept, claim] = [owned('ConfigMap', 'old'), owned('ConfigMap', 'kept', { annotations: { [ANNOTATIONS.keep]: 'true' } }), owned('PersistentVolumeClaim', 'data')];
  expect(findings({ older: [plain, kept, claim], newer: [], upgraded: [kept, claim] })).toEqual([
    'information: ConfigMap default/old: 2.0.0 no longer has it; the upgrade deletes it',
    'information: ConfigMap default/kept: 2.0.0 no longer has it; it stays, for it is marked to be kept',
    'information: PersistentVolumeClaim default/data: 2.0.0 no longer has it; it stays, for a PersistentVolumeClaim is never deleted on its own',
  ]);
  expect(findings({ older: [plain], newer: [], upgraded: [plain] })).toEqual([
    'error: ConfigMap default/old: 2.0.0 no longer has it, and it is still there after the upgrade',
  ]);
  expect(findings({ older: [plain], newer: [], upgraded: [plain] }, { isUpgraded: false })).toEqual([
    expect.stringMatching(/^information: .*it is not known whether it goes$/),
  ]);
  expect(findings({ older: [owned('Secret', 's', { metadata: { labels: {} } })], newer: [] })).toEqual([]);
});

test('a Lease that changes its name lets two lead', () => {
  const lease = (name: string): KubernetesObject => owned('Lease', name, { apiVersion: 'coordination.k8s.io/v1' });
  expect(findings({ older: [lease('lock')], newer: [lease('lock-v2')] })).toEqual([
    'error: Lease default/lock: 2.0.0 has Lease default/lock-v2 in its place: whoever holds the old one and whoever holds the new one both lead',
  ]);
  expect(findings({ older: [lease('lock')], newer: [] })).toEqual([expect.stringMatching(/^information: Lease default\/lock/)]);
  expect(findings({ older: [lease('lock')], newer: [lease('lock'), lease('second')] })).toEqual([]);
});

test('names that the newer version does not know are told, and are wrong where they stay', () => {
  const managedBy = (...managers: readonly string[]): object => ({ managedFields: managers.map((manager) => ({ manager, operation: 'Apply' })) });
  const before = owned('ConfigMap', 'c', { labels: { team: 'x' }, metadata: { finalizers: ['a/b'], ...managedBy('old', 'both') } });
  const after = owned('ConfigMap', 'c', { metadata: managedBy('both', 'new') });
  expect(findings({ older: [owned('ConfigMap', 'c', { labels: { team: 'x' } })], newer: [after] })).toEqual([
    "information: ConfigMap default/c.metadata.labels['team']: 2.0.0 no longer sets this label",
  ]);
  const carried = owned('ConfigMap', 'c', { metadata: { finalizers: ['a/b'], ...managedBy('old', 'both', 'new') } });
  expect(findings({ older: [before], newer: [after], upgraded: [carried] }).filter((text) => text.startsWith('error'))).toEqual([
    'error: ConfigMap default/c.metadata.finalizers: 2.0.0 does not know the finalizer a/b, and the upgraded object still has it: its deletion would wait for ever',
    'error: ConfigMap default/c.metadata.managedFields: 2.0.0 does not write as old, and the upgraded object has fields that are still held under that name: they are never taken away',
  ]);
});

test('a refused field is an error only where the upgrade stops at it', () => {
  const object = owned('Job', 'j', { apiVersion: 'batch/v1' });
  const refusals = [{ object: 'Job default/j', path: '.spec.template', message: 'field is immutable' }];
  const told = (changed: Partial<Pair>, upgraded = object): string =>
    findings({ older: [object], newer: [object], upgraded: [upgraded] }, { refusals, ...changed }).join('\n');
  expect(told({ isUpgraded: false })).toMatch(/^error: Job default\/j\.spec\.template: .*\(field is immutable\): the upgrade cannot be done$/);
  expect(told({ isUpgraded: false, strategyOf: () => 'Recreate' })).toMatch(/^information: .*made anew, as Action Made declares with Recreate$/);
  expect(told({}, owned('Job', 'j', { apiVersion: 'batch/v1', metadata: { uid: 'another' } }))).toMatch(/^information: .*Action Made deletes it and makes it anew$/);
  expect(told({})).toMatch(/^information: .*Action Made does not ask for the change$/);
});
