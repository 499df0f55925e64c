// What an operator must be allowed to do, worked out from what its packages declare. Nothing is granted by hand. Pure.
import { groupOf, kindsOf, leaseName, type KubernetesObject, type ProcedureCatalog, type ResourceInfo } from '@pawl/reconciler/kubernetes';
import type { ManifestOptions } from './options.ts';

/** Where a permission holds: in the namespaces whose objects are reconciled, everywhere, or in one namespace. */
export type Place = 'watched' | 'cluster' | { readonly namespace: string };

/** One rule. */
export interface Permission {
  readonly place: Place;
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly names?: readonly string[];
  /** Why it is needed, for whoever reads the rules. */
  readonly why: string;
}

type Info = ResourceInfo<KubernetesObject>;
type Verb = 'owns' | 'edits' | 'reads';

const READ = ['get', 'list', 'watch'] as const;
const VERBS: Readonly<Record<Verb, readonly string[]>> = {
  owns: [...READ, 'create', 'patch', 'delete'],
  edits: [...READ, 'patch'],
  reads: READ,
};
/** In which order verbs are listed. */
const ORDER = ['get', 'list', 'watch', 'create', 'patch', 'delete'];
const PODS: Info = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** Every permission that the packages need, one for each resource and place. */
export function permissionsOf({ packages, openKinds, name, namespace }: Needs): readonly Permission[] {
  const catalogs = packages.flatMap(({ kinds }) => kinds);
  return merged([
    ...catalogs.flatMap(({ resource }) => ownKind(resource)),
    ...catalogs.flatMap((catalog) => touched(catalog, openKinds)),
    ...catalogs.flatMap(({ parent }) => (parent === undefined ? [] : [permission(parent.of, READ, 'parents of reconciled objects')])),
    { place: { namespace }, group: LEASES, resource: 'leases', verbs: ['get', 'create'], why: 'the Lease by which replicas agree who acts, and those of others that drove an object before' },
    { place: { namespace }, group: LEASES, resource: 'leases', names: [leaseName(name)], verbs: ['patch'], why: 'its own Lease' },
    ...eventPlaces(catalogs, namespace).map((place) => ({ place, group: EVENTS, resource: 'events', verbs: ['create', 'patch'], why: 'what is told by Events' })),
  ]);
}

type Needs = Pick<ManifestOptions, 'packages' | 'openKinds' | 'name' | 'namespace'>;
const LEASES = 'coordination.k8s.io';
const EVENTS = 'events.k8s.io';

/** Objects are read, told apart and reported on; finalizer and mirror of the record are patches of the object itself. */
function ownKind(resource: Info): readonly Permission[] {
  const status = { ...permission(resource, ['patch'], 'its status'), resource: `${resource.plural}/status` };
  return [permission(resource, [...READ, 'patch'], 'the objects that are reconciled'), status];
}

function touched(catalog: ProcedureCatalog, openKinds: Needs['openKinds']): readonly Permission[] {
  const kinds = kindsOf(catalog);
  const of = (verb: Verb): readonly Info[] => [
    ...kinds[verb],
    ...kinds.open.filter((open) => open.verb === verb).flatMap(({ name }) => (openKinds[name] ?? []).map(infoOf)),
  ];
  const all = (['owns', 'edits', 'reads'] as const).flatMap((verb) => of(verb).map((info) => permission(info, VERBS[verb], WHY[verb])));
  const evicts = of('edits').some(isPod)
    ? [{ ...permission(PODS, ['create'], 'evictions, which disruption budgets may refuse'), resource: 'pods/eviction' }]
    : [];
  // A workload that is replaced while its pods live on hands them over to its successor by their labels.
  const handsOver = catalog.procedures.some((procedure) =>
    [...procedure.actions.values()].some(({ grants }) => grants.some(({ immutable }) => immutable === 'OrphanRecreate')),
  );
  return [...all, ...evicts, ...(handsOver ? [permission(PODS, ['list', 'patch'], 'pods of a workload that is replaced')] : [])];
}

const WHY: Readonly<Record<Verb, string>> = {
  owns: 'owned by Actions',
  edits: 'single fields set by Actions',
  reads: 'read by Actions',
};

/** Events stand where their objects do; those about objects without a namespace in `default`; those about its pods with them. */
function eventPlaces(catalogs: readonly ProcedureCatalog[], namespace: string): readonly Place[] {
  const isAnyNamespaced = catalogs.some(({ resource }) => resource.namespaced);
  return [...(isAnyNamespaced ? ['watched' as const] : []), { namespace: 'default' }, { namespace }];
}

function permission({ apiVersion, kind, plural, namespaced }: Info, verbs: readonly string[], why: string): Permission {
  const isSecret = apiVersion === 'v1' && kind === 'Secret';
  const place: Place = namespaced ? 'watched' : 'cluster';
  // RBAC knows no watch of metadata alone, which is all that the operator opens on Secrets.
  return { place, group: groupOf(apiVersion), resource: plural, verbs, why: isSecret ? `${why}; values are read one by one and never cached` : why };
}

/** One permission for each resource in a place, with the verbs and reasons of all. */
function merged(permissions: readonly Permission[]): readonly Permission[] {
  const found = new Map<string, Permission>();
  for (const each of permissions) {
    const key = JSON.stringify([each.place, each.group, each.resource, each.names ?? []]);
    const known = found.get(key);
    const verbs = new Set([...(known?.verbs ?? []), ...each.verbs]);
    const why = known === undefined || known.why === each.why ? each.why : `${known.why}; ${each.why}`;
    found.set(key, { ...each, verbs: ORDER.filter((verb) => verbs.has(verb)), why });
  }
  return [...found.values()];
}

const infoOf = (kind: Needs['openKinds'][string][number]): Info => ({ namespaced: true, ...kind });
const isPod = ({ apiVersion, kind }: Info): boolean => apiVersion === PODS.apiVersion && kind === PODS.kind;

/** Whether values of Secrets can be read anywhere in the cluster: worth a word. */
export function readsSecretsEverywhere(permissions: readonly Permission[], watched: readonly string[] | undefined): boolean {
  return watched === undefined && permissions.some(({ group, resource }) => group === '' && resource === 'secrets');
}
