// What the server must know about a resource to serve it, the same for built-in kinds and custom resources.
import type { Outside } from '../admission/outside.ts';
import type { Cause } from '../errors.ts';
import type { Json, JsonObject, KubeObject } from '../json.ts';
import type { Random } from '../ports.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import type { FieldReader } from '../server/field-selector.ts';
import type { NameRule } from '../server/names.ts';
import type { Verb } from '../server/request-info.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
  /** The value of the cell; `now` is in ms since the epoch. */
  readonly cell: (object: KubeObject, now: number) => Json;
}

/** Where `/scale` finds its numbers: paths of keys into the object. */
export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  /** Path of a selector: text, or a label selector object. */
  readonly selector: readonly string[] | undefined;
}

/** What a rule may look at beside the object. */
export interface RuleContext {
  readonly now: string;
  readonly random: Random;
  /** Objects of another resource of the same server. */
  readonly list: (table: string, namespace: string) => readonly KubeObject[];
  readonly get: (table: string, namespace: string, name: string) => KubeObject | undefined;
}

/** Behaviour of a kind beyond what all kinds share. All functions are pure. */
export interface Rules {
  readonly nameRule: NameRule;
  /** PUT without resourceVersion replaces whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** PUT to a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** Objects carry `metadata.generation`. */
  readonly generation: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** Completes what arrives: drops unknown fields, whose paths are `unknown`, and sets defaults. */
  readonly decode: (object: KubeObject) => { readonly object: KubeObject; readonly unknown: readonly string[] };
  readonly prepareCreate: (object: KubeObject, context: RuleContext) => KubeObject;
  readonly prepareUpdate: (next: KubeObject, old: KubeObject, context: RuleContext) => KubeObject;
  readonly validate: (object: KubeObject, old: KubeObject | undefined, context: RuleContext) => readonly Cause[];
  readonly validateStatus: (object: KubeObject, old: KubeObject) => readonly Cause[];
  /** Part of the object that a change of increments the generation. */
  readonly versionedPart: (object: KubeObject) => Json;
  /** Why a valid update is refused with 403; undefined: it is not. */
  readonly refusesUpdate: (next: KubeObject, old: KubeObject, context: RuleContext) => string | undefined;
  /** Why a DELETE is refused; undefined: it is not. */
  readonly refusesDelete: (object: KubeObject) => string | undefined;
  /** Finalizers that the first DELETE adds. */
  readonly deletionFinalizers: readonly string[];
  /** Further marks of an object that begins to terminate. */
  readonly onTerminating: (object: KubeObject, now: string) => KubeObject;
  /** Something beyond metadata.finalizers keeps a terminating object. */
  readonly holdsDeletion: (object: KubeObject) => boolean;
  /** Seconds that a DELETE leaves to the object, `asked` being the client's wish; undefined: none, ever. */
  readonly gracePeriod: (object: KubeObject, asked: number | undefined) => number | undefined;
  /** Warnings for the one who writes. */
  readonly warnings: (object: KubeObject) => readonly string[];
}

/** A resource in one version. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  /** `group/version`, or `version` in the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Where the store keeps the objects: `plural.group`, one for all versions. */
  readonly table: string;
  /** A custom resource. */
  readonly custom: boolean;
  /** `/status` exists, and writes elsewhere leave the status alone. */
  readonly status: boolean;
  readonly scale: ScalePaths | undefined;
  /** Further subresources, such as `eviction`. */
  readonly subresources: readonly string[];
  readonly fields: FieldReader;
  readonly columns: readonly Column[];
  readonly rules: Rules;
  /** The schema that a CRD gives this version; built-in kinds have none. */
  readonly openapi: JsonObject | undefined;
  /** For server-side apply and strategic merge. */
  readonly schema: TypeSchema;
  /** From the stored form to this version, and back; the same object where nothing changes. */
  readonly fromStorage: (object: KubeObject) => KubeObject;
  readonly toStorage: (object: KubeObject) => KubeObject;
  /** Asks a webhook between versions; then `fromStorage` and `toStorage` may throw Unanswered. */
  readonly converter?: {
    /** Asks about a stored object, whatever is known of it. */
    readonly refresh: (object: KubeObject, outside: Outside) => Promise<void>;
  };
  /** The warning that every request for this version gets. */
  readonly deprecation: string | undefined;
  /** Says why nothing may be created just now; undefined: it may. */
  readonly refusesCreate: string | undefined;
}

/** `plural.group`, or the plural alone in the core group. */
export function tableName(group: string, plural: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** `group/version`, or the version alone in the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
