// What the versions of a CustomResourceDefinition must satisfy: names, schemas, subresources, columns.
import { invalidValue, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { at, equalJson, isObject, type Json, type JsonObject, objectsOf } from '../json.ts';
import { text } from '../kinds/columns/cells.ts';
import { ruleFaults } from '../schema/cel/rule-faults.ts';
import { structuralFaults } from '../schema/index.ts';
import { isLabel1035 } from '../server/names.ts';
import { compileJsonPath } from './json-path.ts';

/** The causes of `spec.versions`. */
export function versionsCauses(versions: readonly JsonObject[]): readonly Cause[] {
  const causes: Cause[] = [];
  const names = versions.map((version) => text(version['name'], ''));
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    causes.push(invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version'));
  }
  if (new Set(names).size !== names.length) {
    causes.push(invalidValue('spec.versions', versions, 'must contain unique version names'));
  }
  for (const [index, name] of names.entries()) {
    if (isLabel1035(name)) continue;
    causes.push(invalidValue(`spec.versions[${index}].name`, name, 'must be a DNS label that starts with a letter'));
  }
  causes.push(
    ...schemasCauses(versions),
    ...common(versions, 'subresources', 'spec.subresources', scaleCauses),
    ...common(versions, 'additionalPrinterColumns', 'spec.additionalPrinterColumns', columnsCauses),
  );
  return causes;
}

/** Causes of a member of each version. What all versions have alike is checked once, and named as if it stood in the spec. */
function common(
  versions: readonly JsonObject[],
  member: string,
  path: string,
  check: (value: Json | undefined, path: string) => readonly Cause[],
): readonly Cause[] {
  const [first, ...others] = versions.map((version) => version[member]);
  if (others.every((other) => equalJson(other, first))) return check(first, path);
  return versions.flatMap((version, index) => check(version[member], `spec.versions[${index}].${member}`));
}

function schemasCauses(versions: readonly JsonObject[]): readonly Cause[] {
  const missing = versions.flatMap((version, index) =>
    isObject(at(version, 'schema', 'openAPIV3Schema'))
      ? []
      : [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')],
  );
  return missing.length > 0 ? missing : common(versions, 'schema', 'spec.validation', schemaCauses);
}

function schemaCauses(value: Json | undefined, path: string): readonly Cause[] {
  const schema = at(value, 'openAPIV3Schema');
  if (!isObject(schema)) return [];
  const place = `${path}.openAPIV3Schema`;
  return [...structuralFaults(schema, place), ...ruleFaults(schema, place)];
}

function scaleCauses(subresources: Json | undefined, path: string): readonly Cause[] {
  const scale = at(subresources, 'scale');
  if (!isObject(scale)) return [];
  const causes: Cause[] = [];
  for (const [field, root] of [
    ['specReplicasPath', '.spec'],
    ['statusReplicasPath', '.status'],
  ] as const) {
    const value = text(scale[field], '');
    const place = `${path}.scale.${field}`;
    if (value === '') causes.push(required(place));
    else if (!value.startsWith(`${root}.`))
      causes.push(invalidValue(place, value, `should be a json path under ${root}`));
  }
  return causes;
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_TYPE_RULE = `must be one of ${COLUMN_TYPES.join(',')}`;

function columnsCauses(columns: Json | undefined, path: string): readonly Cause[] {
  const causes: Cause[] = [];
  for (const [index, column] of objectsOf(columns).entries()) {
    const place = `${path}[${index}]`;
    const type = text(column['type'], '');
    const jsonPath = text(column['jsonPath'], '');
    if (text(column['name'], '') === '') causes.push(required(`${place}.name`));
    if (type === '') causes.push(required(`${place}.type`, COLUMN_TYPE_RULE));
    else if (!COLUMN_TYPES.includes(type)) causes.push(invalidValue(`${place}.type`, type, COLUMN_TYPE_RULE));
    if (jsonPath === '') causes.push(required(`${place}.jsonPath`));
    else if (compileJsonPath(jsonPath) === undefined) {
      causes.push(invalidValue(`${place}.jsonPath`, jsonPath, 'is not a path that columns can use'));
    }
  }
  return causes;
}
