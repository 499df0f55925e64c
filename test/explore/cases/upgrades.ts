// Mistakes between two versions: what the new one cannot change, what it forgets, and what it takes away too early.
import { done, pending, type Action } from '@pawl/reconciler';
import {
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
  Deployments,
  explicit,
  rolloutOf,
  StatefulSets,
  type KubernetesContext,
  type KubernetesObject,
} from '@pawl/reconciler/kubernetes';
import { forThings, release, thing, type Case, type Thing, type ThingProcedure } from './shared.ts';

type AnyAction = Action<KubernetesContext<Thing>, undefined>;

function twoVersions(old: AnyAction, next: AnyAction): readonly ThingProcedure[] {
  const v1 = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [old] });
  const v2 = forThings.deriveProcedure(v1, { version: '2.0.0', replace: [forThings.replaceAction(old, next)] });
  return [v1, v2];
}

function deployed(selector: Readonly<Record<string, string>>, base?: AnyAction, immutable?: 'Recreate'): AnyAction {
  return forThings.defineAction({
    name: 'Deployed',
    owns: { deployments: Deployments },
    ...(immutable === undefined ? {} : { immutable: { deployments: immutable } }),
    ...(base === undefined ? {} : { revision: 1 }),
    run: async ({ cluster }) => {
      const labels = { app: 'web', tier: 'front' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
      await cluster.deployments.apply({ metadata: { name: 'web' }, spec: { replicas: 1, selector: { matchLabels: selector }, template } });
      return done(undefined);
    },
  }) as AnyAction;
}

/** A set whose members ask for so much storage each. */
function stored(storage: string, immutable?: 'OrphanRecreate'): AnyAction {
  return forThings.defineAction({
    name: 'Stored',
    owns: { sets: StatefulSets },
    ...(immutable === undefined ? {} : { immutable: { sets: immutable } }),
    revision: Number.parseInt(storage, 10),
    run: async ({ object, cluster }) => {
      const labels = { app: 'db' };
      const set = await cluster.sets.apply({
        metadata: { name: 'db' },
        spec: {
          replicas: object.spec.replicas ?? 1,
          serviceName: 'db',
          podManagementPolicy: 'Parallel',
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db:1' }] } },
          volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } }],
        },
      });
      return rolloutOf(set).complete ? done(undefined) : pending('Starting', 'members are starting');
    },
  }) as AnyAction;
}

function disrupted(budget: boolean, kind: typeof ConfigMaps): AnyAction {
  return forThings.defineAction({
    name: 'Disrupted',
    owns: { maps: kind },
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'config' }, data: { has: 'always' } });
      if (budget) await cluster.maps.apply({ metadata: { name: 'budget' }, data: { least: '1' } });
      return done(undefined);
    },
  }) as AnyAction;
}

interface Lease extends KubernetesObject {
  readonly apiVersion: 'coordination.k8s.io/v1';
  readonly kind: 'Lease';
  readonly spec?: { readonly leaseDurationSeconds: number };
}
const Leases = defineResource<Lease>({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' });

/** The Lease by which the managers of the operand agree who leads. */
function locked(name: string): AnyAction {
  return forThings.defineAction({
    name: 'Locked',
    owns: { leases: Leases },
    run: async ({ cluster }) => {
      await cluster.leases.apply({ metadata: { name }, spec: { leaseDurationSeconds: 60 } });
      return done(undefined);
    },
  }) as AnyAction;
}

/** A kind of the operand in these versions, the last of which is stored. */
function kindServed(...versions: readonly { readonly name: string; readonly served: boolean }[]): AnyAction {
  return forThings.defineAction({
    name: 'KindServed',
    owns: { kinds: CustomResourceDefinitions },
    run: async ({ cluster }) => {
      const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
      await cluster.kinds.apply({
        metadata: { name: 'gadgets.cases.pawl.dev' },
        spec: {
          group: 'cases.pawl.dev',
          scope: 'Namespaced',
          names: { kind: 'Gadget', listKind: 'GadgetList', plural: 'gadgets', singular: 'gadget' },
          versions: versions.map((version) => ({ ...version, storage: version === versions.at(-1), schema: { openAPIV3Schema } })),
        },
      });
      return done(undefined);
    },
  }) as AnyAction;
}

const old = deployed({ app: 'web' });
const marked = explicit(ConfigMaps);
const [alpha, hidden, stable] = [{ name: 'v1alpha1', served: true }, { name: 'v1alpha1', served: false }, { name: 'v1', served: true }];
const upgraded = { modes: ['upgrade'], options: { objects: [thing({})] } } as const;

export const upgradeCases: readonly Case[] = [
  {
    name: 'an upgrade adds a label to a selector, which nobody may change',
    reported: 'OT-CONTAINER-KIT/redis-operator 412, opendatahub-io/opendatahub-operator 746',
    faulty: release(twoVersions(old, deployed({ app: 'web', tier: 'front' }, old))),
    repaired: release(twoVersions(old, deployed({ app: 'web', tier: 'front' }, old, 'Recreate'))),
    ...upgraded,
    foundBy: 'comes to rest',
  },
  {
    name: 'an upgrade asks for larger claims, and a set takes no change of them',
    reported: 'keycloak/keycloak 40890',
    faulty: release(twoVersions(stored('1Gi'), stored('2Gi'))),
    repaired: release(twoVersions(stored('1Gi'), stored('2Gi', 'OrphanRecreate'))),
    ...upgraded,
    foundBy: 'comes to rest',
  },
  {
    name: 'a budget that the new version no longer has stays and blocks drains',
    reported: 'tektoncd/operator 374, cryostatio/cryostat-operator 975',
    faulty: release(twoVersions(disrupted(true, marked), disrupted(false, marked))),
    repaired: release(twoVersions(disrupted(true, ConfigMaps), disrupted(false, ConfigMaps))),
    ...upgraded,
    foundBy: 'leaves no orphans',
  },
  {
    name: 'the Lease of an operand has the version in its name, and two managers lead during an upgrade',
    reported: 'scylladb/scylla-operator 683',
    faulty: release(twoVersions(locked('manager-1.3'), locked('manager-1.4'))),
    repaired: release(twoVersions(locked('manager'), locked('manager'))),
    ...upgraded,
    foundBy: 'fits the version before',
  },
  {
    name: 'a version of a kind is dropped while it is listed as stored, and the definition takes no change any more',
    reported: 'kubernetes-sigs/cluster-api 6691, kubevirt/hyperconverged-cluster-operator 1457',
    faulty: release(twoVersions(kindServed(alpha), kindServed(stable))),
    repaired: release(twoVersions(kindServed(alpha), kindServed(hidden, stable))),
    ...upgraded,
    foundBy: 'comes to rest',
  },
];
