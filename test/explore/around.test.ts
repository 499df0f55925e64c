// What others do: people who meddle with objects, parts of the cluster that stand still, webhooks. The packages of this
// repository live with all of it, and small procedures that do not are found.
import website from '@pawl/example-website';
import enrollment from '@pawl/procedures-enrollment';
import { done, pending } from '@pawl/reconciler';
import { ApiError, ConfigMaps, rolloutOf, StatefulSets, statusOf } from '@pawl/reconciler/kubernetes';
import { explorationText, exploreCatalog, type CheckName, type ModeName } from '@pawl/testkit';
import { describe, expect, test } from 'vitest';
import { forThings, only, release, thing, Things } from './cases/shared.ts';

const hello = { apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website', metadata: { name: 'hello', namespace: 'default' }, spec: { replicas: 2, html: '<h1>Hello</h1>' } };
const modes: readonly ModeName[] = ['admission', 'cluster'];

test('a Website lives with people, webhooks and a cluster that stands still', async () => {
  const result = await exploreCatalog(website, { objects: [hello], modes, budgetMs: 40_000 });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(Object.keys(result.faults)).toEqual(
    expect.arrayContaining([
      'person deletes',
      'person edits',
      'person takes',
      'person unfinalizes',
      'cluster pods',
      'cluster rollout',
      'cluster node',
      'admission denies-403',
      'admission denies-422',
      'admission times-out',
      'admission adds-label',
      'admission adds-default',
      'admission adds-sidecar',
    ]),
  );
}, 120_000);

test('an Enrollment does so, too', async () => {
  const result = await exploreCatalog(enrollment, {
    modes,
    budgetMs: 30_000,
    config: { openKinds: { SinkEntry: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }] } },
    mayTouch: [{ path: 'liquidjs', why: 'it limits how long a template may render' }],
  });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(Object.keys(result.faults)).toEqual(expect.arrayContaining(['person deletes', 'person edits', 'admission denies-403', 'admission adds-label']));
}, 90_000);

test('a set of members with claims does so, too', async () => {
  const labels = { app: 'db' };
  const set = forThings.defineAction({
    name: 'MembersReady',
    owns: { sets: StatefulSets },
    run: async ({ cluster }) => {
      const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db:1' }] } };
      const applied = await cluster.sets.apply({
        metadata: { name: 'db' },
        spec: { replicas: 2, serviceName: 'db', selector: { matchLabels: labels }, template, volumeClaimTemplates: [claim] },
      });
      return rolloutOf(applied).complete ? done() : pending('Starting', 'members are starting');
    },
  });
  const result = await exploreCatalog(release([only(set)]), { objects: [thing({})], modes, budgetMs: 30_000 });
  expect(result.failures.length, explorationText(result)).toBe(0);
  expect(Object.keys(result.faults)).toEqual(expect.arrayContaining(['cluster claims', 'cluster rollout', 'cluster node', 'person deletes', 'admission adds-sidecar']));
}, 90_000);

/** What was made once is not made again. */
const madeOnce = (isRepaired: boolean) =>
  forThings.defineAction({
    name: 'MadeOnce',
    owns: { maps: ConfigMaps },
    edits: { status: statusOf(Things, 'ordered') },
    run: async ({ object, cluster }) => {
      if (isRepaired || object.status?.ordered !== 'yes') await cluster.maps.apply({ metadata: { name: 'order' }, data: { text: 'one' } });
      else for (const map of await cluster.maps.owned()) cluster.maps.keep(map);
      cluster.status.set({ ordered: 'yes' });
      return done();
    },
  });

/** A refusal is taken for the last word, and written down. */
const givingUp = (isRepaired: boolean) =>
  forThings.defineAction({
    name: 'GivingUp',
    owns: { maps: ConfigMaps },
    edits: { status: statusOf(Things, 'ordered') },
    run: async ({ object, cluster }) => {
      const refused = pending('Refused', 'it is not allowed');
      if (!isRepaired && object.status?.ordered === 'refused') return refused;
      try {
        await cluster.maps.apply({ metadata: { name: 'map' }, data: { text: 'one' } });
      } catch (error) {
        if (isRepaired || !(error instanceof ApiError) || error.code !== 403) throw error;
        cluster.status.set({ ordered: 'refused' });
        return refused;
      }
      return done();
    },
  });

/** Whoever added a label has taken over, it believes. */
const suspicious = (isRepaired: boolean) =>
  forThings.defineAction({
    name: 'Suspicious',
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      const map = await cluster.maps.apply({ metadata: { name: 'map' }, data: { text: 'one' } });
      const isForeign = Object.keys(map.metadata.labels ?? {}).some((name) => !name.startsWith('procedures.pawl.dev/'));
      return isForeign && !isRepaired ? pending('TakenOver', 'somebody else writes the map') : done();
    },
  });

describe.each<{ readonly what: string; readonly action: typeof madeOnce | typeof givingUp; readonly mode: ModeName; readonly foundBy: CheckName; readonly fault: string }>([
  { what: 'does not make anew what somebody deleted', action: madeOnce, mode: 'cluster', foundBy: 'ends like a fresh install', fault: 'somebody deletes configmaps default/order when process 1 has come to rest' },
  { what: 'gives up when a webhook says no', action: givingUp, mode: 'admission', foundBy: 'comes to rest', fault: 'a webhook denies write 3 of process 1' },
  { what: 'does not go on when a webhook adds a label', action: suspicious, mode: 'admission', foundBy: 'comes to rest', fault: 'a webhook adds a label to write 3 of process 1' },
])('an Action that $what', ({ action, mode, foundBy, fault }) => {
  const settings = { objects: [thing({})], modes: [mode], budgetMs: 20_000, mostFailures: 1 };

  test(`is found: ${foundBy}`, async () => {
    const result = await exploreCatalog(release([only(action(false))]), settings);
    expect(result.failures[0]?.violations[0]?.check, explorationText(result)).toBe(foundBy);
    expect(explorationText(result)).toContain(fault);
  }, 60_000);

  test('is not found in the repaired twin', async () => {
    const result = await exploreCatalog(release([only(action(true))]), settings);
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(result.notRun).toEqual([]);
  }, 60_000);
});
