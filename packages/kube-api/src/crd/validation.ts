// What a CustomResourceDefinition must satisfy, on creation and on update.
import { conversionCauses } from '../admission/conversion-causes.ts';
import { invalidValue, notSupported, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { at, equalJson, isObject, type JsonObject, type KubeObject, objectsOf, textsOf } from '../json.ts';
import { text } from '../kinds/columns/cells.ts';
import { isLabel1035, isSubdomain } from '../server/names.ts';
import { isEstablished } from './conditions.ts';
import { versionsCauses } from './version-validation.ts';

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
  causes.push(...conversionCauses(spec['conversion']));
  causes.push(...versionsCauses(objectsOf(spec['versions'])));
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
    for (const [index, value] of textsOf(names[list]).entries()) {
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
  const versions = objectsOf(at(crd, 'spec', 'versions'));
  const names = versions.map((version) => text(version['name'], ''));
  const stored = at(crd, 'status', 'storedVersions');
  const list = textsOf(stored);
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
