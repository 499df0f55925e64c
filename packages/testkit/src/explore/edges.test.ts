// The hops that are explored: of one package among its own versions, and from a release to what is new.
import { proceduresFor } from '@pawl/reconciler';
import { defineCatalog, defineResource, type CustomResource, type KubernetesContext, type ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { edgesOf, ownVersions } from './edges.ts';

interface Box extends CustomResource<'edges.pawl.dev/v1', 'Box', object> {}
const Boxes = defineResource<Box>({ apiVersion: 'edges.pawl.dev/v1', kind: 'Box', plural: 'boxes' });
const { defineProcedure } = proceduresFor<KubernetesContext<Box>>();
const catalogOf = (versions: Readonly<Record<string, string>>): ProcedureCatalog =>
  defineCatalog(Boxes, Object.entries(versions).map(([version, from]) => defineProcedure({ version, from, actions: [] })));

const catalog = catalogOf({ '2.0.0': '>=1.0.0', '3.0.0': '>=2.0.0' });

test('among its own versions, each older one leads to each newer one', () => {
  expect(edgesOf({ catalog, versions: ['2.0.0', '3.0.0'] })).toEqual([{ from: '2.0.0', to: '3.0.0', name: '2.0.0 → 3.0.0', isDirect: true }]);
});

test('against a release, hops begin with what was released, also where the package has dropped it, and end with what is new', () => {
  const subject = { catalog, released: catalogOf({ '1.0.0': '*', '2.0.0': '>=1.0.0' }), versions: ['1.0.0', '2.0.0', '3.0.0'] };
  expect(edgesOf(subject).map(({ name, isDirect }) => [name, isDirect])).toEqual([
    ['2.0.0 → 3.0.0', true],
    ['1.0.0 → 3.0.0', false],
  ]);
  expect(ownVersions(subject)).toEqual(['3.0.0']);
});

test('nothing new, no hop', () => {
  expect(edgesOf({ catalog, released: catalog, versions: ['2.0.0', '3.0.0'] })).toEqual([]);
});
