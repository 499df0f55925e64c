// Role-based access control: the rules that bindings give to a user, and whether one of them allows a request.
import { at, isList, isObject, type JsonObject, type KubeObject, textOf } from '../json.ts';
import type { Access } from './access.ts';
import { allows, rulesOf, type PolicyRule } from './policy-rule.ts';
import type { Identity } from './user.ts';

/** Objects that decisions are made from; tables are named as the store names them. */
export interface Objects {
  readonly list: (table: string, namespace: string) => readonly KubeObject[];
  readonly get: (table: string, namespace: string, name: string) => KubeObject | undefined;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why, as reviews and refusals tell it; '' if there is nothing to tell. */
  readonly reason: string;
}

const GROUP = 'rbac.authorization.k8s.io';
const MASTERS = 'system:masters';

/** Whether a user may do something. Members of `system:masters` may do everything, whatever is stored. */
export function decide(objects: Objects, user: Identity, access: Access): Decision {
  if (user.groups.includes(MASTERS)) return { allowed: true, reason: '' };
  const missing: string[] = [];
  for (const grant of grants(objects, user, access.path === undefined ? access.namespace : '')) {
    if (grant.rules === undefined) missing.push(grant.fault);
    else if (grant.rules.some((rule) => allows(rule, access)))
      return { allowed: true, reason: `RBAC: allowed by ${grant.described}` };
  }
  return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${aggregate(missing)}` };
}

/** All rules that hold for a user in a namespace, and the faults that were met on the way. */
export function rulesFor(
  objects: Objects,
  user: Identity,
  namespace: string,
): { readonly rules: readonly PolicyRule[]; readonly faults: string } {
  const found = grants(objects, user, namespace);
  const rules = found.flatMap((grant) => grant.rules ?? []);
  const faults = found.flatMap((grant) => (grant.rules === undefined ? [grant.fault] : []));
  return { rules, faults: faults.length === 0 ? '' : aggregate(faults) };
}

/** Several faults in one text, each once. */
function aggregate(faults: readonly string[]): string {
  const unique = [...new Set(faults)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

interface Grant {
  readonly described: string;
  /** Undefined: the role of the binding does not exist, as `fault` says. */
  readonly rules: readonly PolicyRule[] | undefined;
  readonly fault: string;
}

function grants(objects: Objects, user: Identity, namespace: string): readonly Grant[] {
  const cluster = objects.list(`clusterrolebindings.${GROUP}`, '');
  const local = namespace === '' ? [] : objects.list(`rolebindings.${GROUP}`, namespace);
  return [...cluster, ...local].flatMap((binding) => {
    const subject = subjects(binding).find((one) => isSubject(one, user, binding.metadata.namespace ?? ''));
    return subject === undefined ? [] : [grantOf(objects, binding, subject)];
  });
}

function grantOf(objects: Objects, binding: KubeObject, subject: JsonObject): Grant {
  const kind = textOf(at(binding, 'roleRef', 'kind'));
  const name = textOf(at(binding, 'roleRef', 'name'));
  const namespace = binding.metadata.namespace ?? '';
  const table = kind === 'Role' ? `roles.${GROUP}` : `clusterroles.${GROUP}`;
  const role = objects.get(table, kind === 'Role' ? namespace : '', name);
  const own = namespace === '' ? (binding.metadata.name ?? '') : `${binding.metadata.name ?? ''}/${namespace}`;
  const described = `${binding.kind} ${JSON.stringify(own)} of ${kind} ${JSON.stringify(name)} to ${subjectText(subject, namespace)}`;
  return {
    described,
    rules: role === undefined ? undefined : rulesOf(role),
    fault: `${kind.toLowerCase()}.${GROUP} ${JSON.stringify(name)} not found`,
  };
}

function subjectText(subject: JsonObject, namespace: string): string {
  const kind = textOf(subject['kind']);
  const name = textOf(subject['name']);
  if (kind !== 'ServiceAccount') return `${kind} ${JSON.stringify(name)}`;
  return `${kind} ${JSON.stringify(`${name}/${textOf(subject['namespace']) || namespace}`)}`;
}

function isSubject(subject: JsonObject, user: Identity, namespace: string): boolean {
  const name = textOf(subject['name']);
  switch (textOf(subject['kind'])) {
    case 'User':
      return user.name === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${textOf(subject['namespace']) || namespace}:${name}`;
    default:
      return false;
  }
}

function subjects(binding: KubeObject): readonly JsonObject[] {
  const list = binding['subjects'];
  return isList(list) ? list.filter(isObject) : [];
}
