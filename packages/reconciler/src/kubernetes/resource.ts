// Handles of kinds: what an author declares and the clients that follow from it. Types and pure functions only.
import type { Kind } from '../access.ts';
import type { Desired, EditableFields, KubernetesObject, StatusOf } from './model.ts';

/** A name in the namespace of the reconciled object (or of a cluster-scoped kind), or elsewhere. */
export type Ref = string | { readonly name: string; readonly namespace?: string | undefined };

export interface Selector {
  /** Default: the namespace of the reconciled object; `'*'` for all. */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Exact values of fields, such as `{ 'spec.nodeName': 'n1' }`. The store keeps an index for each field used. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Whether an object is selected; the namespace `'*'` is any. */
export function isSelected(object: KubernetesObject, { namespace = '*', labels = {}, fields = {} }: Selector): boolean {
  const valueAt = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (value, part) =>
          typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[part] : undefined,
        object,
      );
  return (
    (namespace === '*' || object.metadata.namespace === namespace) &&
    Object.entries(labels).every(([name, value]) => object.metadata.labels?.[name] === value) &&
    Object.entries(fields).every(([path, value]) => valueAt(path) === value)
  );
}

/** Reads: what was written by this operator is visible. */
export interface Reader<T extends KubernetesObject> {
  readonly get: (ref: Ref) => Promise<T | undefined>;
  readonly list: (selector?: Selector) => Promise<readonly T[]>;
  /** A quorum read past the cache. Rarely needed. */
  readonly live: (ref: Ref) => Promise<T | undefined>;
}

/** Sets single fields on objects of others. */
export interface Editor<T extends KubernetesObject> extends Reader<T> {
  /**
   * Makes exactly these fields part of a named claim; fields that the claim held before and that are left out now are
   * given back. Claims belong to the package, so that another action, or a renamed one, can end what one began.
   */
  readonly edit: (object: T, claim: string, fields: EditableFields<T>) => Promise<T>;
  /** Ends a claim: what another party set as well stays as it is, the rest goes. */
  readonly release: (object: T, claim: string) => Promise<T>;
}

export interface RemoveOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

/**
 * Creates, changes and removes whole objects. Each object belongs to one action. Reads find objects of others as well, but
 * a change of those brings nobody up: what an action waits for it declares under `reads`.
 */
export interface Owner<T extends KubernetesObject> extends Reader<T> {
  /** Server-side apply; no request when nothing would change. Answers the object as the server has it. */
  readonly apply: (desired: Desired<T>) => Promise<T>;
  /** Still wanted as it is: not pruned, not changed. For objects that this cycle does not apply. */
  readonly keep: (observed: T) => void;
  /** Deletes what was observed, with its uid and resourceVersion as preconditions. */
  readonly remove: (observed: T, options?: RemoveOptions) => Promise<void>;
  /** All objects of this kind that carry the owner label of the reconciled object, in every namespace. */
  readonly owned: () => Promise<readonly T[]>;
}

/** What the server calls a kind. */
export interface ResourceType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What a handle says about its kind. */
export interface ResourceInfo<T extends KubernetesObject> extends ResourceType {
  readonly apiVersion: T['apiVersion'];
  readonly kind: T['kind'];
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The handle of a kind. */
export interface Resource<T extends KubernetesObject> extends Kind<Reader<T>, Editor<T>, Owner<T>>, ResourceInfo<T> {}

export interface ResourceSpec<T extends KubernetesObject> {
  readonly apiVersion: T['apiVersion'];
  readonly kind: T['kind'];
  /** Lower-case plural, as in RBAC. */
  readonly plural: string;
  /** Default true. */
  readonly namespaced?: boolean;
}

/** Declares a kind. The model's literals make a wrong `apiVersion` or `kind` a compile error. */
export function defineResource<T extends KubernetesObject>(spec: ResourceSpec<T>): Resource<T> {
  return Object.freeze({ namespaced: true, ...spec, id: `${spec.apiVersion}/${spec.kind}` });
}

/** A kind that only the object names, such as the sink of an enrollment. */
export interface OpenResource<T extends KubernetesObject> extends Kind<
  (type: ResourceType) => Reader<T>,
  (type: ResourceType) => Editor<T>,
  (type: ResourceType) => Owner<T>
> {
  readonly open: string;
}

/** Declares a kind that objects choose; which ones they may choose is the operator's configuration, under `name`. */
export function defineOpenResource<T extends KubernetesObject>(name: string): OpenResource<T> {
  return Object.freeze({ id: `open/${name}`, open: name });
}

/** How objects of a kind go, beside what the server does by itself. */
export interface OwnedFlags {
  /** Leftovers are deleted by their Action only, never by the framework. */
  readonly explicit?: boolean;
  /** Deletion has an order: no owner reference, or the server would delete the object together with its owner. */
  readonly guarded?: boolean;
}

/** For `owns`: what this Action no longer wants it deletes itself, by `remove`. */
export function explicit<K extends Kind>(kind: K): K {
  return Object.freeze({ ...kind, explicit: true });
}

/** For `owns`: objects that are deleted in an order, by the teardown; the server must not do it on its own. */
export function guarded<K extends Kind>(kind: K): K {
  return Object.freeze({ ...kind, guarded: true });
}

/** Writes fields of the reconciled object's own status, with the one status write at the end of the cycle. */
export interface StatusEditor<S> {
  readonly set: (fields: Partial<S>) => void;
  /** A value made once and kept: undefined in the cycle that proposes it, for it is not yet recorded. */
  readonly once: <F extends keyof S>(field: F, make: () => S[F]) => S[F] | undefined;
}

export interface OwnStatus<S> extends Kind<unknown, StatusEditor<S>> {
  readonly statusOf: string;
  readonly fields: readonly string[];
}

/** Fields of the kind's own status that an action sets; declared under `edits`. */
export function statusOf<T extends KubernetesObject, const F extends keyof StatusOf<T> & string>(
  resource: Resource<T>,
  ...fields: readonly F[]
): OwnStatus<Pick<Required<StatusOf<T>>, F>> {
  return Object.freeze({ id: `${resource.id}/status`, statusOf: resource.id, fields });
}
