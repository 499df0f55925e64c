// What a pod and a pod template must satisfy: the rules that manifests break in practice, not all there are.
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, equalJson, isList, isObject, type Json, type JsonObject, type KubeObject, objectsOf, without } from '../../json.ts';
import { labelName } from '../../server/names.ts';

/** Causes of a pod spec at `path`. */
export function podSpecCauses(spec: Json | undefined, path: string): readonly Cause[] {
  if (!isObject(spec)) return [required(`${path}.containers`)];
  const causes: Cause[] = [];
  const names = new Set<string>();
  const volumes = volumeCauses(spec, path, causes);
  const containers = objectsOf(spec['containers']);
  if (containers.length === 0) causes.push(required(`${path}.containers`));
  for (const list of ['initContainers', 'containers']) {
    for (const [index, container] of objectsOf(spec[list]).entries()) {
      causes.push(...containerCauses(container, `${path}.${list}[${index}]`, names, volumes));
    }
  }
  const { restartPolicy } = spec;
  if (
    restartPolicy !== undefined &&
    restartPolicy !== 'Always' &&
    restartPolicy !== 'OnFailure' &&
    restartPolicy !== 'Never'
  ) {
    causes.push(notSupported(`${path}.restartPolicy`, restartPolicy, ['Always', 'OnFailure', 'Never']));
  }
  return causes;
}

function volumeCauses(spec: JsonObject, path: string, causes: Cause[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, volume] of objectsOf(spec['volumes']).entries()) {
    const field = `${path}.volumes[${index}].name`;
    const { name } = volume;
    if (typeof name !== 'string' || name === '') {
      causes.push(required(field));
      continue;
    }
    for (const fault of labelName(name)) causes.push(invalidValue(field, name, fault));
    if (names.has(name)) causes.push(duplicate(field, name));
    names.add(name);
  }
  return names;
}

function containerCauses(
  container: JsonObject,
  path: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
): readonly Cause[] {
  const causes: Cause[] = [];
  const { name, image } = container;
  if (typeof name !== 'string' || name === '') causes.push(required(`${path}.name`));
  else {
    for (const fault of labelName(name)) causes.push(invalidValue(`${path}.name`, name, fault));
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name));
    names.add(name);
  }
  if (typeof image !== 'string' || image === '') causes.push(required(`${path}.image`));
  for (const [index, port] of objectsOf(container['ports']).entries()) {
    const number = port['containerPort'];
    if (typeof number !== 'number') causes.push(required(`${path}.ports[${index}].containerPort`));
    else if (number < 1 || number > 65_535) {
      causes.push(
        invalidValue(`${path}.ports[${index}].containerPort`, number, 'must be between 1 and 65535, inclusive'),
      );
    }
  }
  for (const [index, entry] of objectsOf(container['env']).entries()) {
    if ((entry['name'] ?? '') === '') causes.push(required(`${path}.env[${index}].name`));
    if (entry['value'] !== undefined && entry['value'] !== '' && entry['valueFrom'] !== undefined) {
      causes.push(
        invalidValue(`${path}.env[${index}].valueFrom`, '', 'may not be specified when `value` is not empty'),
      );
    }
  }
  for (const [index, mount] of objectsOf(container['volumeMounts']).entries()) {
    const field = `${path}.volumeMounts[${index}]`;
    if (typeof mount['mountPath'] !== 'string' || mount['mountPath'] === '')
      causes.push(required(`${field}.mountPath`));
    const volume = mount['name'];
    if (typeof volume !== 'string' || volume === '') causes.push(required(`${field}.name`));
    else if (!volumes.has(volume))
      causes.push({
        reason: 'FieldValueNotFound',
        message: `Not found: ${JSON.stringify(volume)}`,
        field: `${field}.name`,
      });
  }
  return causes;
}

const MUTABLE = ['activeDeadlineSeconds', 'terminationGracePeriodSeconds', 'tolerations', 'schedulingGates'];

/** Causes of an update of a pod: little of its spec may change. */
export function podUpdateCauses(next: KubeObject, old: KubeObject): readonly Cause[] {
  const causes: Cause[] = [];
  const added = removedTolerations(at(old, 'spec', 'tolerations'), at(next, 'spec', 'tolerations'));
  if (added)
    causes.push(
      forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    );
  // A pod without a node may be given one: the stand-in for the scheduler does not use bindings.
  const placed = at(old, 'spec', 'nodeName') === undefined ? without(comparable(next), 'nodeName') : comparable(next);
  if (equalJson(placed, comparable(old))) return causes;
  const why =
    'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
    '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
    '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
  causes.push(forbiddenField('spec', why));
  return causes;
}

function removedTolerations(old: Json | undefined, next: Json | undefined): boolean {
  const seconds = (list: Json | undefined): readonly JsonObject[] =>
    objectsOf(list).map((one) => without(one, 'tolerationSeconds'));
  const kept = seconds(next);
  return seconds(old).some((one) => !kept.some((other) => equalJson(one, other)));
}

function comparable(object: KubeObject): JsonObject {
  let spec = isObject(object['spec']) ? object['spec'] : {};
  for (const field of MUTABLE) spec = without(spec, field);
  const imageless = (list: Json | undefined): Json | undefined =>
    isList(list) ? list.map((one) => (isObject(one) ? without(one, 'image') : one)) : list;
  return { ...spec, containers: imageless(spec['containers']), initContainers: imageless(spec['initContainers']) };
}
