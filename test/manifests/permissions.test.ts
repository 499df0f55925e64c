// The generated permissions are enough, and none is too much: without any one verb something that the operator does fails.
import { describe, expect, test } from 'vitest';
import { generate, objectsIn, type Printed, type Rule } from './generate.ts';
import { liveUnder } from './permission-world.ts';

const roles = objectsIn(await generate('--only', 'rbac'));

interface Removal {
  readonly role: Printed;
  readonly rule: number;
  readonly verb: string;
  readonly title: string;
}

const rulesOf = ({ rules = [] }: Printed): readonly Rule[] => rules as readonly Rule[];
/** A repeated Event is counted up by a patch a minute later: no step of the story waits for that. */
const isTold = ({ resources }: Rule, verb: string): boolean => resources.includes('events') && verb === 'patch';
const removals: readonly Removal[] = roles.flatMap((role) =>
  rulesOf(role).flatMap((rule, index) =>
    rule.verbs
      .filter((verb) => !isTold(rule, verb))
      .map((verb) => ({ role, rule: index, verb, title: `${verb} ${rule.resources.join()}${rule.resourceNames === undefined ? '' : ' by name'}` })),
  ),
);

function without({ role, rule, verb }: Removal): readonly Printed[] {
  const rules = rulesOf(role).map((each, index) => (index === rule ? { ...each, verbs: each.verbs.filter((known) => known !== verb) } : each));
  return roles.map((each) => (each === role ? { ...each, rules: rules.filter(({ verbs }) => verbs.length > 0) } : each));
}

describe('with the generated permissions', () => {
  test.each(['streamed', 'paged'] as const)('everything comes about, where lists are %s', async (lists) => {
    expect(await liveUnder(roles, lists)).toBeUndefined();
  });

  test.each(['streamed', 'paged'] as const)('limited to a namespace, too, where lists are %s', async (lists) => {
    const limited = objectsIn(await generate('--only', 'rbac', '--watch-namespace', 'default'));
    expect(limited.filter(({ kind }) => kind.startsWith('Cluster'))).toEqual([]);
    expect(await liveUnder(limited, lists, ['default'])).toBeUndefined();
    expect(await liveUnder(limited, lists)).toBe('started');
  });

  test('there is a verb to take away for each thing that is done', () => {
    expect(removals.length).toBeGreaterThan(24);
  });

  test.each(removals)('something fails without $title', async (removal) => {
    const fails = (await liveUnder(without(removal), 'streamed')) ?? (await liveUnder(without(removal), 'paged'));
    expect(fails).toBeDefined();
  }, 30_000);
});
