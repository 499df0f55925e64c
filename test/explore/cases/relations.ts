// Mistakes with what stands around: a deletion that was refused, a schema that forgets, and children that run ahead.
import { done, pending, proceduresFor } from '@pawl/reconciler';
import {
  ConfigMaps,
  crdFor,
  defineCatalog,
  definePackage,
  defineResource,
  explicit,
  statusOf,
  type CustomResource,
  type CustomResourceDefinition,
  type Desired,
  type KubernetesContext,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import type { Invariant } from '@pawl/testkit';
import { forThings, only, release, thing, Things, type Case } from './shared.ts';

const marked = explicit(ConfigMaps);

const kept = forThings.defineAction({
  name: 'Cleaned',
  owns: { maps: marked },
  run: async ({ cluster }) => {
    await cluster.maps.apply({ metadata: { name: 'former' }, data: { has: 'once' } });
    return done();
  },
});

/** Removes what the old version left; the faulty one tries once and strikes it off its list. */
const cleaned = (isRepaired: boolean) =>
  forThings.defineAction({
    name: 'Cleaned',
    owns: { maps: marked },
    edits: { status: statusOf(Things, 'removing') },
    revision: 1,
    run: async ({ object, cluster }) => {
      const former = await cluster.maps.get('former');
      const isListed = isRepaired || object.status?.removing !== 'none';
      cluster.status.set({ removing: 'none' });
      if (former === undefined || !isListed) return done();
      if (isRepaired) await cluster.maps.remove(former);
      else await cluster.maps.remove(former).catch(() => undefined);
      return done();
    },
  });

function cleaning(isRepaired: boolean): ProcedurePackage {
  const v1 = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [kept] });
  return release([v1, forThings.deriveProcedure(v1, { version: '2.0.0', replace: [forThings.replaceAction(kept, cleaned(isRepaired))] })]);
}

const filed = forThings.defineAction({
  name: 'Filed',
  owns: { maps: ConfigMaps },
  run: async ({ cluster }) => {
    await cluster.maps.apply({ metadata: { name: 'file' }, data: { has: 'always' } });
    return done();
  },
});

/** @param schema of `status.procedure`, as somebody wrote it by hand; absent: that of the framework */
function filing(schema?: object): ProcedurePackage {
  const complete = release([only(filed)]);
  if (schema === undefined) return complete;
  const crds = complete.crds.map((crd) => {
    const copy = structuredClone(crd) as unknown as Readable;
    for (const { schema: of } of copy.spec.versions) of.openAPIV3Schema.properties.status.properties['procedure'] = schema;
    return copy as unknown as Desired<CustomResourceDefinition>;
  });
  return definePackage({ ...complete, crds });
}

interface Readable {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly status: { readonly properties: Record<string, unknown> } } } };
    }[];
  };
}

interface Cluster extends CustomResource<'cases.pawl.dev/v1', 'Cluster', { readonly daemons: readonly string[] }> {}
interface Daemon extends CustomResource<'cases.pawl.dev/v1', 'Daemon', { readonly role: string }> {}
const Clusters = defineResource<Cluster>({ apiVersion: 'cases.pawl.dev/v1', kind: 'Cluster', plural: 'clusters' });
const Daemons = defineResource<Daemon>({ apiVersion: 'cases.pawl.dev/v1', kind: 'Daemon', plural: 'daemons' });
const forClusters = proceduresFor<KubernetesContext<Cluster>>();
const forDaemons = proceduresFor<KubernetesContext<Daemon>>();

/** The map of the cluster, which daemons of the same version read. */
const mapped = (image: string) =>
  forClusters.defineAction({
    name: 'Mapped',
    owns: { maps: ConfigMaps },
    ...(image === 'ceph:1' ? {} : { revision: 1 }),
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'map' }, data: { image } });
      return done();
    },
  });
const mapped1 = mapped('ceph:1');
const wanted = forClusters.defineAction({
  name: 'DaemonsWanted',
  requires: { mapped: mapped1 },
  owns: { daemons: Daemons },
  run: async ({ object, cluster }) => {
    for (const role of object.spec.daemons) await cluster.daemons.apply({ metadata: { name: role }, spec: { role } });
    return done();
  },
});
const released = forClusters.defineAction({ name: 'DaemonsReleased', requires: { wanted }, run: () => done() });
const followed = forClusters.defineAction({
  name: 'DaemonsFollow',
  requires: { released },
  owns: { daemons: Daemons },
  run: async ({ cluster, procedure }) => {
    const behind = (await cluster.daemons.owned()).filter((daemon) => versionOf(daemon) !== procedure.version);
    return behind.length === 0 ? done() : pending('DaemonsBehind', `${behind.length} are not there yet`);
  },
});

interface Standing {
  readonly status?: { readonly procedure?: { readonly version?: string; readonly target?: string } };
}
const versionOf = (object: unknown): string | undefined => (object as Standing).status?.procedure?.version;

const running = (image: string) =>
  forDaemons.defineAction({
    name: 'Running',
    owns: { maps: ConfigMaps },
    ...(image === 'ceph:1' ? {} : { revision: 1 }),
    run: async ({ object, cluster }) => {
      await cluster.maps.apply({ metadata: { name: object.metadata.name }, data: { image } });
      return done();
    },
  });

/** @param isParent the daemons wait for the decision of their cluster; the mistake lets each kind decide for itself */
function storage(isParent: boolean): ProcedurePackage {
  const running1 = running('ceph:1');
  const next = forClusters.replaceAction(mapped1, mapped('ceph:2'));
  const cluster1 = forClusters.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: isParent ? [followed] : [wanted] });
  const daemon1 = forDaemons.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [running1] });
  const daemon2 = forDaemons.deriveProcedure(daemon1, { version: '2.0.0', replace: [forDaemons.replaceAction(running1, running('ceph:2'))] });
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  return definePackage({
    name: 'storage',
    kinds: [
      defineCatalog(Clusters, [cluster1, forClusters.deriveProcedure(cluster1, { version: '2.0.0', replace: [next] })]),
      defineCatalog(Daemons, [daemon1, daemon2], isParent ? { parent: { of: Clusters, releasedBy: released } } : {}),
    ],
    crds: [crdFor(Clusters, { spec: anything }), crdFor(Daemons, { spec: anything })],
  });
}

const cluster = { apiVersion: 'cases.pawl.dev/v1', kind: 'Cluster', metadata: { name: 'ceph', namespace: 'default' }, spec: { daemons: ['mon'] } };

/** One decision, of the cluster, and its daemons follow. */
const daemonsFollow: Invariant = {
  name: 'no daemon is newer than the map of its cluster',
  faults: ({ objects }) => {
    const imageOf = (name: string): string | undefined =>
      (objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name) as { readonly data?: { readonly image?: string } } | undefined)?.data?.image;
    const [map, daemon] = [imageOf('map'), imageOf('mon')];
    return daemon === 'ceph:2' && map !== 'ceph:2' ? [`it runs ceph:2, and the map is of ${map ?? 'nothing'}`] : [];
  },
};

/** Also what shows that a child waits for its parent. */
export const followingDaemons: Case = {
  name: 'every kind decides for itself, and daemons are newer than their cluster',
  reported: 'rook/rook 8576 and 9098',
  faulty: storage(false),
  repaired: storage(true),
  modes: ['upgrade'],
  foundBy: 'keeps the invariants',
  options: { objects: [cluster], invariants: [daemonsFollow] },
};

export const relationCases: readonly Case[] = [
  {
    name: 'a deletion that was refused once is struck off the list, and the object stays',
    reported: 'fluxcd/kustomize-controller 1664',
    faulty: cleaning(false),
    repaired: cleaning(true),
    modes: ['requests'],
    foundBy: 'leaves no orphans',
    // Every request fails once in every way.
    options: { objects: [thing({})], budgetMs: 50_000 },
  },
  {
    name: 'an older schema drops what the new operator remembers',
    reported: 'lexfrei/cloudflare-tunnel-gateway-controller 748, splunk/splunk-operator 463',
    faulty: filing({ type: 'object', properties: { phase: { type: 'string' }, version: { type: 'string' } } }),
    repaired: filing(),
    modes: ['install'],
    foundBy: 'comes to rest',
    options: { objects: [thing({})] },
  },
  followingDaemons,
];
