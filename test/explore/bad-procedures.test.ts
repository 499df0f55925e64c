// Procedures that cannot be explored are told what is wrong with them, by name, and nothing is left behind.
import { done, type Action } from '@pawl/reconciler';
import { ConfigMaps, type KubernetesContext } from '@pawl/reconciler/kubernetes';
import { exploreCatalog, explorationText, type Exploration } from '@pawl/testkit';
import { expect, test } from 'vitest';
import { forThings, only, release, thing, type Thing } from './cases/shared.ts';

function explored(run: (name: string) => Promise<string>): Promise<Exploration> {
  const action: Action<KubernetesContext<Thing>> = forThings.defineAction({
    name: 'Odd',
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'odd' }, data: { text: await run('odd') } });
      return done();
    },
  });
  return exploreCatalog(release([only(action)]), { objects: [thing({})], modes: ['install'], budgetMs: 10_000, mostFailures: 1 });
}

test.each([
  { what: 'the clock', run: () => Promise.resolve(String(Date.now() > 0)), says: /the real clock \(now\) was touched.*bad-procedures/ },
  { what: 'today', run: () => Promise.resolve(String(new Date().getTime() > 0)), says: /the real clock \(new Date\) was touched/ },
  { what: 'chance', run: () => Promise.resolve(String(Math.random() < 2)), says: /real chance \(random\) was touched/ },
  { what: 'a uuid', run: () => Promise.resolve(String(crypto.randomUUID().length)), says: /real chance \(randomUUID\) was touched/ },
])('a procedure that asks for $what of the machine is told so', async ({ run, says }) => {
  const result = await explored(run);
  expect(result.failures.flatMap(({ violations }) => violations.map(({ check }) => check))).toContain('touches nothing outside');
  expect(explorationText(result)).toMatch(says);
});

test('a procedure that differs from run to run is told so', async () => {
  let calls = 0;
  const result = await explored(() => Promise.resolve(String((calls += 1))));
  expect(result.failures.length).toBeGreaterThan(0);
}, 30_000);

test('an Action that never answers is named', async () => {
  const result = await explored(() => new Promise(() => {}));
  expect(explorationText(result)).toMatch(/comes to rest: not established at 1.0.0/);
}, 30_000);

test('a procedure that throws is told by the words of its error', async () => {
  const result = await explored(() => Promise.reject(new Error('the disk is full')));
  expect(explorationText(result)).toContain('the disk is full');
}, 30_000);

test('what was watched is put back', async () => {
  const before = [Date, Date.now, Math.random, setTimeout, fetch];
  await explored(() => Promise.resolve('fine'));
  expect([Date, Date.now, Math.random, setTimeout, fetch]).toEqual(before);
});

test('objects that are missing or refused are bad input', async () => {
  const stored = forThings.defineAction({ name: 'Stored', owns: { maps: ConfigMaps }, run: () => done() });
  await expect(exploreCatalog(release([only(stored)]), {})).rejects.toThrow(/objects: found none; needed is a sample object of Thing/);
  const faulty = { ...thing({}), metadata: { name: 'Not A Name', namespace: 'default' } };
  await expect(exploreCatalog(release([only(stored)]), { objects: [faulty] })).rejects.toThrow(/objects: the API refuses/);
});
