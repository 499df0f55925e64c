// Comparing hops as a part of exploring: what no run shows, and what one shows already.
import { done, proceduresFor } from '@pawl/reconciler';
import { crdFor, defineCatalog, definePackage, defineResource, Deployments, Jobs, Services, type CustomResource, type KubernetesContext, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { expect, test } from 'vitest';
import { exploreCatalog } from '../explore/explore.ts';
import { replayPlan } from '../explore/replay.ts';
import { explorationJunit } from '../report/machine.ts';
import { explorationText } from '../report/text.ts';

interface Site extends CustomResource<'pairs.pawl.dev/v1', 'Site', object> {}
const Sites = defineResource<Site>({ apiVersion: 'pairs.pawl.dev/v1', kind: 'Site', plural: 'sites' });
const forSites = proceduresFor<KubernetesContext<Site>>();

function siteWith(older: { readonly app: string; readonly command: string }, newer: typeof older & { readonly recreates?: boolean }): ProcedurePackage {
  const action = ({ app, command, recreates = false }: typeof newer, revision: number) =>
    forSites.defineAction({
      name: 'Served',
      revision,
      owns: { deployments: Deployments, services: Services, jobs: Jobs },
      ...(recreates ? { immutable: { jobs: 'Recreate' } } : {}),
      run: async ({ cluster }) => {
        const containers = [{ name: 'web', image: 'web:1' }];
        // The set of pods is found by a label that stays; the Service asks for another one.
        await cluster.deployments.apply({ metadata: { name: 'web' }, spec: { selector: { matchLabels: { set: 'web' } }, template: { metadata: { labels: { set: 'web', app } }, spec: { containers } } } });
        await cluster.services.apply({ metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
        await cluster.jobs.apply({ metadata: { name: 'setup' }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'setup', image: 'setup:1', command: [command] }] } } } });
        return done();
      },
    });
  const first = action(older, 0);
  const v1 = forSites.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [first] });
  const v2 = forSites.deriveProcedure(v1, { version: '2.0.0', replace: [forSites.replaceAction(first, action(newer, 1))] });
  return definePackage({
    name: 'sites',
    kinds: [defineCatalog(Sites, [v1, v2])],
    crds: [crdFor(Sites, { spec: { type: 'object' } })],
    examples: [{ apiVersion: 'pairs.pawl.dev/v1', kind: 'Site', metadata: { name: 'one', namespace: 'default' }, spec: {} }],
  });
}

const same = { app: 'web', command: 'a' };

test('a Service that selects nothing any more is found, although every run ends like a fresh install', async () => {
  const sites = siteWith(same, { ...same, app: 'web-2' });
  const result = await exploreCatalog(sites, { modes: ['upgrade'], budgetMs: 20_000 });
  expect(result.pairs).toEqual([expect.objectContaining({ edge: '1.0.0 → 2.0.0', object: 'Service default/web', path: '.spec.selector', severity: 'error' })]);
  expect(result.failures.map(({ edge, violations }) => [edge, violations.map(({ check, object }) => `${check}: ${object ?? ''}`)])).toEqual([
    ['1.0.0 → 2.0.0', ['fits the version before: Service default/web']],
  ]);
  expect(explorationText(result)).toContain('1.0.0 → 2.0.0: Service default/web .spec.selector: in 2.0.0 it selects pods of 1.0.0 only, which go; to do: let the selector');
  const [failure] = result.failures;
  const again = failure === undefined ? undefined : await replayPlan(sites, failure.plan);
  expect(again?.violations.map(({ check }) => check)).toEqual(['fits the version before']);
  expect(await replayPlan(siteWith(same, same), failure?.plan ?? { kind: '', deed: { does: 'create' }, turns: [], faults: [], seed: 1 })).toBeUndefined();
}, 60_000);

test('what the API refuses is told with the field, once: the upgrade that stops at it is the failure', async () => {
  const sites = siteWith(same, { ...same, command: 'b' });
  const result = await exploreCatalog(sites, { modes: ['upgrade'], budgetMs: 20_000, mostFailures: 1 });
  expect(result.pairs).toEqual([expect.objectContaining({ object: 'Job default/setup', path: '.spec.template', severity: 'error' })]);
  expect(result.failures.map(({ violations }) => violations[0]?.check)).toEqual(['comes to rest']);
}, 60_000);

test('where upgrades are not explored, comparing is what finds it', async () => {
  const result = await exploreCatalog(siteWith(same, { ...same, command: 'b' }), { modes: ['install'], budgetMs: 20_000 });
  expect(result.failures.map(({ violations }) => violations[0]?.check)).toEqual(['fits the version before']);
  expect(explorationJunit(result)).toMatch(/name="upgrade: 1\.0\.0 → 2\.0\.0 \(1 runs\)"><failure /);
}, 60_000);

test('the declared way to change an immutable field is no fault', async () => {
  const result = await exploreCatalog(siteWith(same, { ...same, command: 'b', recreates: true }), { modes: ['install'], budgetMs: 20_000 });
  expect(result.failures).toEqual([]);
  expect(result.pairs).toEqual([expect.objectContaining({ object: 'Job default/setup', severity: 'information', says: expect.stringContaining('declares with Recreate') as string })]);
}, 60_000);
