// The resources that a CustomResourceDefinition serves, one for each served version.
import { Converter } from '../admission/conversion.ts';
import { freezeJson, type KubeObject } from '../json.ts';
import { CUSTOM_VERBS } from '../kinds/declaration.ts';
import { apiVersionOf, tableName, type ResourceType, type Rules, type ScalePaths } from '../kinds/resource-type.ts';
import { prune } from '../schema/index.ts';
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
    verbs: CUSTOM_VERBS,
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
    ...(converter === undefined
      ? renaming(apiVersion, storedAs, rules)
      : converting(converter, definition, version, storedAs)),
    deprecation: version.deprecated
      ? (version.deprecationWarning ?? `${apiVersion} ${names.kind} is deprecated`)
      : undefined,
    refusesCreate: terminating ? 'create not allowed while custom resource definition is terminating' : undefined,
  };
}

/** Stored objects as this version shows them: its apiVersion, its fields, its defaults. Each is made once. */
function reader(apiVersion: string, { decode }: Rules): (object: KubeObject) => KubeObject {
  return memo((object) =>
    freezeJson(decode(object.apiVersion === apiVersion ? object : { ...object, apiVersion }).object),
  );
}

function memo(make: (object: KubeObject) => KubeObject): (object: KubeObject) => KubeObject {
  const made = new WeakMap<KubeObject, KubeObject>();
  return (object) => {
    let one = made.get(object);
    if (one === undefined) made.set(object, (one = make(object)));
    return one;
  };
}

/** How one version reads and writes objects with a webhook in between. */
type Conversion = Pick<ResourceType, 'fromStorage' | 'toStorage'> & Required<Pick<ResourceType, 'converter'>>;

/**
 * Stored objects get the defaults of the version that they are stored in; what the webhook makes of them is pruned and
 * gets no defaults more.
 */
function converting(
  converter: Converter,
  { group, versions }: Definition,
  version: CrdVersion,
  storedAs: string,
): Conversion {
  const apiVersion = apiVersionOf(group, version.name);
  const readers = new Map(
    versions.map((one) => {
      const name = apiVersionOf(group, one.name);
      return [name, reader(name, customRules(one, schemaOf(one)))] as const;
    }),
  );
  const stored = (object: KubeObject): KubeObject => readers.get(object.apiVersion)?.(object) ?? object;
  const pruned = memo((object) =>
    version.schema === undefined ? object : freezeJson(prune(version.schema, object).value as KubeObject),
  );
  return {
    converter: { refresh: (object, outside) => converter.refresh(stored(object), apiVersion, outside) },
    fromStorage: (object) => {
      const own = stored(object);
      return own.apiVersion === apiVersion ? own : pruned(converter.convert(own, apiVersion));
    },
    toStorage: (object) => converter.convert(object, storedAs),
  };
}

/** The same without a webhook: versions differ in nothing but their name. */
function renaming(apiVersion: string, storedAs: string, rules: Rules): Omit<Conversion, 'converter'> {
  return {
    fromStorage: reader(apiVersion, rules),
    toStorage: (object) => (object.apiVersion === storedAs ? object : { ...object, apiVersion: storedAs }),
  };
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
