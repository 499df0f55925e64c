// Roles and their bindings.
import { equalJson } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { subdomainName } from '../../server/names.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** A Role or ClusterRole. */
export function checkRole(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  for (const [rule, place] of entriesAt(after, 'rules', ''))
    checkRule(rule, place.slice(1), after.kind === 'Role', faults);
}

function checkRule(rule: JsonObject, path: string, namespaced: boolean, faults: Faults): void {
  if (listAt(rule, 'verbs').length === 0) faults.required(`${path}.verbs`, 'verbs must contain at least one value');
  const urls = listAt(rule, 'nonResourceURLs');
  if (urls.length > 0) {
    if (namespaced)
      faults.invalid(`${path}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs');
    if (['apiGroups', 'resources', 'resourceNames'].some((key) => listAt(rule, key).length > 0)) {
      faults.invalid(
        `${path}.nonResourceURLs`,
        urls,
        'rules cannot apply to both regular resources and non-resource URLs',
      );
    }
    return;
  }
  if (listAt(rule, 'apiGroups').length === 0)
    faults.required(`${path}.apiGroups`, 'resource rules must supply at least one api group');
  if (listAt(rule, 'resources').length === 0)
    faults.required(`${path}.resources`, 'resource rules must supply at least one resource');
}

/** A RoleBinding or ClusterRoleBinding. */
export function checkBinding(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const role = objectAt(after, 'roleRef');
  if (textAt(role, 'apiGroup') !== GROUP) faults.unsupported('roleRef.apiGroup', textAt(role, 'apiGroup'), [GROUP]);
  const kinds = after.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  faults.oneOf('roleRef.kind', textAt(role, 'kind'), kinds);
  if (textAt(role, 'name') === '') faults.required('roleRef.name');
  for (const [subject, place] of entriesAt(after, 'subjects', ''))
    checkSubject(subject, place.slice(1), after.kind, faults);
  if (before !== undefined && !equalJson(after['roleRef'], before['roleRef'])) {
    const { apiGroup = '', kind = '', name = '' } = role;
    faults.invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef');
  }
}

function checkSubject(subject: JsonObject, path: string, bindingKind: string, faults: Faults): void {
  const [kind, name, group] = [textAt(subject, 'kind'), textAt(subject, 'name'), textAt(subject, 'apiGroup')];
  if (name === '') faults.required(`${path}.name`);
  if (kind === 'ServiceAccount') {
    if (name !== '') faults.text(`${path}.name`, name, subdomainName);
    if (group !== '') faults.unsupported(`${path}.apiGroup`, group, ['']);
    if (bindingKind !== 'RoleBinding' && textAt(subject, 'namespace') === '') faults.required(`${path}.namespace`);
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== GROUP) faults.unsupported(`${path}.apiGroup`, group, [GROUP]);
  } else faults.oneOf(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']);
}
