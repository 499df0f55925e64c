// What the controller of one kind works with: its catalog, the names that it writes under, and what its packages touch.
import type { ExternalApi, Procedure, ScopeEntry, VersionCatalog } from '@pawl/reconciler';
import { groupOf, type FieldManagers, type KubernetesObject, type ProcedureCatalog, type Resource, type OpenKind, type ResourceInfo } from '@pawl/reconciler/kubernetes';
import type { TypeOf } from '../cluster/inventory.ts';

type AnyInfo = ResourceInfo<KubernetesObject>;

export interface KindSetup {
  readonly packageName: string;
  readonly resource: Resource<KubernetesObject>;
  readonly catalog: ProcedureCatalog;
  readonly versions: VersionCatalog;
  readonly managers: FieldManagers;
  /** Kinds that any procedure of the catalog owns; the scope of new objects. */
  readonly owned: readonly AnyInfo[];
  /** Kinds that any procedure edits or reads. */
  readonly touched: readonly AnyInfo[];
  /** Of `owned`, what no package of the operator looks at otherwise: of these only objects with an owner are cached. */
  readonly ownedOnly: readonly AnyInfo[];
  readonly externals: ReadonlyMap<string, ExternalApi>;
  readonly openKinds: ReadonlyMap<string, readonly OpenKind[]>;
  /** Kinds of `owned` and `touched` that only the configuration names: the process does not wait for them. */
  readonly optional: readonly AnyInfo[];
  readonly typeOf: TypeOf;
}

/** The procedure of a version that the catalog is known to have. */
export function procedureFor({ catalog }: KindSetup, version: string): Procedure<never> {
  const found = catalog.procedures.find((procedure) => procedure.version === version);
  if (found === undefined) throw new Error(`no procedure ${version} in the catalog of ${catalog.resource.kind}`);
  return found;
}

/** Where the catalog's procedures may create objects for this one: its namespace, or everywhere for a cluster-wide one. */
export function wantedScope({ owned }: KindSetup, { metadata }: KubernetesObject): readonly ScopeEntry[] {
  return owned.map(({ apiVersion, kind, namespaced }) => ({
    group: groupOf(apiVersion),
    kind,
    namespaces: namespaced && metadata.namespace !== undefined ? [metadata.namespace] : [],
  }));
}
