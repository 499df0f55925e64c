// Mistakes in the order of two steps: a crash between them destroys what the second one needs.
import { done, pending, TerminalError } from '@pawl/reconciler';
import { ConfigMaps, statusOf } from '@pawl/reconciler/kubernetes';
import { dataOf, forThings, only, release, thing, Things, type Case } from './shared.ts';

/** ConfigMaps stand for the set and its claim: what matters is which is written when. */
function resized(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Resized',
    owns: { maps: ConfigMaps },
    run: async ({ object, cluster }) => {
      const size = String(object.spec.size ?? 1);
      const [set, claim] = await Promise.all([cluster.maps.get('set'), cluster.maps.get('claim')]);
      const isAnother = set !== undefined && dataOf(set)['size'] !== size;
      if (isAnother) await cluster.maps.remove(set);
      if (isRepaired || isAnother || claim === undefined) await cluster.maps.apply({ metadata: { name: 'claim' }, data: { size } });
      else cluster.maps.keep(claim);
      await cluster.maps.apply({ metadata: { name: 'set' }, data: { size } });
      return done();
    },
  });
}

/** One member after the other goes; which one is going stands in the status. */
function shrunk(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Shrunk',
    owns: { maps: ConfigMaps },
    edits: { status: statusOf(Things, 'removing') },
    run: async ({ object, cluster }) => {
      const wanted = object.spec.replicas ?? 1;
      const going = object.status?.removing ?? '';
      for (let index = 0; index < wanted; index += 1)
        await cluster.maps.apply({ metadata: { name: `member-${index}` }, data: { member: String(index) } });
      const surplus = (await cluster.maps.owned()).filter(({ data }) => Number(data?.['member']) >= wanted);
      const [last] = surplus.toSorted((a, b) => b.metadata.name.localeCompare(a.metadata.name));
      for (const member of surplus) if (member !== last || going !== last.metadata.name) cluster.maps.keep(member);
      if (going !== '') {
        if (last?.metadata.name !== going && !isRepaired) throw new TerminalError(`${going} is to go and is not there`);
        if (last?.metadata.name === going) await cluster.maps.remove(last);
        cluster.status.set({ removing: '' });
        return pending('Shrinking', `${going} has gone`);
      }
      if (last === undefined) {
        cluster.status.set({ removing: '' });
        return done();
      }
      cluster.status.set({ removing: last.metadata.name });
      return pending('Shrinking', `${last.metadata.name} goes`, { requeueAfterMs: 0 });
    },
  });
}

/** The restart of a pod is marked after its configuration was changed. */
function restarted(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Restarted',
    owns: { maps: ConfigMaps },
    run: async ({ object, cluster }) => {
      const text = object.spec.text ?? '';
      const [config, pod] = await Promise.all([cluster.maps.get('config'), cluster.maps.get('pod')]);
      const isChanged = dataOf(config)['text'] !== text;
      await cluster.maps.apply({ metadata: { name: 'config' }, data: { text } });
      if (isRepaired || isChanged || pod === undefined) await cluster.maps.apply({ metadata: { name: 'pod' }, data: { runs: text } });
      else cluster.maps.keep(pod);
      return done();
    },
  });
}

/** A note about the first step is made only where the first object is created. */
function noted(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Noted',
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      const [main, note] = await Promise.all([cluster.maps.get('main'), cluster.maps.get('note')]);
      await cluster.maps.apply({ metadata: { name: 'main' }, data: { is: 'there' } });
      if (isRepaired || main === undefined) await cluster.maps.apply({ metadata: { name: 'note' }, data: { step: 'created' } });
      else if (note === undefined) return pending('WaitingForStep', 'nothing says which step is next');
      else cluster.maps.keep(note);
      return done();
    },
  });
}

/** Two objects are made when the first of them is missing. */
function certified(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Certified',
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      const [outer, inner] = await Promise.all([cluster.maps.get('ssl'), cluster.maps.get('ssl-internal')]);
      if (isRepaired || outer === undefined) {
        await cluster.maps.apply({ metadata: { name: 'ssl' }, data: { for: 'clients' } });
        await cluster.maps.apply({ metadata: { name: 'ssl-internal' }, data: { for: 'peers' } });
      } else for (const known of [outer, inner]) if (known !== undefined) cluster.maps.keep(known);
      return done();
    },
  });
}

const resize = { objects: [thing({ size: 10 })], edits: [{ spec: { size: 15 } }] };
const install = { objects: [thing({})] };
const shrink = { objects: [thing({ replicas: 2 })], edits: [{ spec: { replicas: 1 } }] };
const change = { objects: [thing({ text: 'old' })], edits: [{ spec: { text: 'new' } }] };

export const orderCases: readonly Case[] = [
  {
    name: 'a volume is never enlarged: deleting the set destroyed the sign that it must be',
    reported: 'rabbitmq/cluster-operator 782',
    faulty: release([only(resized(false))]),
    repaired: release([only(resized(true))]),
    modes: ['edit'],
    foundBy: 'ends like a fresh install',
    options: resize,
  },
  {
    name: 'a member that has gone is waited for: the phase was recorded after the effect',
    reported: 'Orange-OpenSource/casskop 370',
    faulty: release([only(shrunk(false))]),
    repaired: release([only(shrunk(true))]),
    modes: ['edit'],
    foundBy: 'comes to rest',
    options: shrink,
  },
  {
    name: 'a new configuration never reaches the pod: the difference was the only sign, and it is gone',
    reported: 'konpyutaika/nifikop 49',
    faulty: release([only(restarted(false))]),
    repaired: release([only(restarted(true))]),
    modes: ['edit'],
    foundBy: 'ends like a fresh install',
    options: change,
  },
  {
    name: 'a later step never comes: the earlier one is noted only where something is created',
    reported: 'konpyutaika/nifikop 79',
    faulty: release([only(noted(false))]),
    repaired: release([only(noted(true))]),
    modes: ['install'],
    foundBy: 'comes to rest',
    options: install,
  },
  {
    name: 'the second of two secrets is missing: both are made if the first is not there',
    reported: 'Percona K8SPXC-896 and K8SPSMDB-578',
    faulty: release([only(certified(false))]),
    repaired: release([only(certified(true))]),
    modes: ['install'],
    foundBy: 'ends like a fresh install',
    options: install,
  },
];
