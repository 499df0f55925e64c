// Mistakes with systems outside the API: an effect that is half done, done twice, or taken for done.
import { bindExternal, defineExternal, done, pending } from '@pawl/reconciler';
import { ConfigMaps, statusOf } from '@pawl/reconciler/kubernetes';
import { fakeExternal, type Invariant } from '@pawl/testkit';
import { dataOf, forThings, only, release, thing, Things, type Case } from './shared.ts';

interface Ring {
  readonly reads: { readonly isLeaving: (member: string) => Promise<boolean> };
  readonly effects: { readonly leave: (member: string) => Promise<void>; readonly rejoin: (member: string) => Promise<void> };
}
const ring = defineExternal<Ring>('ring');
const ringFake = fakeExternal('ring', { leaving: [] as string[] }, (state: { leaving: string[] }) => ({
  reads: { isLeaving: (member: string) => Promise.resolve(state.leaving.includes(member)) },
  effects: {
    leave: (member: string) => {
      if (!state.leaving.includes(member)) state.leaving.push(member);
      return Promise.resolve();
    },
    rejoin: (member: string) => {
      state.leaving = state.leaving.filter((one) => one !== member);
      return Promise.resolve();
    },
  },
}));
const nowhere = (): never => {
  throw new Error('there is no real one');
};

/** A member leaves the ring before its pod goes; the spec may turn back in between. */
function decommissioned(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Members',
    owns: { maps: ConfigMaps },
    external: { ring },
    run: async ({ object, cluster, external }) => {
      const wanted = object.spec.replicas ?? 1;
      for (let index = 0; index < wanted; index += 1) {
        const name = `member-${index}`;
        if (isRepaired && (await external.ring.isLeaving(name))) await external.ring.rejoin(name);
        await cluster.maps.apply({ metadata: { name }, data: { member: String(index) } });
      }
      for (const member of await cluster.maps.owned()) {
        if (Number(member.data?.['member']) < wanted) continue;
        const { name } = member.metadata;
        if (!(await external.ring.isLeaving(name))) {
          cluster.maps.keep(member);
          await external.ring.leave(name);
          return pending('Leaving', `${name} leaves`, { requeueAfterMs: 5_000 });
        }
        await cluster.maps.remove(member);
      }
      return done();
    },
  });
}

const nobodyLeaves: Invariant = {
  name: 'no member that is wanted is leaving',
  when: 'in the end',
  faults: ({ objects, externals }) => {
    const { leaving = [] } = (externals['ring'] ?? {}) as { readonly leaving?: readonly string[] };
    return objects.filter(({ metadata }) => leaving.includes(metadata.name)).map(({ metadata }) => `${metadata.name} is leaving for ever`);
  },
};

interface Authority {
  readonly reads: { readonly find: (key: string) => Promise<string | undefined> };
  readonly effects: { readonly order: (key: string) => Promise<string> };
}
const authority = defineExternal<Authority>('authority');
const authorityFake = fakeExternal('authority', { orders: [] as string[] }, (state: { orders: string[] }) => ({
  reads: { find: (key: string) => Promise.resolve(state.orders.find((order) => order.startsWith(`${key}/`))) },
  effects: {
    order: (key: string) => {
      const order = `${key}/${state.orders.length}`;
      state.orders.push(order);
      return Promise.resolve(order);
    },
  },
}));

/** What was ordered is remembered in the status, which is written when all is over. */
function ordered(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Ordered',
    edits: { status: statusOf(Things, 'ordered') },
    external: { authority },
    run: async ({ object, cluster, external }) => {
      const known = object.status?.ordered;
      if (known !== undefined) return done();
      const found = isRepaired ? await external.authority.find(object.metadata.uid) : undefined;
      cluster.status.set({ ordered: found ?? (await external.authority.order(object.metadata.uid)) });
      return done();
    },
  });
}

const orderedOnce: Invariant = {
  name: 'one certificate is ordered',
  faults: ({ externals }) => {
    const { orders = [] } = (externals['authority'] ?? {}) as { readonly orders?: readonly string[] };
    return orders.length > 1 ? [`${orders.length} were ordered`] : [];
  },
};

interface Host {
  readonly reads: { readonly isCordoned: () => Promise<boolean> };
  readonly effects: { readonly uncordon: () => Promise<void> };
}
const host = defineExternal<Host>('host');
const hostFake = fakeExternal('host', { cordoned: true }, (state: { cordoned: boolean }) => ({
  reads: { isCordoned: () => Promise.resolve(state.cordoned) },
  effects: {
    uncordon: () => {
      state.cordoned = false;
      return Promise.resolve();
    },
  },
}));

/** The state says "back" before the host is. */
function back(isRepaired: boolean) {
  return forThings.defineAction({
    name: 'Back',
    owns: { maps: ConfigMaps },
    external: { host },
    run: async ({ cluster, external }) => {
      if (isRepaired && (await external.host.isCordoned())) await external.host.uncordon();
      const isBack = dataOf(await cluster.maps.get('state'))['is'] === 'back';
      await cluster.maps.apply({ metadata: { name: 'state' }, data: { is: 'back' } });
      if (!isRepaired && !isBack) await external.host.uncordon();
      return done();
    },
  });
}

const hostServes: Invariant = {
  name: 'the host serves again',
  when: 'in the end',
  faults: ({ externals, objects }) => {
    const { cordoned } = (externals['host'] ?? {}) as { readonly cordoned?: boolean };
    return cordoned === true && objects.some(({ kind }) => kind === 'ConfigMap') ? ['it stays cordoned'] : [];
  },
};

const bound = [bindExternal(ring, nowhere), bindExternal(authority, nowhere), bindExternal(host, nowhere)];

export const outsideCases: readonly Case[] = [
  {
    name: 'a member that is wanted again leaves for ever: the effect outlived the wish',
    reported: 'instaclustr/cassandra-operator 410',
    faulty: release([only(decommissioned(false))], bound),
    repaired: release([only(decommissioned(true))], bound),
    modes: ['unobserved'],
    foundBy: 'keeps the invariants',
    options: {
      objects: [thing({ replicas: 3 })],
      edits: [{ spec: { replicas: 2 } }, { spec: { replicas: 3 } }],
      invariants: [nobodyLeaves],
      fakes: [ringFake, authorityFake, hostFake],
    },
  },
  {
    name: 'a certificate is ordered twice: only the answer says that it was',
    reported: 'cert-manager/cert-manager 4956',
    faulty: release([only(ordered(false))], bound),
    repaired: release([only(ordered(true))], bound),
    modes: ['install'],
    foundBy: 'keeps the invariants',
    options: { objects: [thing({})], invariants: [orderedOnce], fakes: [ringFake, authorityFake, hostFake] },
  },
  {
    name: 'a node stays cordoned: its state was advanced before the effect',
    reported: 'bottlerocket-os/bottlerocket-update-operator 630',
    faulty: release([only(back(false))], bound),
    repaired: release([only(back(true))], bound),
    modes: ['install'],
    foundBy: 'keeps the invariants',
    options: { objects: [thing({})], invariants: [hostServes], fakes: [ringFake, authorityFake, hostFake] },
  },
];
