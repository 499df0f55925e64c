// Table columns of policies, roles, leases and the rest.
import { at, type Json, type KubeObject, objectsOf } from '../../json.ts';
import type { Column } from '../resource-type.ts';
import { ageColumn, column, createdAtColumn, nameColumn, number, selectorText, text, wide } from './cells.ts';

export const budgetColumns: readonly Column[] = [
  nameColumn,
  column('Min Available', 'string', (object) => text(at(object, 'spec', 'minAvailable'), 'N/A')),
  column('Max Unavailable', 'string', (object) => text(at(object, 'spec', 'maxUnavailable'), 'N/A')),
  column('Allowed Disruptions', 'string', (object) => String(number(at(object, 'status', 'disruptionsAllowed')))),
  ageColumn,
];

export const leaseColumns: readonly Column[] = [
  nameColumn,
  column('Holder', 'string', (object) => text(at(object, 'spec', 'holderIdentity'), '')),
  ageColumn,
];

export const webhookColumns: readonly Column[] = [
  nameColumn,
  column('Webhooks', 'integer', (object) => objectsOf(object['webhooks']).length),
  ageColumn,
];

export const createdColumns: readonly Column[] = [nameColumn, createdAtColumn];

export const bindingColumns: readonly Column[] = [
  nameColumn,
  column(
    'Role',
    'string',
    (object) => `${text(at(object, 'roleRef', 'kind'), '')}/${text(at(object, 'roleRef', 'name'), '')}`,
  ),
  ageColumn,
  wide('Users', 'string', (object) => subjects(object, 'User')),
  wide('Groups', 'string', (object) => subjects(object, 'Group')),
  wide('ServiceAccounts', 'string', (object) => subjects(object, 'ServiceAccount')),
];

function subjects(object: KubeObject, kind: string): string {
  return objectsOf(object['subjects'])
    .filter((one) => one['kind'] === kind)
    .map((one) =>
      kind === 'ServiceAccount' ? `${text(one['namespace'], '')}/${text(one['name'], '')}` : text(one['name'], ''),
    )
    .join(', ');
}

export const ingressColumns: readonly Column[] = [
  nameColumn,
  column('Class', 'string', (object) => text(at(object, 'spec', 'ingressClassName'))),
  column('Hosts', 'string', (object) => {
    const hosts = objectsOf(at(object, 'spec', 'rules')).map((rule) => text(rule['host'], '*'));
    return hosts.length === 0 ? '*' : hosts.join(',');
  }),
  column('Address', 'string', (object) =>
    objectsOf(at(object, 'status', 'loadBalancer', 'ingress'))
      .map((one) => text(one['ip'], text(one['hostname'], '')))
      .join(','),
  ),
  column('Ports', 'string', (object) => (objectsOf(at(object, 'spec', 'tls')).length === 0 ? '80' : '80, 443')),
  ageColumn,
];

export const networkPolicyColumns: readonly Column[] = [
  nameColumn,
  column('Pod-Selector', 'string', (object) => selectorText(at(object, 'spec', 'podSelector'))),
  ageColumn,
];

export const storageClassColumns: readonly Column[] = [
  {
    ...nameColumn,
    cell: (object: KubeObject): Json => {
      const isDefault = object.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
      return `${object.metadata.name ?? ''}${isDefault ? ' (default)' : ''}`;
    },
  },
  column('Provisioner', 'string', (object) => text(object['provisioner'], '')),
  column('ReclaimPolicy', 'string', (object) => text(object['reclaimPolicy'], 'Delete')),
  column('VolumeBindingMode', 'string', (object) => text(object['volumeBindingMode'], '<unset>')),
  column('AllowVolumeExpansion', 'string', (object) => String(object['allowVolumeExpansion'] === true)),
  ageColumn,
];

export const revisionColumns: readonly Column[] = [
  nameColumn,
  column('Controller', 'string', (object) => {
    const owner = object.metadata.ownerReferences?.find((one) => one.controller === true);
    return owner === undefined ? '<none>' : `${owner.kind.toLowerCase()}.apps/${owner.name}`;
  }),
  column('Revision', 'string', (object) => String(number(object['revision']))),
  ageColumn,
];
