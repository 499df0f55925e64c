// Digests: short fingerprints that tell whether something released has changed. The only use of node:crypto here.
import { hash } from 'node:crypto';
import type { Action } from '../action.ts';
import { canonicalJson } from '../canonical.ts';
import type { ActionsByName } from '../graph.ts';
import type { Procedure } from '../procedure.ts';

/** The first `length` hexadecimal digits of the SHA-256 of a text. */
export function shortHash(text: string, length = 16): string {
  return hash('sha256', text, 'hex').slice(0, length);
}

/** Fingerprint of what a procedure consists of: names, edges, stages and revisions of its actions. Not of its ranges. */
export function contentDigest({ actions, teardown, onDemand }: Procedure<never>): string {
  const graph = (named: ActionsByName): unknown =>
    [...named.values()].map(partsOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  return shortHash(
    canonicalJson({ actions: graph(actions), teardown: graph(teardown), onDemand: [...onDemand].sort() }),
  );
}

function partsOf({ name, stage, revision, requires, alternatives }: Action<never>): {
  readonly name: string;
  readonly stage: string;
  readonly revision: number;
  readonly requires: Readonly<Record<string, string>>;
  readonly alternatives: readonly string[];
} {
  const edges = Object.entries(requires).map(([alias, action]) => [alias, action.name] as const);
  return {
    name,
    stage,
    revision,
    requires: Object.fromEntries(edges),
    alternatives: Object.values(alternatives).map((action) => action.name),
  };
}
