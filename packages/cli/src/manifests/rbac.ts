// The account of an operator, and roles with exactly its permissions: in the watched namespaces, or everywhere.
import { type Manifest, labelsOf } from './manifest.ts';
import type { ManifestOptions } from './options.ts';
import { permissionsOf, type Permission } from './permissions.ts';

const API = 'rbac.authorization.k8s.io/v1';
const API_GROUP = 'rbac.authorization.k8s.io';

/** ServiceAccount, roles and bindings. */
export function rbacOf(options: ManifestOptions): readonly Manifest[] {
  const { name, namespace, watched } = options;
  const permissions = permissionsOf(options);
  const isClusterWide = ({ place }: Permission): boolean => place === 'cluster' || (place === 'watched' && watched === undefined);
  const everywhere = permissions.filter(isClusterWide);
  const byNamespace = new Map<string, Permission[]>();
  for (const each of permissions.filter((permission) => !isClusterWide(permission)))
    for (const where of typeof each.place === 'object' ? [each.place.namespace] : (watched ?? []))
      // What holds everywhere, or stands here already, is not said again.
      if (![...everywhere, ...(byNamespace.get(where) ?? [])].some((other) => covers(other, each)))
        byNamespace.set(where, [...(byNamespace.get(where) ?? []), each]);
  const account: Manifest = {
    object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels: labelsOf(options) } },
  };
  return [
    account,
    ...(everywhere.length === 0 ? [] : grant('Cluster', undefined, everywhere, options)),
    ...[...byNamespace].flatMap(([where, rules]) => grant('', where, rules, options)),
  ];
}

const covers = (a: Permission, b: Permission): boolean =>
  a.group === b.group && a.resource === b.resource && a.names === undefined && b.verbs.every((verb) => a.verbs.includes(verb));

function grant(
  prefix: 'Cluster' | '',
  where: string | undefined,
  permissions: readonly Permission[],
  options: ManifestOptions,
): readonly Manifest[] {
  const { namespace, name: account } = options;
  // Roles of the whole cluster are named after the namespace as well: two installations must not share one.
  const name = prefix === 'Cluster' ? `${namespace}-${account}` : account;
  const metadata = { name, ...(where === undefined ? {} : { namespace: where }), labels: labelsOf(options) };
  const rules = permissions.map(ruleOf);
  const comments = Object.fromEntries(permissions.map(({ why }, index) => [`rules.${index}`, why]));
  return [
    { object: { apiVersion: API, kind: `${prefix}Role`, metadata, rules }, comments },
    {
      object: {
        apiVersion: API,
        kind: `${prefix}RoleBinding`,
        metadata,
        roleRef: { apiGroup: API_GROUP, kind: `${prefix}Role`, name },
        subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
      },
    },
  ];
}

const ruleOf = ({ group, resource, names, verbs }: Permission): object => ({
  apiGroups: [group],
  resources: [resource],
  ...(names === undefined ? {} : { resourceNames: names }),
  verbs,
});
