// The resources that a CustomResourceDefinition serves, one for each served version.
import { Converter } from '../admission/conversion.ts';
import { freezeJson, type KubeObject } from '../json.ts';
import { ALL_VERBS } from '../kinds/declaration.ts';
import { apiVersionOf, tableName, type ResourceType, type Rules, type ScalePaths } from '../kinds/resource-type.ts';
import { fieldReader } from '../server/field-selector.ts';
import { customRules, schemaOf } from './custom-rules.ts';
import { definitionOf, type CrdVersion, type Definition } from './definition.ts';
import { printerColumns } from './printer-columns.ts';

const compiled = new WeakMap<KubeObject, readonly ResourceType[]>();

/** The resources of a CRD; the same values for the same stored CRD, also in forks. */
export function customTypes(crd: KubeObject): readonly ResourceType[] {
  let types = compiled.get(crd);
  if (types === undefined) {
    const definition = definitionOf(crd);
    const storage = definition.versions.find((version) => version.storage);
    const converter = definition.conversion === undefined ? undefined : new Converter(definition.conversion);
    types = definition.versions
      .filter((version) => version.served)
      .map((version) => customType(crd, definition, version, storage ?? version, converter));
    compiled.set(crd, types);
  }
  return types;
}

function customType(
  crd: KubeObject,
  definition: Definition,
  version: CrdVersion,
  storage: CrdVersion,
  converter: Converter | undefined,
): ResourceType {
  const { group, names } = definition;
  const apiVersion = apiVersionOf(group, version.name);
  const storedAs = apiVersionOf(group, storage.name);
  const schema = schemaOf(version);
  const rules = customRules(version, schema);
  const terminating = crd.metadata.deletionTimestamp !== undefined;
  return {
    group,
    version: version.name,
    apiVersion,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    shortNames: names.shortNames,
    categories: names.categories,
    namespaced: definition.namespaced,
    verbs: ALL_VERBS,
    table: tableName(group, names.plural),
    custom: true,
    status: version.status,
    scale: scalePaths(version),
    subresources: [],
    fields: fieldReader(version.selectableFields.map((path) => path.replace(/^\./, ''))),
    columns: printerColumns(version.printerColumns),
    rules,
    openapi: version.schema,
    schema: schema.type,
    ...(converter === undefined ? {} : { converter }),
    fromStorage: reader(apiVersion, rules, converter),
    toStorage: (object) => inVersion(object, storedAs, converter),
    deprecation: version.deprecated
      ? (version.deprecationWarning ?? `${apiVersion} ${names.kind} is deprecated`)
      : undefined,
    refusesCreate: terminating ? 'create not allowed while custom resource definition is terminating' : undefined,
  };
}

/** Stored objects as this version shows them: its apiVersion, its fields, its defaults. Each is made once. */
function reader(
  apiVersion: string,
  { decode }: Rules,
  converter: Converter | undefined,
): (object: KubeObject) => KubeObject {
  const made = new WeakMap<KubeObject, KubeObject>();
  return (object) => {
    let served = made.get(object);
    if (served === undefined) {
      served = freezeJson(decode(inVersion(object, apiVersion, converter)).object);
      made.set(object, served);
    }
    return served;
  };
}

/** Without a webhook, versions differ in nothing but their name. */
function inVersion(object: KubeObject, apiVersion: string, converter: Converter | undefined): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  return converter === undefined ? { ...object, apiVersion } : converter.convert(object, apiVersion);
}

function scalePaths({ scale }: CrdVersion): ScalePaths | undefined {
  if (scale === undefined) return undefined;
  const path = (key: string): readonly string[] | undefined => {
    const value = scale[key];
    return typeof value === 'string' && value !== '' ? value.replace(/^\./, '').split('.') : undefined;
  };
  return {
    spec: path('specReplicasPath') ?? [],
    status: path('statusReplicasPath') ?? [],
    selector: path('labelSelectorPath'),
  };
}
