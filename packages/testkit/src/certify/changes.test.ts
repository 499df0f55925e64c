// What is no longer as it was released, seen by definitions and by running both.
import { done, proceduresFor } from '@pawl/reconciler';
import { ConfigMaps, crdFor, defineCatalog, definePackage, defineResource, type CustomResource, type KubernetesContext, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { certify } from './certify.ts';

interface Box extends CustomResource<'boxes.pawl.dev/v1', 'Box', { readonly size: number }> {}
const Boxes = defineResource<Box>({ apiVersion: 'boxes.pawl.dev/v1', kind: 'Box', plural: 'boxes' });
const Crates = defineResource<Box>({ ...Boxes, kind: 'Crate', plural: 'crates' } as unknown as typeof Boxes);
const { defineAction, defineProcedure } = proceduresFor<KubernetesContext<Box>>();

interface Parts {
  readonly name?: string;
  readonly action?: string;
  readonly text?: string;
  readonly most?: number;
  readonly versions?: readonly string[];
  readonly handle?: typeof Boxes;
}

function packageWith({ name = 'boxes', action = 'Stored', text = 'a', most = 10, versions = ['1.0.0'], handle = Boxes }: Parts): ProcedurePackage {
  const procedures = versions.map((version) =>
    defineProcedure({
      version,
      minVersion: '0.1.0',
      actions: [
        defineAction({
          name: action,
          owns: { maps: ConfigMaps },
          run: async ({ cluster }) => {
            await cluster.maps.apply({ metadata: { name: 'content' }, data: { text } });
            return done();
          },
        }),
      ],
    }),
  );
  const spec = { type: 'object', properties: { size: { type: 'integer', maximum: most } } } as const;
  return definePackage({
    name,
    kinds: [defineCatalog(handle, procedures)],
    crds: [crdFor(handle, { spec })],
    examples: [{ apiVersion: 'boxes.pawl.dev/v1', kind: handle.kind, metadata: { name: 'one', namespace: 'default' }, spec: { size: 5 } }],
  });
}

const released = packageWith({});
const errors = async (current: ProcedurePackage): Promise<readonly string[]> => {
  const { changes } = await certify(current, { against: released, release: 'boxes@1.4.0', nowMs: 0, modes: ['upgrade'], budgetMs: 10_000 });
  return changes.filter(({ severity }) => severity === 'error').map(({ says }) => says);
};

test('the same again has not changed', async () => {
  expect(await errors(packageWith({}))).toEqual([]);
  expect(await errors(packageWith({ versions: ['1.0.0', '2.0.0'] }))).toEqual([]);
});

test('a body that makes something else under the same version is seen by running it', async () => {
  expect(await errors(packageWith({ text: 'b' }))).toEqual([
    '1.0.0 makes ConfigMap default/content otherwise than it did when it was released: .data.text is "b", and was "a"; give the old and the new way two Actions',
  ]);
});

test('content is compared as it is declared', async () => {
  expect(await errors(packageWith({ action: 'Kept' }))).toContainEqual(expect.stringMatching(/^the content of 1\.0\.0 has changed since it was released \(in boxes@1\.4\.0\)/));
});

test('a new name of the package leaves fields behind', async () => {
  expect(await errors(packageWith({ name: 'crates' }))).toContainEqual(expect.stringContaining('the package was released as boxes and is crates now'));
});

test('a kind that is gone has objects that nobody cares for', async () => {
  expect(await errors(packageWith({ handle: Crates }))).toEqual([expect.stringMatching(/^Box was released \(in boxes@1\.4\.0\) and has no catalog any more/)]);
});

test('a definition that refuses what it took is a violation, and nothing is explored', async () => {
  const result = await certify(packageWith({ most: 3, versions: ['1.0.0', '2.0.0'] }), { against: released, release: 'boxes@1.4.0', nowMs: 0, budgetMs: 10_000 });
  expect(result.verdict).toBe('violation');
  expect(result.changes).toEqual([expect.objectContaining({ severity: 'error', says: expect.stringContaining('a sample that was accepted is refused now') as string })]);
  expect(result.exploration.runs).toBe(0);
});
