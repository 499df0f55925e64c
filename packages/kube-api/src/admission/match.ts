// Whether a webhook is called for a request.
import type { KubeObject } from '../json.ts';
import { matchesSelector } from '../kinds/label-match.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { Operation } from './admission.ts';
import type { Webhook, WebhookRule } from './webhook.ts';

/** What a request does to which resource. */
export interface Target {
  readonly operation: Operation;
  readonly type: ResourceType;
  readonly subresource: string;
}

/** Configurations of webhooks are not shown to webhooks, so that a broken one can be repaired. */
const EXEMPT = new Set(['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']);

/**
 * The version of the resource that a webhook wants to see; undefined if it does not want to see it at all.
 *
 * @param versions all served versions of the same objects, for webhooks that take equivalent ones
 */
export function wantedType(
  { rules, matchesEquivalent }: Webhook,
  target: Target,
  versions: () => readonly ResourceType[],
): ResourceType | undefined {
  const { type } = target;
  if (type.group === 'admissionregistration.k8s.io' && EXEMPT.has(type.plural)) return undefined;
  if (rules.some((rule) => covers(rule, target, type))) return type;
  if (!matchesEquivalent) return undefined;
  return versions().find((other) => rules.some((rule) => covers(rule, target, other)));
}

function covers(rule: WebhookRule, { operation, subresource }: Target, type: ResourceType): boolean {
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, type.group) &&
    has(rule.apiVersions, type.version) &&
    (rule.scope === '*' || rule.scope === (type.namespaced ? 'Namespaced' : 'Cluster')) &&
    coversResource(rule.resources, type.plural, subresource)
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function coversResource(resources: readonly string[], plural: string, subresource: string): boolean {
  if (resources.includes('*/*') || resources.includes(`${plural}/*`)) return true;
  if (subresource === '') return resources.includes('*') || resources.includes(plural);
  return resources.includes(`*/${subresource}`) || resources.includes(`${plural}/${subresource}`);
}

type Labels = KubeObject['metadata']['labels'];

/**
 * Whether the selectors of a webhook let a request through.
 *
 * @param namespace labels of the namespace that the object lies in or is; 'none' for an object without one
 * @param objects labels of the object before and after; one of them is enough
 */
export function selects(webhook: Webhook, namespace: Labels | 'none', objects: readonly Labels[]): boolean {
  if (namespace !== 'none' && !matchesSelector(webhook.namespaceSelector, namespace)) return false;
  return objects.some((labels) => matchesSelector(webhook.objectSelector, labels));
}
