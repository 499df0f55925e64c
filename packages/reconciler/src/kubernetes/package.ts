// A procedure package: what the operator imports. Validated as a whole.
import type { Action } from '../action.ts';
import { assertSound, type Fault } from '../errors.ts';
import type { BoundExternal } from '../external.ts';
import type { Procedure } from '../procedure.ts';
import { catalogFaults, catalogOf, type VersionCatalog } from '../versions/catalog.ts';
import { compareVersions } from '../versions/version.ts';
import type { CustomResourceDefinition } from './builtin.ts';
import { kindsOf } from './catalog-kinds.ts';
import type { KubernetesContext } from './context.ts';
import type { Desired, DesiredMeta, KubernetesObject } from './model.ts';
import type { OwnStatus, Resource } from './resource.ts';

/** Objects of this kind belong to objects of another, which decides how far they may go. */
export interface ParentDeclaration {
  readonly of: Resource<KubernetesObject>;
  /** The parent's Action that is True once its children may follow to the parent's target. */
  readonly releasedBy: string;
}

/** All procedures of one kind, newest first. */
export interface ProcedureCatalog {
  readonly resource: Resource<KubernetesObject>;
  readonly procedures: readonly Procedure<never>[];
  /** What the procedures say about versions: what `decide` and `nextStep` take. */
  readonly versions: VersionCatalog;
  readonly parent?: ParentDeclaration;
}

export interface CatalogOptions {
  /** The controller of the parent kind applies objects of this one; a child never runs ahead of its parent. */
  readonly parent?: {
    readonly of: { readonly id: string };
    readonly releasedBy: Pick<Action<never>, 'name'>;
  };
}

/** The catalog of one kind: the handle's model and the procedures' context must agree. Throws with all faults at once. */
export function defineCatalog<T extends KubernetesObject>(
  resource: Resource<T>,
  procedures: readonly Procedure<KubernetesContext<NoInfer<T>>>[],
  { parent }: CatalogOptions = {},
): ProcedureCatalog {
  const sorted = procedures.toSorted((a, b) => compareVersions(b.version, a.version));
  assertSound(`catalog of ${resource.kind}`, [...foreignStatusFaults(resource.id, sorted), ...catalogFaults(sorted)]);
  return Object.freeze({
    resource: resource as unknown as Resource<KubernetesObject>,
    procedures: Object.freeze(sorted),
    versions: catalogOf(sorted),
    ...(parent === undefined
      ? {}
      : { parent: { of: parent.of as Resource<KubernetesObject>, releasedBy: parent.releasedBy.name } }),
  });
}

/** An Action writes the status of its own kind only. */
function foreignStatusFaults(id: string, procedures: readonly Procedure<never>[]): Fault[] {
  const foreign = new Set<string>();
  for (const { actions } of procedures)
    for (const { name, grants } of actions.values())
      for (const { target } of grants) {
        const { statusOf } = target as Partial<OwnStatus<unknown>>;
        if (statusOf !== undefined && statusOf !== id) foreign.add(`${name} sets the status of ${statusOf}; an Action sets that of its own kind only`);
      }
  return [...foreign].map((message) => ({ code: 'V011', message }));
}

/** A sample of a kind of the package, as a user would write it. Lint renders it and the explorer installs it. */
export interface ExampleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: DesiredMeta;
  readonly spec?: unknown;
}

export interface PackageSpec {
  /** Stable, lower-case, as a DNS label: field managers are made of it. */
  readonly name: string;
  readonly kinds: readonly ProcedureCatalog[];
  readonly crds: readonly Desired<CustomResourceDefinition>[];
  readonly external?: readonly BoundExternal[];
  readonly examples?: readonly ExampleObject[];
}

export interface ProcedurePackage extends PackageSpec {
  readonly external: readonly BoundExternal[];
  readonly examples: readonly ExampleObject[];
}

const NAME = /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** What a package's module exports by default. Throws with all faults at once. */
export function definePackage(spec: PackageSpec): ProcedurePackage {
  const { name, kinds, external = [], examples = [] } = spec;
  const bound = new Set(external.map(({ key }) => key));
  const faults: Fault[] = [];
  if (!NAME.test(name))
    faults.push({ code: 'V011', message: `name "${name}" must be lower-case letters, digits and dashes, at most 40` });
  for (const catalog of kinds)
    for (const { action, key } of kindsOf(catalog).externals)
      if (!bound.has(key))
        faults.push({ code: 'V011', message: `${action} uses external system ${key}, which is not bound; name it in external` });
  for (const [index, { resource }] of kinds.entries())
    if (kinds.findIndex((other) => other.resource.id === resource.id) !== index)
      faults.push({ code: 'V010', message: `two catalogs are of ${resource.kind}; put their procedures into one` });
  for (const { apiVersion, kind, metadata } of examples)
    if (!kinds.some(({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind))
      faults.push({ code: 'V011', message: `example ${metadata.name} is a ${kind}, which the package has no catalog of; correct its kind` });
  assertSound(`package ${name}`, faults);
  return Object.freeze({ ...spec, external, examples });
}
