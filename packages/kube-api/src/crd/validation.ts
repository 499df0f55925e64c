// What a CustomResourceDefinition must satisfy, on creation and on update.
import { invalidValue, notSupported, required } from '../causes.ts';
import { notImplemented, type Cause } from '../errors.ts';
import { at, equalJson, isList, isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
import { objects, text, texts } from '../kinds/columns/cells.ts';
import { structuralFaults } from '../schema/index.ts';
import { isLabel1035, isSubdomain } from '../server/names.ts';
import { isEstablished } from './conditions.ts';
import { ruleChecker } from './rule-checker.ts';
import { compileJsonPath } from './json-path.ts';

/** The causes of a CRD; `old` is the stored one on update. */
export function definitionCauses(crd: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  const spec = isObject(crd['spec']) ? crd['spec'] : {};
  const names = isObject(spec['names']) ? spec['names'] : {};
  const causes: Cause[] = [];
  const wanted = `${text(names['plural'], '')}.${text(spec['group'], '')}`;
  if (crd.metadata.name !== wanted) {
    causes.push(invalidValue('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  causes.push(...groupCauses(crd, text(spec['group'], '')), ...nameCauses(names));
  const { scope } = spec;
  if ((scope ?? '') === '') causes.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced')
    causes.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  if (spec['preserveUnknownFields'] === true) {
    causes.push(invalidValue('spec.preserveUnknownFields', true, 'must be false'));
  }
  if (at(spec, 'conversion', 'strategy') === 'Webhook')
    throw notImplemented('conversion by webhook (spec.conversion.strategy)');
  causes.push(...versionsCauses(objects(spec['versions'])));
  if (old !== undefined) causes.push(...changeCauses(spec, old), ...storedVersionCauses(crd, old));
  return causes;
}

function groupCauses(crd: KubeObject, group: string): readonly Cause[] {
  if (group === '') return [required('spec.group')];
  if (!isSubdomain(group)) return [invalidValue('spec.group', group, 'must be a DNS subdomain in lower case')];
  if (!group.includes('.')) return [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || (crd.metadata.annotations?.['api-approved.kubernetes.io'] ?? '') !== '') return [];
  const why = 'protected groups must have approval annotation "api-approved.kubernetes.io"';
  return [required('metadata.annotations[api-approved.kubernetes.io]', why)];
}

function nameCauses(names: JsonObject): readonly Cause[] {
  const causes: Cause[] = [];
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    const value = text(names[field], '');
    if (value === '') causes.push(required(`spec.names.${field}`));
    else if (
      !isLabel1035(value.toLowerCase()) ||
      ((field === 'plural' || field === 'singular') && value !== value.toLowerCase())
    ) {
      causes.push(
        invalidValue(
          `spec.names.${field}`,
          value,
          "must consist of alphanumeric characters or '-' and start with a letter",
        ),
      );
    }
  }
  for (const list of ['shortNames', 'categories']) {
    for (const [index, value] of texts(names[list]).entries()) {
      if (!isLabel1035(value))
        causes.push(invalidValue(`spec.names.${list}[${index}]`, value, 'must be a DNS label in lower case'));
    }
  }
  const { kind, listKind } = names;
  if (kind !== undefined && kind === listKind) {
    causes.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'));
  }
  return causes;
}

function versionsCauses(versions: readonly JsonObject[]): readonly Cause[] {
  const causes: Cause[] = [];
  const names = versions.map((version) => text(version['name'], ''));
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    causes.push(invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version'));
  }
  if (new Set(names).size !== names.length)
    causes.push(invalidValue('spec.versions', versions, 'must contain unique version names'));
  for (const [index, version] of versions.entries()) causes.push(...versionCauses(version, `spec.versions[${index}]`));
  return causes;
}

function versionCauses(version: JsonObject, path: string): readonly Cause[] {
  const causes: Cause[] = [];
  const name = text(version['name'], '');
  if (!isLabel1035(name))
    causes.push(invalidValue(`${path}.name`, name, 'must be a DNS label that starts with a letter'));
  const schema = at(version, 'schema', 'openAPIV3Schema');
  const schemaPath = `${path}.schema.openAPIV3Schema`;
  if (!isObject(schema)) causes.push(required(schemaPath, 'schemas are required'));
  else {
    if (ruleChecker === undefined && mentionsRules(schema))
      throw notImplemented(`x-kubernetes-validations (${schemaPath})`);
    causes.push(...structuralFaults(schema, schemaPath));
  }
  const scale = at(version, 'subresources', 'scale');
  if (isObject(scale)) {
    for (const field of ['specReplicasPath', 'statusReplicasPath']) {
      const value = text(scale[field], '');
      const root = field === 'specReplicasPath' ? '.spec.' : '.status.';
      if (value === '') causes.push(required(`${path}.subresources.scale.${field}`));
      else if (!value.startsWith(root)) {
        causes.push(
          invalidValue(
            `${path}.subresources.scale.${field}`,
            value,
            `should be a json path under ${root.slice(0, -1)}`,
          ),
        );
      }
    }
  }
  for (const [index, column] of objects(version['additionalPrinterColumns']).entries()) {
    causes.push(...columnCauses(column, `${path}.additionalPrinterColumns[${index}]`));
  }
  return causes;
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

function columnCauses(column: JsonObject, path: string): readonly Cause[] {
  const causes: Cause[] = [];
  const type = text(column['type'], '');
  const jsonPath = text(column['jsonPath'], '');
  if (text(column['name'], '') === '') causes.push(required(`${path}.name`));
  if (type === '') causes.push(required(`${path}.type`, `must be one of ${COLUMN_TYPES.join(',')}`));
  else if (!COLUMN_TYPES.includes(type))
    causes.push(invalidValue(`${path}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`));
  if (jsonPath === '') causes.push(required(`${path}.jsonPath`));
  else if (compileJsonPath(jsonPath) === undefined)
    causes.push(invalidValue(`${path}.jsonPath`, jsonPath, 'is not a path that columns can use'));
  return causes;
}

/** What may not change once the kinds are served. */
function changeCauses(spec: JsonObject, old: KubeObject): readonly Cause[] {
  const causes: Cause[] = [];
  for (const field of ['group', 'scope']) {
    if (!equalJson(spec[field], at(old, 'spec', field)))
      causes.push(invalidValue(`spec.${field}`, spec[field], 'field is immutable'));
  }
  if (!isEstablished(old)) return causes;
  for (const field of ['plural', 'kind']) {
    const value = at(spec, 'names', field);
    if (!equalJson(value, at(old, 'spec', 'names', field)))
      causes.push(invalidValue(`spec.names.${field}`, value, 'field is immutable'));
  }
  return causes;
}

/** Versions in which objects may be stored must stay in the spec, and the storage version among them. */
export function storedVersionCauses(crd: KubeObject, _old: KubeObject): readonly Cause[] {
  const versions = objects(at(crd, 'spec', 'versions'));
  const names = versions.map((version) => text(version['name'], ''));
  const stored = at(crd, 'status', 'storedVersions');
  const list = texts(stored);
  const storage = versions.find((version) => version['storage'] === true);
  const causes: Cause[] = [];
  if (list.length === 0)
    causes.push(invalidValue('status.storedVersions', stored ?? [], 'must have at least one stored version'));
  for (const [index, name] of list.entries()) {
    if (!names.includes(name))
      causes.push(invalidValue(`status.storedVersions[${index}]`, name, 'must appear in spec.versions'));
  }
  const storageName = text(storage?.['name'], '');
  if (storageName !== '' && list.length > 0 && !list.includes(storageName)) {
    causes.push(invalidValue('status.storedVersions', list, `must have the storage version ${storageName}`));
  }
  return causes;
}

function mentionsRules(value: Json): boolean {
  if (isList(value)) return value.some(mentionsRules);
  if (!isObject(value)) return false;
  return (
    value['x-kubernetes-validations'] !== undefined ||
    Object.values(value).some((member) => member !== undefined && mentionsRules(member))
  );
}
