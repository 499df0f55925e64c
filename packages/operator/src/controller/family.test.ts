// Two kinds that belong together: a child goes to a new version only when its parent releases it.
import { afterEach, expect, test } from 'vitest';
import { done, pending, proceduresFor } from '@pawl/reconciler';
import {
  ConfigMaps,
  crdFor,
  defineCatalog,
  definePackage,
  defineResource,
  type CustomResource,
  type KubernetesContext,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import { partsOf } from './custom-object.ts';
import { World } from '../testing/world.ts';

interface Book extends CustomResource<'test.pawl.dev/v1', 'Book', { readonly chapters: readonly string[] }> {}
interface Chapter extends CustomResource<'test.pawl.dev/v1', 'Chapter', { readonly title: string }> {}
const Books = defineResource<Book>({ apiVersion: 'test.pawl.dev/v1', kind: 'Book', plural: 'books' });
const Chapters = defineResource<Chapter>({ apiVersion: 'test.pawl.dev/v1', kind: 'Chapter', plural: 'chapters' });
const forBooks = proceduresFor<KubernetesContext<Book>>();
const forChapters = proceduresFor<KubernetesContext<Chapter>>();

interface Status {
  readonly procedure?: { readonly version?: string; readonly target?: string; readonly phase?: string };
  readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
}

let world: World;
/** What the book of the newer version waits for before it releases its chapters. */
let isPrinted = true;
afterEach(() => world.close());

const chaptersWanted = forBooks.defineAction({
  name: 'ChaptersWanted',
  owns: { chapters: Chapters },
  run: async ({ object, cluster }) => {
    for (const title of object.spec.chapters)
      await cluster.chapters.apply({ metadata: { name: `${object.metadata.name}-${title}` }, spec: { title } });
    return done();
  },
});
const printed = forBooks.defineAction({
  name: 'Printed',
  requires: { chapters: chaptersWanted },
  run: () => (isPrinted ? done() : pending('Printing', 'the covers are being printed', { requeueAfterMs: 1_000 })),
});
const chaptersReleased = forBooks.defineAction({ name: 'ChaptersReleased', requires: { printed }, run: () => done() });
const chaptersFollow = forBooks.defineAction({
  name: 'ChaptersFollow',
  requires: { released: chaptersReleased },
  owns: { chapters: Chapters },
  run: async ({ cluster, procedure }) => {
    const behind = (await cluster.chapters.owned()).filter((chapter) => versionOf(chapter) !== procedure.version);
    return behind.length === 0 ? done() : pending('ChaptersBehind', `${behind.length} are not there yet`);
  },
});
const versionOf = (object: unknown): string | undefined =>
  (object as { readonly status?: Status }).status?.procedure?.version;

const written = (text: string) =>
  forChapters.defineAction({
    name: 'Written',
    owns: { texts: ConfigMaps },
    run: async ({ object, cluster }) => {
      await cluster.texts.apply({ metadata: { name: object.metadata.name }, data: { text: `${text} ${object.spec.title}` } });
      return done();
    },
  });

const book1 = forBooks.defineProcedure({ version: '1.0.0', actions: [chaptersFollow] });
const book2 = forBooks.deriveProcedure(book1, { version: '2.0.0', rollbackTo: '>=1.0.0' });
const drafted = written('draft of');
const chapter1 = forChapters.defineProcedure({ version: '1.0.0', actions: [drafted] });
const chapter2 = forChapters.deriveProcedure(chapter1, {
  version: '2.0.0',
  rollbackTo: '>=1.0.0',
  replace: [forChapters.replaceAction(drafted, written('print of'))],
});

function library(books: readonly (typeof book1)[], chapters: readonly (typeof chapter1)[]): ProcedurePackage {
  const title = { type: 'object', properties: { title: { type: 'string' } } } as const;
  const list = { type: 'object', properties: { chapters: { type: 'array', items: { type: 'string' } } } } as const;
  return definePackage({
    name: 'library',
    kinds: [
      defineCatalog(Books, books),
      defineCatalog(Chapters, chapters, { parent: { of: Books, releasedBy: chaptersReleased } }),
    ],
    crds: [crdFor(Books, { spec: list }), crdFor(Chapters, { spec: title })],
  });
}
const first = library([book1], [chapter1]);
const both = library([book1, book2], [chapter1, chapter2]);

const statusOf = async (kind: 'Book' | 'Chapter', name: string): Promise<Status> => {
  const found = await world.get('test.pawl.dev/v1', kind, name, 'default');
  return found === undefined ? {} : (partsOf(found).status as Status);
};
const isAt = async (kind: 'Book' | 'Chapter', name: string, version: string): Promise<boolean> => {
  const { procedure } = await statusOf(kind, name);
  return procedure?.version === version && procedure.target === undefined && procedure.phase === 'Steady';
};
const blockedFor = async (name: string): Promise<string | undefined> =>
  (await statusOf('Chapter', name)).conditions?.find(({ type }) => type === 'UpgradeBlocked')?.reason;

async function started(packages: ProcedurePackage): Promise<void> {
  isPrinted = true;
  world = new World();
  await world.install(both);
  await world.client.create(Books, { metadata: { name: 'moby', namespace: 'default' }, spec: { chapters: ['a', 'b'] } });
  const operator = await world.operator([packages]);
  const version = packages === first ? '1.0.0' : '2.0.0';
  await world.until(`the book is at ${version}`, () => isAt('Book', 'moby', version));
  if (packages === first) await world.stop(operator);
}

test('a parent and its children are installed at the newest version', async () => {
  await started(both);
  expect(await Promise.all(['moby-a', 'moby-b'].map((name) => isAt('Chapter', name, '2.0.0')))).toEqual([true, true]);
});

test('children wait at their version until the parent releases them, and the parent is complete after them', async () => {
  await started(first);
  isPrinted = false;
  await world.operator([both]);
  await world.until('the book is on its way', async () => (await statusOf('Book', 'moby')).procedure?.target === '2.0.0');
  await world.until('a chapter says why it waits', async () => (await blockedFor('moby-a')) === 'ParentSkew');
  await world.run(10_000);
  expect(await isAt('Chapter', 'moby-a', '1.0.0')).toBe(true);
  isPrinted = true;
  await world.until('the chapters are at 2.0.0', async () => (await isAt('Chapter', 'moby-a', '2.0.0')) && isAt('Chapter', 'moby-b', '2.0.0'));
  await world.until('the book is at 2.0.0', () => isAt('Book', 'moby', '2.0.0'));
  expect(await blockedFor('moby-a')).toBeUndefined();
});

test('a child that is named by nobody goes its own way', async () => {
  await started(first);
  isPrinted = false;
  await world.client.create(Chapters, { metadata: { name: 'alone', namespace: 'default' }, spec: { title: 'alone' } });
  await world.operator([both]);
  await world.until('it is at 2.0.0', () => isAt('Chapter', 'alone', '2.0.0'));
  expect(await isAt('Chapter', 'moby-a', '1.0.0')).toBe(true);
});
