// Reports for machines: well-formed whatever the words in them.
import { expect, test } from 'vitest';
import type { Exploration, Failure } from '../explore/exploration.ts';
import { explorationJson, explorationJunit } from './machine.ts';

const plan = { kind: 'Thing', deed: { does: 'create' }, turns: [{ release: { upTo: '1.0.0' } }], faults: [], seed: 3 } as const;
const failure = {
  mode: 'install',
  edge: 'install 1.0.0',
  plan,
  found: plan,
  violations: [{ check: 'comes to rest', says: 'text is "a<b&c"\u0007' }],
  run: { outcome: { history: [], masks: [] } },
} as unknown as Failure;
const exploration: Exploration = {
  package: 'things',
  seed: 3,
  runs: 9,
  seconds: 1.5,
  runsPerSecond: 6,
  coverage: [
    { mode: 'install', kind: 'Thing', edge: 'install 1.0.0', runs: 8, crashPoints: 7 },
    { mode: 'edit', kind: 'Thing', edge: 'edit 1 of 1.0.0', runs: 1, crashPoints: 0 },
  ],
  actions: { wrote: [], silent: [] },
  faults: {},
  crashPoints: 7,
  failures: [failure],
  pairs: [],
  notRun: [],
  assumptions: [],
  repeated: 0,
};

test('JUnit has a case for each mode and hop, and the failure in its own', () => {
  const xml = explorationJunit(exploration);
  expect(xml).toContain('<testsuite name="pawl explore" tests="2" failures="1" time="1.500">');
  expect(xml).toContain('name="install: install 1.0.0 (8 runs)"><failure message="install by 1.0.0">');
  expect(xml).toContain('text is &quot;a&lt;b&amp;c&quot;\n');
  expect(xml).not.toContain('\u0007');
  expect(xml.match(/<testcase /g)).toHaveLength(2);
});

test('of several kinds each has its own lines, also for what was found without a run that counts', () => {
  const of = (kind: string): Failure => ({ ...failure, edge: '1.0.0 → 2.0.0', mode: 'upgrade', plan: { ...plan, kind } });
  const coverage = [...exploration.coverage, { mode: 'upgrade', kind: 'Part', edge: '1.0.0 → 2.0.0', runs: 4, crashPoints: 3 } as const];
  const xml = explorationJunit({ ...exploration, coverage, failures: [of('Part'), of('Thing')] });
  expect(xml).toContain('name="install: Thing install 1.0.0 (8 runs)"');
  expect(xml).toContain('name="upgrade: Part 1.0.0 → 2.0.0 (4 runs)"><failure ');
  expect(xml).toContain('name="upgrade: Thing 1.0.0 → 2.0.0 (1 runs)"><failure ');
});

test('JSON lists violations with the plan that shows them', () => {
  expect(JSON.parse(JSON.stringify(explorationJson(exploration)))).toMatchObject({
    runs: 9,
    violations: [{ check: 'comes to rest', mode: 'install', plan }],
  });
});
