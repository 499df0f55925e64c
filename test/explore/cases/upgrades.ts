// Mistakes between two versions: what the new one cannot change, and what it forgets.
import { done, type Action } from '@pawl/reconciler';
import { ConfigMaps, Deployments, explicit, type KubernetesContext } from '@pawl/reconciler/kubernetes';
import { forThings, release, thing, type Case, type Thing, type ThingProcedure } from './shared.ts';

type AnyAction = Action<KubernetesContext<Thing>, undefined>;

function twoVersions(old: AnyAction, next: AnyAction): readonly ThingProcedure[] {
  const v1 = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [old] });
  const v2 = forThings.deriveProcedure(v1, { version: '2.0.0', replace: [forThings.replaceAction(old, next)] });
  return [v1, v2];
}

function deployed(selector: Readonly<Record<string, string>>, base?: AnyAction, immutable?: 'Recreate'): AnyAction {
  return forThings.defineAction({
    name: 'Deployed',
    owns: { deployments: Deployments },
    ...(immutable === undefined ? {} : { immutable: { deployments: immutable } }),
    ...(base === undefined ? {} : { revision: 1 }),
    run: async ({ cluster }) => {
      const labels = { app: 'web', tier: 'front' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
      await cluster.deployments.apply({ metadata: { name: 'web' }, spec: { replicas: 1, selector: { matchLabels: selector }, template } });
      return done(undefined);
    },
  }) as AnyAction;
}

function disrupted(budget: boolean, kind: typeof ConfigMaps): AnyAction {
  return forThings.defineAction({
    name: 'Disrupted',
    owns: { maps: kind },
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'config' }, data: { has: 'always' } });
      if (budget) await cluster.maps.apply({ metadata: { name: 'budget' }, data: { least: '1' } });
      return done(undefined);
    },
  }) as AnyAction;
}

const old = deployed({ app: 'web' });
const marked = explicit(ConfigMaps);

export const upgradeCases: readonly Case[] = [
  {
    name: 'an upgrade adds a label to a selector, which nobody may change',
    reported: 'OT-CONTAINER-KIT/redis-operator 412, opendatahub-io/opendatahub-operator 746',
    faulty: release(twoVersions(old, deployed({ app: 'web', tier: 'front' }, old))),
    repaired: release(twoVersions(old, deployed({ app: 'web', tier: 'front' }, old, 'Recreate'))),
    modes: ['upgrade'],
    foundBy: 'comes to rest',
    options: { objects: [thing({})] },
  },
  {
    name: 'a budget that the new version no longer has stays and blocks drains',
    reported: 'tektoncd/operator 374',
    faulty: release(twoVersions(disrupted(true, marked), disrupted(false, marked))),
    repaired: release(twoVersions(disrupted(true, ConfigMaps), disrupted(false, ConfigMaps))),
    modes: ['upgrade'],
    foundBy: 'leaves no orphans',
    options: { objects: [thing({})] },
  },
];
