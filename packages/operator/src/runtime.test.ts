// Client, discovery, reflector and overlay against the in-memory API: everything together, no network.
import { createApiServer } from '@pawl/kube-api';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Informer, type InformerEvent } from './cache/informer.ts';
import type { KubeError } from './client/api-error.ts';
import { isConflict, isNotFound } from './client/error-kinds.ts';
import { KubeClient } from './client/kube-client.ts';
import { KindNotServedError } from './discovery/kind-not-served.ts';
import { fixedRandom } from './testing/fixed-random.ts';
import { ManualClock } from './testing/manual-clock.ts';
import type { Transport } from './transport/transport.ts';

const MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
const MAP_HANDLE = { ...MAPS, plural: 'configmaps', namespaced: true };
const MANAGER = { fieldManager: 'pawl-test' };
const ref = (name: string) => ({ name, namespace: 'default' });
const settle = async (): Promise<void> => {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

function setUp(random = fixedRandom(0.5)) {
  const clock = new ManualClock(1_700_000_000_000);
  const server = createApiServer({ clock, watchWindow: 1_000 });
  /** Watches that are open, so that a test can break them. */
  const breaks = new Set<() => void>();
  const transport: Transport = {
    request: server.request,
    watch: async (request) => {
      const controller = new AbortController();
      request.signal?.addEventListener('abort', () => controller.abort(request.signal?.reason), { once: true });
      const answer = await server.watch({ ...request, signal: controller.signal });
      breaks.add(() => controller.abort(new Error('reset')));
      return answer;
    },
  };
  const client = new KubeClient({ transport, clock, random: fixedRandom(0.5), userAgent: 'pawl/test' });
  const informer = new Informer({
    client,
    clock,
    random,
    scope: { type: MAP_HANDLE },
    keepManager: () => MANAGER.fieldManager,
  });
  const breakWatches = (): void => {
    for (const broken of breaks) broken();
    breaks.clear();
  };
  const apply = (name: string, data: Record<string, string>): Promise<KubernetesObject> =>
    client.apply(MAPS, ref(name), { data }, MANAGER);
  return { clock, server, client, informer, breakWatches, apply };
}
const view = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(({ metadata }) => metadata.namespace === 'default')
    .map(({ metadata: { name, uid, resourceVersion } }) => ({ name, uid, resourceVersion }));

describe('the client', () => {
  test('finds kinds by discovery and applies, reads, patches and deletes', async () => {
    const { client, server, apply } = setUp();
    const created = await apply('a', { one: '1' });
    expect(await client.get(MAPS, ref('a'))).toEqual(created);
    const patched = await client.mergePatch(MAPS, ref('a'), {
      metadata: { resourceVersion: created.metadata.resourceVersion },
      data: { two: '2' },
    });
    expect(patched).toMatchObject({ data: { one: '1', two: '2' } });
    await client.jsonPatch(MAPS, ref('a'), [{ op: 'replace', path: '/data/one', value: '3' }]);
    expect((await client.list(MAPS, { namespace: 'default' })).items).toMatchObject([
      { kind: 'ConfigMap', data: { one: '3' } },
    ]);
    expect(await client.remove(MAPS, ref('a'), { uid: created.metadata.uid })).toEqual({ gone: true });
    expect(await client.find(MAPS, ref('a'))).toBeUndefined();
    expect(server.log.entries().map(({ userAgent }) => userAgent)).toContain('pawl/test');
  });

  test('meets conflicts as errors that say so', async () => {
    const { client, apply } = setUp();
    const { metadata } = await apply('a', { one: '1' });
    await apply('a', { one: '2' });
    const { resourceVersion } = metadata;
    const stale = client.mergePatch(MAPS, ref('a'), { metadata: { resourceVersion }, data: {} });
    expect(isConflict(await stale.catch((error: unknown) => error))).toBe(true);
    const other = client.apply(MAPS, ref('a'), { data: { one: '3' } }, { fieldManager: 'somebody' });
    const error = (await other.catch((thrown: unknown) => thrown)) as KubeError;
    expect([isConflict(error), error.causes]).toEqual([true, ['.data.one']]);
    const wrongUid = client.remove(MAPS, ref('a'), { uid: 'other' });
    expect(isConflict(await wrongUid.catch((thrown: unknown) => thrown))).toBe(true);
  });

  test('a dry run changes nothing', async () => {
    const { client } = setUp();
    await client.apply(MAPS, ref('a'), { data: {} }, { ...MANAGER, dryRun: true });
    expect(await client.find(MAPS, ref('a'))).toBeUndefined();
  });

  test('a deletion that waits for a finalizer answers the object', async () => {
    const { client } = setUp();
    await client.create(MAPS, { metadata: { ...ref('a'), finalizers: ['x.example/wait'] } });
    expect(await client.remove(MAPS, ref('a'))).toMatchObject({
      gone: false,
      object: { metadata: { finalizers: ['x.example/wait'] } },
    });
  });

  test('tells a missing kind from a missing object', async () => {
    const { client } = setUp();
    const missing = await client.get(MAPS, ref('none')).catch((error: unknown) => error);
    expect([isNotFound(missing), missing instanceof KindNotServedError]).toEqual([true, false]);
    const gadgets = { apiVersion: 'x.example/v1', kind: 'Gadget', plural: 'gadgets', namespaced: true };
    await expect(client.get(gadgets, ref('none'))).rejects.toThrow(KindNotServedError);
    await expect(client.list(gadgets)).rejects.toThrow(KindNotServedError);
  });
});

describe('the informer', () => {
  test('syncs by a streamed list and follows every change', async () => {
    const { client, server, informer, apply } = setUp();
    await apply('a', {});
    const events: string[] = [];
    informer.addHandler(({ type, object }: InformerEvent) => events.push(`${type} ${object.metadata.name}`));
    informer.start();
    await informer.synced();
    expect(informer.reports[0]).toMatchObject({ synced: true, lists: 1, failures: 0 });
    await apply('b', {});
    await apply('a', { changed: 'yes' });
    await client.remove(MAPS, ref('b'));
    await settle();
    expect(events.filter((event) => !event.includes('kube-root-ca'))).toEqual([
      'added a',
      'added b',
      'updated a',
      'deleted b',
    ]);
    expect(server.log.entries().filter(({ verb }) => verb === 'list')).toEqual([]);
    await informer.stop();
  });

  test('keeps the managed fields of one manager and freezes everything', async () => {
    const { client, informer, apply } = setUp();
    await apply('a', { one: '1' });
    await client.mergePatch(MAPS, ref('a'), { data: { two: '2' } }, { fieldManager: 'other' });
    informer.start();
    await informer.synced();
    const cached = informer.get(ref('a'));
    expect(cached?.metadata).toMatchObject({ managedFields: [{ manager: 'pawl-test', operation: 'Apply' }] });
    expect(Object.isFrozen((cached as unknown as { readonly data: object }).data)).toBe(true);
    await informer.stop();
  });

  test('metadata only holds no data', async () => {
    const { client, clock, apply } = setUp();
    await apply('a', { secret: 'x' });
    const scope = { type: MAP_HANDLE, metadataOnly: true };
    const informer = new Informer({ client, clock, random: fixedRandom(0), scope });
    informer.start();
    await informer.synced();
    expect(informer.get(ref('a'))).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    expect(Object.keys(informer.get(ref('a')) ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
    await informer.stop();
  });

  test('is woken by bookmarks, so that a quiet kind is not watched anew for 180 s', async () => {
    const { clock, informer } = setUp();
    informer.start();
    await informer.synced();
    for (let n = 0; n < 17; n += 1) {
      clock.advance(10_000);
      await settle();
    }
    expect(informer.reports[0]).toMatchObject({ watches: 1, failures: 0 });
    for (let n = 0; n < 8; n += 1) {
      clock.advance(10_000);
      await settle();
    }
    expect(informer.reports[0]).toMatchObject({ watches: 2, failures: 0, lists: 1 });
    await informer.stop();
  });
});

describe('the informer of a kind that is not served yet', () => {
  test('is complete within seconds after its CRD was installed', async () => {
    const { client, clock } = setUp();
    const crds = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
    const scope = { type: { apiVersion: 'x.example/v1', kind: 'Gadget' } };
    const informer = new Informer({ client, clock, random: fixedRandom(0.9), scope });
    informer.start();
    for (let n = 0; n < 30; n += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect(informer.reports[0]).toMatchObject({ synced: false, lastError: { reason: 'KindNotServed' } });
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await client.create(crds, {
      metadata: { name: 'gadgets.x.example' },
      spec: {
        group: 'x.example',
        scope: 'Namespaced',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    for (let n = 0; n < 10 && !informer.isSynced; n += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect(informer.isSynced).toBe(true);
    await informer.stop();
  });
});

describe('the informer of a server that has stopped to answer', () => {
  test.each(['calls', 'streams'])(
    'never stops trying: %s that ignore being aborted are given up all the same',
    async (what) => {
      const clock = new ManualClock();
      const never = <T>(): Promise<T> => new Promise(() => {});
      const silent: AsyncIterable<never> = { [Symbol.asyncIterator]: () => ({ next: never }) };
      const transport: Transport = {
        request: () => never(),
        watch: () =>
          what === 'calls' ? never() : Promise.resolve({ status: 200, headers: {}, body: undefined, events: silent }),
      };
      const client = new KubeClient({ transport, clock, random: fixedRandom(0.9) });
      const informer = new Informer({ client, clock, random: fixedRandom(0.9), scope: { type: MAP_HANDLE } });
      informer.start();
      for (let n = 0; n < 120; n += 1) {
        clock.advance(5_000);
        await settle();
        expect(clock.now() - informer.lastActivityAt).toBeLessThanOrEqual(120_000);
      }
      expect(informer.reports[0]?.failures).toBeGreaterThan(5);
      await informer.stop();
      expect(clock.pending).toBe(0);
    },
  );
});

test('whatever happens, reads see what was written, and the cache becomes what the server has', async () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), name, foreign: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), name, foreign: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'break' as const }, { kind: 'compact' as const }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'settle' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, server, client, informer, breakWatches, apply } = setUp();
      informer.start();
      await informer.synced();
      let revision = 0;
      for (const next of steps) {
        if (next.kind === 'break') breakWatches();
        else if (next.kind === 'compact') server.compact();
        else if (next.kind === 'settle') await settle();
        else if (next.kind === 'pass') clock.advance(next.ms);
        else if (next.kind === 'write') {
          const answer = await apply(next.name, { revision: String((revision += 1)) });
          if (next.foreign) continue;
          informer.wrote(answer);
          expect(Number(informer.get(ref(next.name))?.metadata.resourceVersion)).toBeGreaterThanOrEqual(
            Number(answer.metadata.resourceVersion),
          );
        } else {
          const found = await client.find(MAPS, ref(next.name));
          if (found === undefined) continue;
          await client.remove(MAPS, ref(next.name), { uid: found.metadata.uid });
          if (next.foreign) continue;
          informer.removed(found);
          expect(informer.get(ref(next.name))?.metadata.uid).not.toBe(found.metadata.uid);
        }
      }
      for (let n = 0; n < 8; n += 1) {
        await settle();
        clock.advance(31_000);
      }
      await settle();
      const { items } = await client.list(MAPS);
      expect(view(informer.list())).toEqual(view(items));
      await informer.stop();
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 60 },
  );
}, 60_000);
