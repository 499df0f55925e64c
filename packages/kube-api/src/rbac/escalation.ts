// Nobody gives away more rights than he has: what a role or binding grants beyond those of the user who writes it.
import type { PolicyRule } from './policy-rule.ts';

/** The part of `wanted` that `held` does not cover, in the order in which refusals list it. */
export function uncovered(wanted: readonly PolicyRule[], held: readonly PolicyRule[]): readonly PolicyRule[] {
  const missing = wanted.flatMap(atoms).filter((atom) => !held.some((rule) => covers(rule, atom)));
  return compacted(missing).toSorted((a, b) => (ruleText(a) < ruleText(b) ? -1 : 1));
}

/** A rule as refusals show it. */
export function ruleText({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  const shown = parts
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}:[${list.map((one) => JSON.stringify(one)).join(' ')}]`);
  return `{${shown.join(', ')}}`;
}

/** A rule in pieces of one verb, one group and one resource each. */
function atoms(rule: PolicyRule): readonly PolicyRule[] {
  const paths = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => piece({ verbs: [verb], nonResourceURLs: [url] })),
  );
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const resources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      names.flatMap((resourceNames) =>
        rule.verbs.map((verb) => piece({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames })),
      ),
    ),
  );
  return [...resources, ...paths];
}

function piece(part: Partial<PolicyRule>): PolicyRule {
  return { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [], ...part };
}

function covers(held: PolicyRule, atom: PolicyRule): boolean {
  const [verb = '', group, resource = '', name, url] = [
    atom.verbs[0],
    atom.apiGroups[0],
    atom.resources[0],
    atom.resourceNames[0],
    atom.nonResourceURLs[0],
  ];
  if (!has(held.verbs, verb)) return false;
  if (url !== undefined) return held.nonResourceURLs.some((one) => coversUrl(one, url));
  const [, subresource] = resource.split('/');
  return (
    has(held.apiGroups, group ?? '') &&
    (has(held.resources, resource) || (subresource !== undefined && held.resources.includes(`*/${subresource}`))) &&
    (held.resourceNames.length === 0 || (name !== undefined && held.resourceNames.includes(name)))
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function coversUrl(held: string, url: string): boolean {
  return held === url || (held.endsWith('*') && url.startsWith(held.slice(0, -1)));
}

/** Pieces that differ in their verb only become one rule again. */
function compacted(pieces: readonly PolicyRule[]): readonly PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const one of pieces) {
    const key = JSON.stringify({ ...one, verbs: [] });
    const before = rules.get(key);
    const verbs = [...new Set([...(before?.verbs ?? []), ...one.verbs])];
    rules.set(key, { ...one, verbs });
  }
  return [...rules.values()];
}
