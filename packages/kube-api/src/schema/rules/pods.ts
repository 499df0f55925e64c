// Pods and pod templates.
import { equalJson, isObject, without } from '../../json.ts';
import type { Json, JsonObject, KubeObject } from '../../json.ts';
import { labelName, subdomainName } from '../../server/names.ts';
import { checkContainers } from './containers.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkScheduling } from './scheduling.ts';
import { checkLabels } from './selectors.ts';
import { ipAddress } from './texts.ts';
import { checkVolumes } from './volumes.ts';

const MAX = 2_147_483_647;

/** A pod spec at `path`. */
export function checkPodSpec(spec: JsonObject, path: string, faults: Faults): void {
  const volumes = checkVolumes(spec, path, faults);
  checkContainers(spec, path, { volumes, hostNetwork: spec['hostNetwork'] === true }, faults);
  faults.oneOf(`${path}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']);
  faults.oneOf(`${path}.dnsPolicy`, spec['dnsPolicy'], ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']);
  checkLabels(`${path}.nodeSelector`, objectAt(spec, 'nodeSelector'), faults);
  const user = objectAt(spec, 'securityContext')['runAsUser'];
  if (typeof user === 'number' && (user < 0 || user > MAX)) {
    faults.invalid(`${path}.securityContext.runAsUser`, user, `must be between 0 and ${MAX}, inclusive`);
  }
  checkScheduling(spec, path, faults);
  for (const [key, rule] of [
    ['serviceAccountName', subdomainName],
    ['nodeName', subdomainName],
    ['priorityClassName', subdomainName],
    ['hostname', labelName],
    ['subdomain', labelName],
  ] as const) {
    const text = textAt(spec, key);
    if (text !== '') faults.text(`${path}.${key}`, text, rule);
  }
  const deadline = spec['activeDeadlineSeconds'];
  if (typeof deadline === 'number' && (deadline < 1 || deadline > MAX)) {
    faults.invalid(`${path}.activeDeadlineSeconds`, deadline, `must be between 1 and ${MAX}, inclusive`);
  }
  for (const [alias, place] of entriesAt(spec, 'hostAliases', path)) {
    faults.text(`${place}.ip`, textAt(alias, 'ip'), ipAddress);
    for (const [index, name] of listAt(alias, 'hostnames').entries()) {
      if (typeof name === 'string') faults.text(`${place}.hostnames[${index}]`, name, subdomainName);
    }
  }
}

const CHANGEABLE = ['activeDeadlineSeconds', 'terminationGracePeriodSeconds', 'tolerations', 'schedulingGates'];
const FIXED =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** An update of a pod: little of its spec may change. A pod without a node may be given one. */
export function checkPodUpdate(before: KubeObject, after: KubeObject, faults: Faults): void {
  const [old, next] = [objectAt(before, 'spec'), objectAt(after, 'spec')];
  const kept = listAt(next, 'tolerations').map(timeless);
  if (
    listAt(old, 'tolerations')
      .map(timeless)
      .some((one) => !kept.some((other) => equalJson(one, other)))
  ) {
    faults.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
  }
  const placed = old['nodeName'] === undefined ? without(fixedPart(next), 'nodeName') : fixedPart(next);
  if (!equalJson(placed, fixedPart(old))) faults.forbidden('spec', FIXED);
}

function timeless(toleration: Json): Json {
  return isObject(toleration) ? without(toleration, 'tolerationSeconds') : toleration;
}

function fixedPart(spec: JsonObject): JsonObject {
  let fixed = spec;
  for (const field of CHANGEABLE) fixed = without(fixed, field);
  const imageless = (key: string): readonly Json[] =>
    listAt(spec, key).map((one) => (isObject(one) ? without(one, 'image') : one));
  return { ...fixed, containers: imageless('containers'), initContainers: imageless('initContainers') };
}
