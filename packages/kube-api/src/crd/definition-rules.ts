// CustomResourceDefinition as a kind: defaults of its names, versions that were ever stored, cleanup on deletion.
import { at, isObject, type JsonObject, type KubeObject, objectsOf, textsOf } from '../json.ts';
import type { Rules } from '../kinds/resource-type.ts';
import { text } from '../kinds/columns/cells.ts';
import { condition, withCondition } from './conditions.ts';
import { CLEANUP_FINALIZER } from './definition.ts';
import { definitionCauses, storedVersionCauses } from './validation.ts';

export const definitionRules: Partial<Rules> = {
  generation: true,
  unconditionalUpdate: false,
  deletionFinalizers: [CLEANUP_FINALIZER],
  prepareCreate: (crd) => {
    const storage = storageVersion(crd);
    const status = {
      conditions: [],
      acceptedNames: { kind: '', plural: '' },
      storedVersions: storage === '' ? [] : [storage],
    };
    return { ...withNames(crd), status };
  },
  prepareUpdate: (next) => {
    const status = isObject(next['status']) ? next['status'] : {};
    const stored = textsOf(status['storedVersions']);
    const storage = storageVersion(next);
    const named = withNames(next);
    return storage === '' || stored.includes(storage)
      ? named
      : { ...named, status: { ...status, storedVersions: [...stored, storage] } };
  },
  validate: definitionCauses,
  validateStatus: storedVersionCauses,
  onTerminating: (crd, now) => {
    const status = isObject(crd['status']) ? crd['status'] : {};
    const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
    const mark = condition('Terminating', 'True', 'InstanceDeletionPending', message, now);
    return { ...crd, status: { ...status, conditions: withCondition(objectsOf(status['conditions']), mark) } };
  },
};

function storageVersion(crd: KubeObject): string {
  const versions = objectsOf(at(crd, 'spec', 'versions'));
  return text(versions.find((version) => version['storage'] === true)?.['name'], '');
}

/** The names that follow from the kind if they are not given, and the default conversion. */
function withNames(crd: KubeObject): KubeObject {
  const spec = isObject(crd['spec']) ? crd['spec'] : undefined;
  const names = spec?.['names'];
  if (spec === undefined || !isObject(names)) return crd;
  const kind = text(names['kind'], '');
  const filled: JsonObject = {
    ...names,
    singular: text(names['singular'], '') || kind.toLowerCase(),
    listKind: text(names['listKind'], '') || `${kind}List`,
  };
  return { ...crd, spec: { ...spec, names: filled, conversion: spec['conversion'] ?? { strategy: 'None' } } };
}
