// A slice of the model run: what `npm run model` does on every catalog must do its work on a few.
import { describe, expect, it } from 'vitest';
import { runJob } from './jobs.ts';
import { PROFILES } from './profiles.ts';
import { WEAKENED } from './weakened.ts';

const ruleOf = (name: string): number => WEAKENED.findIndex((rule) => rule.name === name);

describe('the model', () => {
  it.each(PROFILES.map(({ name }, profile) => ({ name, profile })))(
    'finds no fault under: $name',
    async ({ profile }) => {
      const result = await runJob({ kind: 'explore', profile, catalog: 480, operators: 0, maxStates: 500 });
      expect(result.violations).toEqual({});
      expect(result.states).toBeGreaterThanOrEqual(300);
    },
  );

  it('finds no fault in products without versions', async () => {
    const result = await runJob({ kind: 'plain', world: 1, maxStates: 500 });
    expect(result.violations).toEqual({});
  });

  it.each(['no waiting for late writes', 'the greatest next step instead of a planned path'])(
    'notices a weakened rule: %s',
    async (name) => {
      const job = { kind: 'weakened', rule: ruleOf(name), tries: 2, maxStates: 500, untilShown: true } as const;
      const { shown, violations } = await runJob(job);
      expect({ shown, kinds: Object.keys(violations).length > 0 }).toEqual({ shown: 1, kinds: true });
    },
  );

  it('has at least 23 weakened rules, each under its own name', () => {
    expect(new Set(WEAKENED.map(({ name }) => name)).size).toBe(WEAKENED.length);
    expect(WEAKENED.length).toBeGreaterThanOrEqual(23);
  });
});
