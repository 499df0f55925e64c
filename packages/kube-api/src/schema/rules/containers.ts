// Containers of pods.
import { isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import { labelName } from '../../server/names.ts';
import { checkEnvironment } from './environment.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkLifecycle, checkProbe } from './probes.ts';
import { checkResources } from './resources.ts';
import { portName } from './texts.ts';

/** What the containers of a pod have in common. */
export interface PodContext {
  readonly volumes: ReadonlySet<string>;
  readonly hostNetwork: boolean;
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** All containers of a pod spec. */
export function checkContainers(spec: JsonObject, path: string, context: PodContext, faults: Faults): void {
  const names = new Set<string>();
  if (listAt(spec, 'containers').length === 0) faults.required(`${path}.containers`);
  for (const [container, place] of entriesAt(spec, 'containers', path)) {
    checkContainer(container, place, names, context, faults);
    for (const probe of PROBES) checkProbe(container[probe], `${place}.${probe}`, probe !== 'readinessProbe', faults);
    checkLifecycle(container, place, faults);
  }
  for (const [container, place] of entriesAt(spec, 'initContainers', path)) {
    checkContainer(container, place, names, context, faults);
    if (container['restartPolicy'] === 'Always') continue;
    for (const key of ['lifecycle', ...PROBES]) {
      if (container[key] !== undefined)
        faults.forbidden(`${place}.${key}`, 'may not be set for init containers without restartPolicy=Always');
    }
  }
}

function checkContainer(
  container: JsonObject,
  path: string,
  names: Set<string>,
  context: PodContext,
  faults: Faults,
): void {
  const name = textAt(container, 'name');
  faults.name(`${path}.name`, name, labelName);
  if (name !== '' && names.has(name)) faults.duplicate(`${path}.name`, name);
  names.add(name);
  if (textAt(container, 'image') === '') faults.required(`${path}.image`);
  faults.oneOf(`${path}.terminationMessagePolicy`, container['terminationMessagePolicy'], MESSAGE_POLICIES);
  checkPorts(container, path, context.hostNetwork, faults);
  checkEnvironment(container, path, faults);
  checkMounts(container, path, context.volumes, faults);
  faults.oneOf(`${path}.imagePullPolicy`, container['imagePullPolicy'], PULL_POLICIES);
  checkResources(objectAt(container, 'resources'), `${path}.resources`, faults);
  const security = container['securityContext'];
  if (isObject(security)) checkSecurity(security, `${path}.securityContext`, faults);
}

function checkPorts(container: JsonObject, path: string, hostNetwork: boolean, faults: Faults): void {
  const names = new Set<string>();
  for (const [port, place] of entriesAt(container, 'ports', path)) {
    const name = textAt(port, 'name');
    const [number, host] = [port['containerPort'], port['hostPort']];
    if (name !== '') {
      faults.text(`${place}.name`, name, portName);
      if (names.has(name)) faults.duplicate(`${place}.name`, name);
      names.add(name);
    }
    if (number === undefined || number === 0) faults.required(`${place}.containerPort`);
    else faults.port(`${place}.containerPort`, number);
    if (host !== undefined && host !== 0) faults.port(`${place}.hostPort`, host);
    faults.oneOf(`${place}.protocol`, port['protocol'], PROTOCOLS);
    if (hostNetwork && host !== undefined && host !== number) {
      faults.invalid(`${place}.hostPort`, host, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

function checkMounts(container: JsonObject, path: string, volumes: ReadonlySet<string>, faults: Faults): void {
  const paths = new Set<string>();
  for (const [mount, place] of entriesAt(container, 'volumeMounts', path)) {
    const [name, mountPath] = [textAt(mount, 'name'), textAt(mount, 'mountPath')];
    if (name === '') faults.required(`${place}.name`);
    if (!volumes.has(name)) faults.notFound(`${place}.name`, name);
    if (mountPath === '') faults.required(`${place}.mountPath`);
    if (paths.has(mountPath)) faults.invalid(`${place}.mountPath`, mountPath, 'must be unique');
    paths.add(mountPath);
    const subPath = textAt(mount, 'subPath');
    if (subPath.startsWith('/')) faults.invalid(`${place}.subPath`, subPath, 'must be a relative path');
    if (subPath.split('/').includes('..')) faults.invalid(`${place}.subPath`, subPath, "must not contain '..'");
  }
}

function checkSecurity(security: JsonObject, path: string, faults: Faults): void {
  for (const key of ['runAsUser', 'runAsGroup']) {
    const id = security[key];
    if (typeof id === 'number' && (id < 0 || id > 2_147_483_647)) {
      faults.invalid(`${path}.${key}`, id, 'must be between 0 and 2147483647, inclusive');
    }
  }
  if (security['allowPrivilegeEscalation'] === false && security['privileged'] === true) {
    faults.invalid(path, security, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  }
}
