// Environment variables of containers and where they come from.
import { isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import { subdomainName } from '../../server/names.ts';
import { entriesAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { configKey, variableName } from './texts.ts';

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const FIELDS =
  /^(metadata\.(name|namespace|uid)|metadata\.(annotations|labels)\['.+'\]|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/;

/** `env` and `envFrom` of a container. */
export function checkEnvironment(container: JsonObject, path: string, faults: Faults): void {
  for (const [variable, place] of entriesAt(container, 'env', path)) {
    faults.name(`${place}.name`, textAt(variable, 'name'), variableName);
    const source = variable['valueFrom'];
    if (isObject(source)) checkSource(source, textAt(variable, 'value'), `${place}.valueFrom`, faults);
  }
  for (const [source, place] of entriesAt(container, 'envFrom', path)) {
    const kinds = ['configMapRef', 'secretRef'].filter((kind) => source[kind] !== undefined);
    for (const kind of kinds)
      faults.name(`${place}.${kind}.name`, textAt(objectAt(source, kind), 'name'), subdomainName);
    if (kinds.length === 0) faults.invalid(`${path}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (kinds.length > 1) faults.invalid(`${path}.envFrom`, '', 'may not have more than one field specified at a time');
  }
}

function checkSource(source: JsonObject, value: string, path: string, faults: Faults): void {
  const kinds = SOURCES.filter((kind) => source[kind] !== undefined);
  const field = source['fieldRef'];
  if (isObject(field)) checkField(field, `${path}.fieldRef`, faults);
  for (const kind of ['configMapKeyRef', 'secretKeyRef']) {
    const reference = source[kind];
    if (!isObject(reference)) continue;
    faults.text(`${path}.${kind}.name`, textAt(reference, 'name'), subdomainName);
    faults.name(`${path}.${kind}.key`, textAt(reference, 'key'), configKey);
  }
  if (kinds.length === 0) {
    faults.invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  } else if (value !== '') faults.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (kinds.length > 1) faults.invalid(path, '', 'may not have more than one field specified at a time');
}

function checkField(reference: JsonObject, path: string, faults: Faults): void {
  const fieldPath = textAt(reference, 'fieldPath');
  if (fieldPath === '') faults.required(`${path}.fieldPath`);
  else if (!FIELDS.test(fieldPath)) {
    faults.invalid(
      `${path}.fieldPath`,
      fieldPath,
      `error converting fieldPath: field label not supported: ${fieldPath}`,
    );
  }
}
