// Table columns of the core kinds that do not run anything.
import { at, isObject, type Json, type KubeObject, objectsOf, textsOf } from '../../json.ts';
import type { Column } from '../resource-type.ts';
import { ageColumn, column, nameColumn, number, pairs, since, text, wide } from './cells.ts';

const members = (value: Json | undefined): number => (isObject(value) ? Object.keys(value).length : 0);

export const namespaceColumns: readonly Column[] = [
  nameColumn,
  column('Status', 'string', (object) => text(at(object, 'status', 'phase'), '')),
  ageColumn,
];

export const configMapColumns: readonly Column[] = [
  nameColumn,
  column('Data', 'string', (object) => String(members(object['data']) + members(object['binaryData']))),
  ageColumn,
];

export const secretColumns: readonly Column[] = [
  nameColumn,
  column('Type', 'string', (object) => text(object['type'], '')),
  column('Data', 'string', (object) => String(members(object['data']))),
  ageColumn,
];

export const serviceAccountColumns: readonly Column[] = [
  nameColumn,
  column('Secrets', 'string', (object) => String(objectsOf(object['secrets']).length)),
  ageColumn,
];

export const serviceColumns: readonly Column[] = [
  nameColumn,
  column('Type', 'string', (object) => text(at(object, 'spec', 'type'), '')),
  column('Cluster-IP', 'string', (object) => text(at(object, 'spec', 'clusterIP'))),
  column('External-IP', 'string', externalIp),
  column('Port(s)', 'string', (object) => servicePorts(object)),
  ageColumn,
  wide('Selector', 'string', (object) => pairs(at(object, 'spec', 'selector'))),
];

function externalIp(object: KubeObject): string {
  const external = textsOf(at(object, 'spec', 'externalIPs'));
  switch (text(at(object, 'spec', 'type'), '')) {
    case 'LoadBalancer': {
      const points = objectsOf(at(object, 'status', 'loadBalancer', 'ingress'));
      const found = [...points.map((point) => text(point['ip'], text(point['hostname'], ''))), ...external];
      return found.length === 0 ? '<pending>' : found.join(',');
    }
    case 'ExternalName':
      return text(at(object, 'spec', 'externalName'), '');
    default:
      return external.length === 0 ? '<none>' : external.join(',');
  }
}

function servicePorts(object: KubeObject): string {
  const ports = objectsOf(at(object, 'spec', 'ports')).map(({ port, nodePort, protocol }) => {
    const node = number(nodePort) > 0 ? `:${number(nodePort)}` : '';
    return `${number(port)}${node}/${text(protocol, 'TCP')}`;
  });
  return ports.length === 0 ? '<none>' : ports.join(',');
}

const ACCESS: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function accessModes(value: Json | undefined): string {
  return textsOf(value)
    .map((mode) => ACCESS[mode] ?? mode)
    .join(',');
}

export const claimColumns: readonly Column[] = [
  nameColumn,
  column('Status', 'string', (object) =>
    object.metadata.deletionTimestamp === undefined ? text(at(object, 'status', 'phase'), '') : 'Terminating',
  ),
  column('Volume', 'string', (object) => text(at(object, 'spec', 'volumeName'), '')),
  column('Capacity', 'string', (object) => text(at(object, 'status', 'capacity', 'storage'), '')),
  column('Access Modes', 'string', (object) => accessModes(at(object, 'status', 'accessModes'))),
  column('StorageClass', 'string', (object) => text(at(object, 'spec', 'storageClassName'), '')),
  column('VolumeAttributesClass', 'string', (object) =>
    text(at(object, 'spec', 'volumeAttributesClassName'), '<unset>'),
  ),
  ageColumn,
  wide('VolumeMode', 'string', (object) => text(at(object, 'spec', 'volumeMode'), '<unset>')),
];

export const volumeColumns: readonly Column[] = [
  nameColumn,
  column('Capacity', 'string', (object) => text(at(object, 'spec', 'capacity', 'storage'), '')),
  column('Access Modes', 'string', (object) => accessModes(at(object, 'spec', 'accessModes'))),
  column('Reclaim Policy', 'string', (object) => text(at(object, 'spec', 'persistentVolumeReclaimPolicy'), '')),
  column('Status', 'string', (object) =>
    object.metadata.deletionTimestamp === undefined ? text(at(object, 'status', 'phase'), '') : 'Terminating',
  ),
  column('Claim', 'string', (object) => {
    const claim = at(object, 'spec', 'claimRef');
    return isObject(claim) ? `${text(claim['namespace'], '')}/${text(claim['name'], '')}` : '';
  }),
  column('StorageClass', 'string', (object) => text(at(object, 'spec', 'storageClassName'), '')),
  column('VolumeAttributesClass', 'string', (object) =>
    text(at(object, 'spec', 'volumeAttributesClassName'), '<unset>'),
  ),
  column('Reason', 'string', (object) => text(at(object, 'status', 'reason'), '')),
  ageColumn,
  wide('VolumeMode', 'string', (object) => text(at(object, 'spec', 'volumeMode'), '<unset>')),
];

export const nodeColumns: readonly Column[] = [
  nameColumn,
  column('Status', 'string', nodeStatus),
  column('Roles', 'string', nodeRoles),
  ageColumn,
  column('Version', 'string', (object) => text(at(object, 'status', 'nodeInfo', 'kubeletVersion'), '')),
  wide('Internal-IP', 'string', (object) => nodeAddress(object, 'InternalIP')),
  wide('External-IP', 'string', (object) => nodeAddress(object, 'ExternalIP')),
  wide('OS-Image', 'string', (object) => text(at(object, 'status', 'nodeInfo', 'osImage'), '<unknown>')),
  wide('Kernel-Version', 'string', (object) => text(at(object, 'status', 'nodeInfo', 'kernelVersion'), '<unknown>')),
  wide('Container-Runtime', 'string', (object) =>
    text(at(object, 'status', 'nodeInfo', 'containerRuntimeVersion'), '<unknown>'),
  ),
];

function nodeStatus(object: KubeObject): string {
  const ready = objectsOf(at(object, 'status', 'conditions')).find((one) => one['type'] === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return at(object, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles(object: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(object.metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length));
  return roles.length === 0 ? '<none>' : roles.sort().join(',');
}

function nodeAddress(object: KubeObject, type: string): string {
  return text(objectsOf(at(object, 'status', 'addresses')).find((one) => one['type'] === type)?.['address']);
}

export const endpointsColumns: readonly Column[] = [
  nameColumn,
  column('Endpoints', 'string', (object) => {
    const all = objectsOf(object['subsets']).flatMap((subset) =>
      objectsOf(subset['ports']).flatMap((port) =>
        objectsOf(subset['addresses']).map((address) => `${text(address['ip'], '')}:${number(port['port'])}`),
      ),
    );
    const more = all.length > 3 ? ` + ${all.length - 3} more...` : '';
    return all.length === 0 ? '<none>' : all.slice(0, 3).join(',') + more;
  }),
  ageColumn,
];

export const eventColumns: readonly Column[] = [
  column('Last Seen', 'string', (object, now) => since(lastSeen(object), now)),
  column('Type', 'string', (object) => text(object['type'], '')),
  column('Reason', 'string', (object) => text(object['reason'], '')),
  column('Object', 'string', (object) => {
    const subject = object['involvedObject'] ?? object['regarding'];
    return `${text(at(subject, 'kind'), '').toLowerCase()}/${text(at(subject, 'name'), '')}`;
  }),
  wide('Subobject', 'string', (object) => text(at(object, 'involvedObject', 'fieldPath'), '')),
  wide('Source', 'string', (object) => {
    const parts = [at(object, 'source', 'component') ?? object['reportingComponent'], at(object, 'source', 'host')];
    return parts
      .map((part) => text(part, ''))
      .filter((part) => part !== '')
      .join(', ');
  }),
  column('Message', 'string', (object) => text(object['message'] ?? object['note'], '').trim()),
  wide('First Seen', 'string', (object, now) => since(object['firstTimestamp'] ?? object['eventTime'], now)),
  wide('Count', 'string', (object) => String(Math.max(1, number(object['count'])))),
  wide('Name', 'string', (object) => object.metadata.name ?? ''),
];

function lastSeen(object: KubeObject): Json | undefined {
  return (
    at(object, 'series', 'lastObservedTime') ??
    object['lastTimestamp'] ??
    object['eventTime'] ??
    object.metadata.creationTimestamp
  );
}
