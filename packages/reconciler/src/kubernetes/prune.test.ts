// What a prune may delete, against everything that could make it delete the wrong thing.
import { expect, test } from 'vitest';
import type { ActionOutcome } from '../cycle.ts';
import { proceduresFor } from '../define.ts';
import { done, notApplicable, pending, undetermined, type ActionResult } from '../result.ts';
import { ConfigMaps, Deployments } from './builtin.ts';
import type { KubernetesContext } from './context.ts';
import type { KubernetesObject } from './model.ts';
import { ANNOTATIONS, LABELS, ownerHashOf } from './names.ts';
import { pruneCandidates, type PruneInput } from './prune.ts';
import { explicit } from './resource.ts';

const { defineAction, defineProcedure } = proceduresFor<KubernetesContext<KubernetesObject>>();
const owner: KubernetesObject = {
  apiVersion: 'x.example/v1',
  kind: 'Cache',
  metadata: { name: 'c', namespace: 'n', uid: 'owner', resourceVersion: '1' },
};
const stored = defineAction({ name: 'Stored', owns: { maps: ConfigMaps }, run: () => done() });
const served = defineAction({ name: 'Served', owns: { sets: explicit(Deployments) }, run: () => done() });
const cleaned = defineAction({ name: 'Cleaned', stage: 'finalize', owns: { maps: ConfigMaps }, run: () => done() });
const procedure = defineProcedure({ version: '2.0.0', actions: [stored, served, cleaned] });

const outcome = (name: string, result: ActionResult): readonly [string, ActionOutcome] => [
  name,
  { name, level: 'change', result, changes: [], durationMs: 0, assumed: false },
];
const allTrue = new Map([outcome('Stored', done()), outcome('Served', done())]);

interface Left {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly meta?: Partial<KubernetesObject['metadata']>;
}
/** A ConfigMap that 1.0.0 left behind and whose Action is gone, unless told otherwise. */
function left({
  apiVersion = 'v1',
  kind = 'ConfigMap',
  name = 'old',
  annotations,
  labels,
  meta,
}: Left = {}): KubernetesObject {
  const all = {
    [ANNOTATIONS.version]: '1.0.0',
    [ANNOTATIONS.ownerUid]: 'owner',
    [ANNOTATIONS.action]: 'Retired',
    ...annotations,
  };
  const present = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: 'n',
      uid: `uid-${name}`,
      resourceVersion: '1',
      labels: labels ?? { [LABELS.owner]: ownerHashOf(owner) },
      annotations: Object.fromEntries(present),
      ...meta,
    },
  };
}
const judge = (object: KubernetesObject, more: Partial<PruneInput> = {}): string => {
  const applied = ['1.0.0', '2.0.0'];
  const input = { owner, owned: [object], kept: new Set<string>(), outcomes: allTrue, procedure, applied, ...more };
  const { prune, keep } = pruneCandidates(input);
  return prune.length === 1 ? 'deleted' : (keep[0]?.reason ?? 'lost');
};
const withAction = (action: string | undefined): Left => ({ annotations: { [ANNOTATIONS.action]: action } });
const withStamp = (stamp: string | undefined): Left => ({ annotations: { [ANNOTATIONS.version]: stamp } });
const controller = (uid: string): Left => ({
  meta: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid, controller: true }] },
});

const CASES: readonly (readonly [name: string, judged: string, object: Left, more?: Partial<PruneInput>])[] = [
  ['its Action is gone', 'deleted', {}],
  ['its Action ran to True without it', 'deleted', withAction('Stored')],
  ['a version that is not recorded any more left it', 'deleted', withStamp('0.9.0')],
  [
    'a newer version left it, from which the object was rolled back',
    'deleted',
    withStamp('3.0.0'),
    { applied: ['2.0.0', '3.0.0'] },
  ],
  ['our own controller reference', 'deleted', controller('owner')],
  ['the cycle wants it', 'Wanted', {}, { kept: new Set(['uid-old']) }],
  ['the label of another object', 'ForeignOwner', { labels: { [LABELS.owner]: 'other' } }],
  ['no label', 'ForeignOwner', { labels: {} }],
  [
    'an owner of the same name that was there before',
    'ForeignOwner',
    { annotations: { [ANNOTATIONS.ownerUid]: 'former' } },
  ],
  ['the controller of somebody else', 'ForeignOwner', controller('other')],
  ['written by a newer operator', 'NewerStamp', withStamp('3.0.0')],
  ['no stamp', 'UnknownOrigin', withStamp(undefined)],
  ['a stamp that is no version', 'UnknownOrigin', withStamp('newest')],
  ['no Action', 'UnknownOrigin', withAction(undefined)],
  ['a person keeps it', 'KeepRequested', { annotations: { [ANNOTATIONS.keep]: 'true' } }],
  ['a claim on a volume', 'ProtectedKind', { kind: 'PersistentVolumeClaim' }],
  ['a definition', 'ProtectedKind', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }],
  ['going already', 'Deleting', { meta: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['its Action deletes by itself', 'Explicit', { ...withAction('Served'), apiVersion: 'apps/v1', kind: 'Deployment' }],
  ['another kind of the same Action', 'deleted', withAction('Served')],
  ['its Action runs later', 'ActionSkipped', withAction('Cleaned')],
  [
    'its Action found nothing to do',
    'ActionSkipped',
    withAction('Stored'),
    { outcomes: new Map([outcome('Stored', notApplicable()), outcome('Served', done())]) },
  ],
  [
    'its Action is not True',
    'CycleNotVerified',
    withAction('Stored'),
    { outcomes: new Map([outcome('Stored', pending('R', 'r')), outcome('Served', done())]) },
  ],
  [
    'another Action could not be told',
    'CycleNotVerified',
    {},
    { outcomes: new Map([outcome('Stored', done()), outcome('Served', undetermined('R', 'r'))]) },
  ],
  ['another Action did not run', 'CycleNotVerified', {}, { outcomes: new Map([outcome('Stored', done())]) }],
];

for (const [name, judged, object, more] of CASES)
  test(`${name}: ${judged}`, () => {
    expect(judge(left(object), more)).toBe(judged);
  });

test('what intercepts requests goes first, then what runs, then what it reads', () => {
  const owned = [
    left({ name: 'a' }),
    left({ name: 'b', apiVersion: 'apps/v1', kind: 'Deployment' }),
    left({ name: 'c', apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' }),
    left({ name: 'd', apiVersion: 'x.example/v1', kind: 'Ring' }),
  ];
  const { prune } = pruneCandidates({ owner, owned, kept: new Set(), outcomes: allTrue, procedure, applied: [] });
  expect(prune.map(({ kind }) => kind)).toEqual(['ValidatingWebhookConfiguration', 'Ring', 'Deployment', 'ConfigMap']);
});

test('more than ten, and more than three in ten, need a word that names exactly these', () => {
  const some = (count: number): readonly KubernetesObject[] =>
    Array.from({ length: count }, (_, index) => left({ name: `old-${index}` }));
  const input = { owner, kept: new Set<string>(), outcomes: allTrue, procedure, applied: [] };
  expect(pruneCandidates({ ...input, owned: some(10) }).prune).toHaveLength(10);
  const { prune, blocked } = pruneCandidates({ ...input, owned: some(11) });
  expect([prune.length, blocked?.count, blocked?.of]).toEqual([0, 11, 11]);
  expect(pruneCandidates({ ...input, owned: some(11), approved: blocked?.hash }).prune).toHaveLength(11);
  expect(pruneCandidates({ ...input, owned: some(12), approved: blocked?.hash }).prune).toHaveLength(0);
  const kept = new Set(
    some(40)
      .map(({ metadata }) => metadata.uid)
      .slice(11),
  );
  expect(pruneCandidates({ ...input, owned: some(40), kept }).prune).toHaveLength(11);
});
