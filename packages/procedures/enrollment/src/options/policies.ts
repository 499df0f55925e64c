// Policies and their names; those of InfraKit's controller are accepted for the same meaning.

export type OnSourceKeyError = 'Hold' | 'Isolate' | 'Destroy';
export type OnEnrolledKeyError = 'Hold' | 'Isolate' | 'Provision';
export type Drift = 'Ignore' | 'Update' | 'Recreate';
export type Duplicates = 'Report' | 'Prune';
export type Adopt = 'Never' | 'MatchingKey';
export type DeletionPolicy = 'Orphan' | 'Delete';

/** Every accepted name of each policy, and what it means. */
export const POLICIES = {
  onSourceKeyError: {
    Hold: 'Hold',
    Isolate: 'Isolate',
    Destroy: 'Destroy',
    DisableDestroy: 'Hold',
    EnableDestroy: 'Destroy',
  },
  onEnrolledKeyError: {
    Hold: 'Hold',
    Isolate: 'Isolate',
    Provision: 'Provision',
    DisableProvision: 'Hold',
    EnableProvision: 'Provision',
  },
  drift: { Ignore: 'Ignore', Update: 'Update', Recreate: 'Recreate' },
  duplicates: { Report: 'Report', Prune: 'Prune' },
  adopt: { Never: 'Never', MatchingKey: 'MatchingKey' },
  deletionPolicy: { Orphan: 'Orphan', Delete: 'Delete' },
} as const;

export type PolicyName = keyof typeof POLICIES;
type Meaning<N extends PolicyName> = (typeof POLICIES)[N][keyof (typeof POLICIES)[N]];

/** The names that a field may have, for its schema and for messages. */
export const namesOf = (policy: PolicyName): readonly string[] => Object.keys(POLICIES[policy]);

/** What a name means; a fault if it means nothing. */
export function readPolicy<N extends PolicyName>(
  policy: N,
  path: string,
  name: string | undefined,
  fallback: Meaning<N>,
  faults: string[],
): Meaning<N> {
  if (name === undefined) return fallback;
  const names: Readonly<Record<string, string>> = POLICIES[policy];
  const meaning = Object.hasOwn(names, name) ? names[name] : undefined;
  if (meaning === undefined)
    faults.push(`${path}: found ${JSON.stringify(name)}; allowed are ${namesOf(policy).join(', ')}`);
  return (meaning ?? fallback) as Meaning<N>;
}
