// The verdict: what was found outweighs what was not done, and what was not done is never a pass.
import { expect, test } from 'vitest';
import type { Exploration, Failure } from '../explore/exploration.ts';
import { verdictOf, type Evidence } from './certificate.ts';

const exploration: Exploration = {
  package: 'boxes',
  seed: 1,
  runs: 9,
  seconds: 1,
  runsPerSecond: 9,
  coverage: [{ mode: 'upgrade', kind: 'Box', edge: '1.0.0 → 2.0.0', runs: 9, crashPoints: 8 }],
  actions: { wrote: [], silent: [] },
  faults: {},
  crashPoints: 8,
  failures: [],
  pairs: [],
  notRun: [],
  assumptions: [],
  repeated: 0,
};
const evidence: Evidence = {
  edges: [{ kind: 'Box', from: '1.0.0', to: '2.0.0', name: '1.0.0 → 2.0.0', isDirect: true }],
  changes: [],
  exploration,
  modes: ['upgrade'],
};
const verdict = (changed: Partial<Exploration>, others: Partial<Evidence> = {}): unknown =>
  Object.values(verdictOf({ ...evidence, ...others, exploration: { ...exploration, ...changed } }));

test('everything asked for was done, and nothing was found', () => {
  expect(verdict({})).toEqual(['pass', []]);
  expect(verdict({}, { changes: [{ severity: 'information', kind: 'Box', says: 'wider' }] })).toEqual(['pass', []]);
});

test('each way of having found something is a violation, also where not everything was done', () => {
  const finding = { edge: '1.0.0 → 2.0.0', object: 'ConfigMap a', says: 'stays', severity: 'error', action: 'remove it' } as const;
  expect(verdict({ failures: [{} as Failure] })).toEqual(['violation', ['plans after which something is wrong: 1']]);
  expect(verdict({ pairs: [finding, { ...finding, severity: 'information' }] })).toEqual(['violation', ['things that break with the hop itself: 1']]);
  expect(verdict({ notRun: ['random of Box: the budget was spent'] }, { changes: [{ severity: 'error', kind: 'Box', says: 'changed' }] })).toEqual([
    'violation',
    ['changes of what was released: 1', 'random of Box: the budget was spent'],
  ]);
});

test('each thing that was not done makes it incomplete', () => {
  expect(verdict({ notRun: ['the rest of upgrade of Box: the budget was spent'] })).toEqual(['incomplete', ['the rest of upgrade of Box: the budget was spent']]);
  expect(verdict({ coverage: [{ mode: 'upgrade', kind: 'Box', edge: '1.0.0 → 2.0.0', runs: 1, crashPoints: 0 }] })).toEqual(['incomplete', ['1.0.0 → 2.0.0 of Box has no crash point']]);
  expect(verdict({}, { modes: ['upgrade', 'edit'] })).toEqual(['incomplete', ['edit found nothing to do']]);
  expect(verdict({}, { edges: [] })).toEqual(['incomplete', ['there is no hop from a released version to a new one']]);
  expect(verdict({}, { edges: evidence.edges.map((edge) => ({ ...edge, isDirect: false })) })).toEqual(['incomplete', ['there is no hop from a released version to a new one']]);
  expect(verdict({ coverage: [{ mode: 'requests', kind: 'Box', edge: '1.0.0 → 2.0.0', runs: 3, crashPoints: 0 }] }, { modes: ['requests'] })).toEqual([
    'incomplete',
    ['no mode kills the operator', '1.0.0 → 2.0.0 of Box has no crash point'],
  ]);
});
