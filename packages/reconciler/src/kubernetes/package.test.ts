// Catalogs and packages as a whole: what they touch, and what is refused.
import { expect, test } from 'vitest';
import { bindExternal, defineExternal } from '../external.ts';
import { proceduresFor } from '../define.ts';
import { done } from '../result.ts';
import { ConfigMaps, Nodes, Pods, Secrets } from './builtin.ts';
import { kindsOf } from './catalog-kinds.ts';
import type { KubernetesContext } from './context.ts';
import type { CustomResource } from './model.ts';
import { defineCatalog, definePackage } from './package.ts';
import { defineOpenResource, defineResource, explicit, statusOf } from './resource.ts';

interface Cache extends CustomResource<'x.example/v1', 'Cache', { readonly size: number }, { readonly id: string }> {}
const Caches = defineResource<Cache>({ apiVersion: 'x.example/v1', kind: 'Cache', plural: 'caches' });
const { defineAction, defineProcedure, deriveProcedure } = proceduresFor<KubernetesContext<Cache>>();
const Host = defineExternal<{ reads: {}; effects: { poke: () => Promise<void> } }>('host');
const Sinks = defineOpenResource<Cache>('Sink');

const stored = defineAction({
  name: 'Stored',
  owns: { maps: ConfigMaps },
  edits: { status: statusOf(Caches, 'id') },
  run: () => done(),
});
const drained = defineAction({ name: 'Drained', reads: { nodes: Nodes }, external: { host: Host }, run: () => done() });
const known = defineAction({ name: 'Known', reads: { secrets: Secrets }, run: () => done() });
const moved = defineAction({
  name: 'Moved',
  owns: { maps: explicit(ConfigMaps), sinks: Sinks },
  edits: { pods: Pods },
  run: () => done(),
});
const v1 = defineProcedure({ version: '1.0.0', actions: [stored], teardown: [drained] });
const v2 = deriveProcedure(v1, { version: '2.0.0', preconditions: [known], add: [moved] });
const catalog = defineCatalog(Caches, [v1, v2]);

test('a catalog touches what any of its versions touches: forwards, in teardown and in preconditions', () => {
  const { owns, edits, reads, open, statusFields, externals } = kindsOf(catalog);
  const names = (kinds: readonly { readonly kind: string }[]): readonly string[] => kinds.map(({ kind }) => kind);
  expect([names(owns), names(edits), names(reads)]).toEqual([['ConfigMap'], ['Pod'], ['Node', 'Secret']]);
  expect({ open, statusFields, externals }).toEqual({
    open: [{ name: 'Sink', verb: 'owns' }],
    statusFields: ['id'],
    externals: [{ key: 'host', action: 'Drained' }],
  });
});

test('a catalog holds what its procedures say about versions', () => {
  expect(catalog.procedures.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
  expect(catalog.versions.procedures).toMatchObject([
    { version: '1.0.0', from: '*', fromPartial: '*', teardown: 'Procedure', plain: false },
    { version: '2.0.0', from: '>=1.0.0', fromPartial: 'none', finalizes: false },
  ]);
  expect(catalog.versions.procedures[0]?.digest).not.toBe(catalog.versions.procedures[1]?.digest);
});

test('a single procedure needs no version', () => {
  const { versions } = defineCatalog(Caches, [defineProcedure({ actions: [stored] })]);
  expect(versions).toMatchObject({ plain: true, procedures: [{ version: '0.0.0', from: '*', rollbackTo: '*' }] });
});

test('a second procedure must say what it may take over', () => {
  const second = defineProcedure({ version: '2.0.0', actions: [stored] });
  expect(() => defineCatalog(Caches, [v1, second])).toThrow(
    'catalog of Cache: G038 2.0.0 says nothing about older versions: give it minVersion or from, or derive it',
  );
  const nameless = defineProcedure({ actions: [stored] });
  expect(() => defineCatalog(Caches, [nameless, deriveProcedure(nameless, { version: '1.0.0' })])).toThrow(
    'G038 one of several procedures has no version: give each one its version',
  );
});

test('a child names its parent and what releases it', () => {
  const Parents = defineResource<CustomResource<'x.example/v1', 'Parent', {}>>({
    apiVersion: 'x.example/v1',
    kind: 'Parent',
    plural: 'parents',
  });
  const { parent } = defineCatalog(Caches, [v1], { parent: { of: Parents, releasedBy: moved } });
  expect(parent).toMatchObject({ of: { id: 'x.example/v1/Parent' }, releasedBy: 'Moved' });
});

test('a package is refused with all its faults', () => {
  const example = { apiVersion: 'x.example/v1', kind: 'Other', metadata: { name: 'o' } };
  expect(() => definePackage({ name: 'My Package', kinds: [catalog, catalog], crds: [], examples: [example] })).toThrow(
    'package My Package: V011 name "My Package" must be lower-case letters, digits and dashes, at most 40; ' +
      'V011 Drained uses external system host, which is not bound; name it in external; V011 Drained uses external system host, which is not bound; name it in external; ' +
      'V010 two catalogs are of Cache; put their procedures into one; V011 example o is a Other, which the package has no catalog of; correct its kind',
  );
});

test('a sound package has empty lists where nothing is given', () => {
  const bound = bindExternal(Host, () => ({ reads: {}, effects: { poke: async () => {} } }));
  const example = {
    apiVersion: 'x.example/v1',
    kind: 'Cache',
    metadata: { name: 'c', namespace: 'n' },
    spec: { size: 1 },
  };
  expect(
    definePackage({ name: 'caches', kinds: [catalog], crds: [], external: [bound], examples: [example] }).examples,
  ).toEqual([example]);
  const plain = defineCatalog(Caches, [defineProcedure({ actions: [stored] })]);
  expect(definePackage({ name: 'caches', kinds: [plain], crds: [] })).toMatchObject({ external: [], examples: [] });
});
