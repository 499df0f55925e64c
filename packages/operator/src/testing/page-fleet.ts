// Many Pages for fault tests, with what an operator is judged by afterwards.
import { expect } from 'vitest';
import { done } from '@pawl/reconciler';
import { ConfigMaps, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { FaultWorld } from './fault-world.ts';
import { forPages, page, Pages, release } from './pages.ts';

/** The names of so many Pages. */
export const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `page-${index}`);

/** Creates Pages, and answers their names. */
export async function createPages(world: FaultWorld, count: number): Promise<readonly string[]> {
  const names = namesOf(count);
  for (const name of names) await world.client.create(Pages, page(name, `I am ${name}`));
  return names;
}

/** A release whose one Action stores the text of a Page, and fails for those that `fails` chooses. */
export function textRelease(fails: (name: string) => boolean = () => false): ProcedurePackage {
  const stored = forPages.defineAction({
    name: 'Stored',
    owns: { configs: ConfigMaps },
    run: async ({ object: { metadata, spec }, cluster }) => {
      if (fails(metadata.name)) throw new Error('this one never works');
      await cluster.configs.apply({ metadata: { name: metadata.name }, data: { text: spec.text } });
      return done();
    },
  });
  return release(forPages.defineProcedure({ version: '1.0.0', actions: [stored] }));
}

/** The texts that are served, by the name of the ConfigMap. */
export async function textsOf(world: FaultWorld): Promise<ReadonlyMap<string, string | undefined>> {
  const { items } = await world.client.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default' });
  const texts = items.map((item) => [item.metadata.name, (item as { data?: Record<string, string> }).data] as const);
  return new Map(texts.map(([name, data]) => [name, data?.['text'] ?? data?.['index.html']]));
}

/** Nothing was created twice, and nothing is written any more while `ms` pass. */
export async function expectCalm(world: FaultWorld, ms = 1_800_000): Promise<void> {
  expect(world.tally.createdTwice()).toEqual([]);
  world.tally.reset();
  await world.run(ms);
  expect(world.tally.lines()).toEqual([]);
}
