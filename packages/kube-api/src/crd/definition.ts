// A CustomResourceDefinition as the server reads it.
import type { ClientConfig } from '../admission/message.ts';
import { clientConfigOf } from '../admission/webhook.ts';
import { at, isObject, type Json, type JsonObject, type KubeObject, objectsOf, textOf, textsOf } from '../json.ts';

/** The table of CustomResourceDefinitions. */
export const CRD_TABLE = 'customresourcedefinitions.apiextensions.k8s.io';

/** Keeps a CRD that is being deleted until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** One entry of `spec.versions`. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly schema: JsonObject | undefined;
  readonly status: boolean;
  readonly scale: JsonObject | undefined;
  readonly printerColumns: readonly JsonObject[];
  readonly selectableFields: readonly string[];
}

/** Names as given in `spec.names`, or as accepted in `status.acceptedNames`. */
interface CrdNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: CrdNames;
  readonly versions: readonly CrdVersion[];
  /** The webhook that converts between versions; undefined: they differ in nothing but apiVersion. */
  readonly conversion: ClientConfig | undefined;
}

/** Reads a stored CRD; absent parts get the values that the server would default them to. */
export function definitionOf(crd: KubeObject): Definition {
  const spec = objectAt(crd, 'spec') ?? {};
  return {
    name: crd.metadata.name ?? '',
    group: textOf(spec['group']),
    namespaced: spec['scope'] === 'Namespaced',
    names: namesOf(objectAt(crd, 'spec', 'names') ?? {}),
    versions: objectsOf(spec['versions']).map(versionOf),
    conversion:
      at(spec, 'conversion', 'strategy') === 'Webhook'
        ? clientConfigOf(at(spec, 'conversion', 'webhook', 'clientConfig'))
        : undefined,
  };
}

function namesOf(names: JsonObject): CrdNames {
  const kind = textOf(names['kind']);
  return {
    plural: textOf(names['plural']),
    singular: textOf(names['singular']) || kind.toLowerCase(),
    kind,
    listKind: textOf(names['listKind']) || `${kind}List`,
    shortNames: textsOf(names['shortNames']),
    categories: textsOf(names['categories']),
  };
}

function versionOf(version: JsonObject): CrdVersion {
  return {
    name: textOf(version['name']),
    served: version['served'] === true,
    storage: version['storage'] === true,
    deprecated: version['deprecated'] === true,
    deprecationWarning: textOf(version['deprecationWarning']) || undefined,
    schema: objectAt(version, 'schema', 'openAPIV3Schema'),
    status: isObject(at(version, 'subresources', 'status')),
    scale: objectAt(version, 'subresources', 'scale'),
    printerColumns: objectsOf(version['additionalPrinterColumns']),
    selectableFields: objectsOf(version['selectableFields']).map((field) => textOf(field['jsonPath'])),
  };
}

function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isObject(found) ? found : undefined;
}
