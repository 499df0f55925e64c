// Procedures that misbehave are told what is wrong with them, by the name of the Action and its version, and nothing is left
// behind.
import { done, pending, type Action } from '@pawl/reconciler';
import { ConfigMaps, type KubernetesContext, type Owner, type ConfigMap } from '@pawl/reconciler/kubernetes';
import { exploreCatalog, type Exploration, type Violation } from '@pawl/testkit';
import { expect, test } from 'vitest';
import { dataOf, forThings, only, release, thing, type Thing } from './cases/shared.ts';

type Maps = Owner<ConfigMap>;
type Body = (maps: Maps) => Promise<ReturnType<typeof done> | ReturnType<typeof pending>>;

/** Explores the install of a package whose only Action does this. */
function explored(run: Body): Promise<Exploration> {
  const action: Action<KubernetesContext<Thing>> = forThings.defineAction({
    name: 'Odd',
    owns: { maps: ConfigMaps },
    run: ({ cluster }) => run(cluster.maps),
  });
  return exploreCatalog(release([only(action)]), { objects: [thing({})], modes: ['install'], budgetMs: 10_000, mostFailures: 1 });
}

/** Stores a text that comes from somewhere. */
const storing =
  (text: () => string | Promise<string>): Body =>
  async (maps) => {
    await maps.apply({ metadata: { name: 'odd' }, data: { text: await text() } });
    return done();
  };

/** What is reported first, with everything that tells one run from another left out. */
function firstOf({ failures }: Exploration): Pick<Violation, 'check' | 'says'> | undefined {
  const [violation] = failures[0]?.violations ?? [];
  return violation === undefined ? undefined : { check: violation.check, says: violation.says };
}

/** Taken before anybody watches it. */
const { random } = Math;
let calls = 0;
const known = new Map([
  ['first', 1],
  ['second', 2],
]);

/** The order of a map that outlives the run, and is used by it. */
function namesInOrder(): string {
  calls += 1;
  if (calls % 5 === 0) {
    known.delete('first');
    known.set('first', 1);
  } else if (calls % 5 === 3) {
    known.delete('second');
    known.set('second', 2);
  }
  return [...known.keys()].join(' ');
}

test.each([
  { what: 'the clock', text: () => String(Date.now() > 0), says: 'the real clock (now) was touched at' },
  { what: 'today', text: () => String(new Date().getTime() > 0), says: 'the real clock (new Date) was touched at' },
  { what: 'chance', text: () => String(Math.random() < 2), says: 'real chance (random) was touched at' },
  { what: 'a uuid', text: () => String(crypto.randomUUID().length), says: 'real chance (randomUUID) was touched at' },
])('an Action that asks for $what of the machine is named', async ({ text, says }) => {
  const found = firstOf(await explored(storing(text)));
  expect(found).toEqual({ check: 'touches nothing outside', says: expect.stringContaining(`Action Odd of 1.0.0: ${says}`) });
  expect(found?.says).toContain('bad-procedures.test.ts');
});

test.each([
  { what: 'chance that was taken before', text: () => String(random()) },
  { what: 'a counter of its own', text: () => String((calls += 1)) },
  { what: 'the order of a map that is kept', text: namesInOrder },
])('an Action that depends on $what differs from run to run, and is named', async ({ text }) => {
  expect(firstOf(await explored(storing(text)))).toEqual({
    check: 'is deterministic',
    says: expect.stringMatching(/^Action Odd of 1\.0\.0: the same seed gave two different histories; they part at event \d+ \(PATCH configmaps default\/odd\)/),
  });
}, 30_000);

test.each([
  { what: 'a promise', lose: () => void Promise.reject(new Error('nobody waits')) },
  { what: 'a callback', lose: () => queueMicrotask(() => { throw new Error('nobody waits'); }) },
  { what: 'a call after an await', lose: () => void (async () => { await Promise.resolve(); throw new Error('nobody waits'); })() },
])('an Action that throws in $what that nobody waits for is named', async ({ lose }) => {
  const result = await explored(storing(() => {
    lose();
    return 'fine';
  }));
  expect(firstOf(result)).toEqual({
    check: 'loses no error',
    says: 'Action Odd of 1.0.0: an error was thrown that nobody waits for: nobody waits; an await or a catch is missing',
  });
});

test('an Action that never answers is named, with how long it has been waited for', async () => {
  expect(firstOf(await explored(storing(() => new Promise(() => {}))))).toEqual({
    check: 'has an answer from every Action',
    says: 'Action Odd of 1.0.0 has not answered for 40 minutes: it waits for something that never comes',
  });
}, 30_000);

test('a procedure that throws is told by the words of its error', async () => {
  const found = firstOf(await explored(storing(() => Promise.reject(new Error('the disk is full')))));
  expect(found?.check).toBe('comes to rest');
  expect(found?.says).toMatch(/Odd: the disk is full/);
}, 30_000);

test('an Action that asks to be run again at once, for ever, is a hot loop', async () => {
  expect(firstOf(await explored(() => Promise.resolve(pending('Again', 'and again', { requeueAfterMs: 0 }))))).toEqual({
    check: 'behaves well under errors',
    says: 'Action Odd of 1.0.0 is run 51 times at one moment, and nothing is written: a hot loop',
  });
}, 30_000);

test('an Action that wants something else each time it looks is a hot loop', async () => {
  const counting: Body = async (maps) => {
    const count = Number(dataOf(await maps.get('odd'))['count'] ?? 0);
    await maps.apply({ metadata: { name: 'odd' }, data: { count: String(count + 1) } });
    return done();
  };
  expect(firstOf(await explored(counting))).toEqual({
    check: 'behaves well under errors',
    says: 'Action Odd of 1.0.0 writes configmaps default/odd more than 60 times: it wants something else each time it looks',
  });
}, 30_000);

test('what was watched is put back', async () => {
  const watched = () => [Date, Date.now, Math.random, setTimeout, fetch, ...process.listeners('unhandledRejection'), ...process.listeners('uncaughtException')];
  const before = watched();
  await explored(storing(() => 'fine'));
  expect(watched()).toEqual(before);
});

test('objects that are missing or refused are bad input', async () => {
  const stored = forThings.defineAction({ name: 'Stored', owns: { maps: ConfigMaps }, run: () => done() });
  await expect(exploreCatalog(release([only(stored)]), {})).rejects.toThrow(/objects: found none; needed is a sample object of Thing/);
  const faulty = { ...thing({}), metadata: { name: 'Not A Name', namespace: 'default' } };
  await expect(exploreCatalog(release([only(stored)]), { objects: [faulty] })).rejects.toThrow(/objects: the API refuses/);
});
