// Mistakes that never let an operator rest, or let it depend on what it happened to see.
import { done } from '@pawl/reconciler';
import { ConfigMaps } from '@pawl/reconciler/kubernetes';
import { dataOf, forThings, only, release, thing, type Case } from './shared.ts';

/** What cannot be changed in place is replaced, whether it differs or not. */
function guarded(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Guarded',
    owns: { maps: ConfigMaps },
    run: async ({ object, cluster }) => {
      const text = object.spec.text ?? '';
      const budget = await cluster.maps.get('budget');
      const isOther = !isRepaired || dataOf(budget)['text'] !== text;
      if (budget !== undefined && isOther) await cluster.maps.remove(budget);
      await cluster.maps.apply({ metadata: { name: 'budget' }, data: { text }, immutable: true });
      return done();
    },
  });
}

/** The same input is written down in another way each time. */
function rendered(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Rendered',
    owns: { maps: ConfigMaps },
    run: async ({ cluster, random }) => {
      const parts = ['a', 'b', 'c', 'd'];
      const [turn = 0] = isRepaired ? [] : random.bytes(1);
      const order = [...parts.slice(turn % 4), ...parts.slice(0, turn % 4)];
      await cluster.maps.apply({ metadata: { name: 'config' }, data: { order: order.join(',') } });
      return done();
    },
  });
}

/** How many there may be depends on how many were there when it last looked. */
function neverFewer(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Scaled',
    owns: { maps: ConfigMaps },
    run: async ({ object, cluster }) => {
      const members = await cluster.maps.owned();
      const wanted = object.spec.replicas ?? 1;
      const count = isRepaired ? wanted : Math.max(wanted, members.length);
      for (let index = 0; index < count; index += 1)
        await cluster.maps.apply({ metadata: { name: `member-${index}` }, data: { member: String(index) } });
      return done();
    },
  });
}

/** Labels that are there are kept, whoever set them. */
function labelled(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Labelled',
    owns: { maps: ConfigMaps },
    run: async ({ object, cluster }) => {
      const found = await cluster.maps.get('service');
      const old = Object.entries(found?.metadata.labels ?? {}).filter(([name]) => name.startsWith('team'));
      const labels = { ...(isRepaired ? {} : Object.fromEntries(old)), ...object.spec.labels };
      await cluster.maps.apply({ metadata: { name: 'service', labels }, data: {} });
      return done();
    },
  });
}

export const restCases: readonly Case[] = [
  {
    name: 'a budget is deleted and made anew in every pass',
    reported: 'strimzi/strimzi-kafka-operator 2993',
    faulty: release([only(guarded(false))]),
    repaired: release([only(guarded(true))]),
    modes: ['install'],
    foundBy: 'comes to rest',
    options: { objects: [thing({ text: 'a' })] },
  },
  {
    name: 'the same configuration is written in another order each time, and triggers itself',
    reported: 'operator-framework/operator-lifecycle-manager 1816',
    faulty: release([only(rendered(false))]),
    repaired: release([only(rendered(true))]),
    modes: ['install'],
    foundBy: 'stays quiet',
    options: { objects: [thing({})] },
  },
  {
    name: 'whether a cluster may shrink depends on whether the operator saw it grow',
    reported: 'rabbitmq/cluster-operator 758',
    faulty: release([only(neverFewer(false))]),
    repaired: release([only(neverFewer(true))]),
    modes: ['unobserved'],
    foundBy: 'leaves no orphans',
    options: { objects: [thing({ replicas: 1 })], edits: [{ spec: { replicas: 3 } }, { spec: { replicas: 2 } }] },
  },
  {
    name: 'a label that is no longer wanted stays',
    reported: 'minio/operator, found by xlab-uiuc/acto 341',
    faulty: release([only(labelled(false))]),
    repaired: release([only(labelled(true))]),
    modes: ['edit'],
    foundBy: 'ends like a fresh install',
    options: { objects: [thing({ labels: { team: 'a' } })], edits: [{ spec: { labels: null } }] },
  },
];
