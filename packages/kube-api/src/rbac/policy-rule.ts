// Rules of roles: what they allow, read from objects and matched against requests.
import { isList, isObject, type JsonObject, textsOf } from '../json.ts';
import type { Access } from './access.ts';

/** One entry of `rules`. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  const rules = role['rules'];
  return isList(rules) ? rules.filter(isObject).map(ruleOf) : [];
}

function ruleOf(rule: JsonObject): PolicyRule {
  return {
    verbs: textsOf(rule['verbs']),
    apiGroups: textsOf(rule['apiGroups']),
    resources: textsOf(rule['resources']),
    resourceNames: textsOf(rule['resourceNames']),
    nonResourceURLs: textsOf(rule['nonResourceURLs']),
  };
}

/** A rule as reviews show it: without what it leaves open. */
export function ruleJson(rule: PolicyRule): JsonObject {
  return Object.fromEntries(Object.entries(rule).filter(([, list]) => (list as readonly string[]).length > 0));
}

/** Whether a rule allows a request. */
export function allows(rule: PolicyRule, access: Access): boolean {
  if (!has(rule.verbs, access.verb)) return false;
  if (access.path !== undefined) return rule.nonResourceURLs.some((url) => coversPath(url, access.path ?? ''));
  return (
    has(rule.apiGroups, access.group) &&
    coversResource(rule.resources, access.resource, access.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(access.name))
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function coversResource(resources: readonly string[], resource: string, subresource: string): boolean {
  if (resources.includes('*')) return true;
  if (subresource === '') return resources.includes(resource);
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function coversPath(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''));
}
