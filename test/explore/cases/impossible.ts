// Mistakes that the API does not let an author make: written down naively, they come out right. The explorer stays silent.
import { done, pending } from '@pawl/reconciler';
import { ConfigMaps, Services } from '@pawl/reconciler/kubernetes';
import type { ExploreOptions, ModeName } from '@pawl/testkit';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { forThings, only, release, thing } from './shared.ts';

export interface Prevented {
  readonly name: string;
  readonly reported: string;
  /** What prevents it. */
  readonly because: string;
  readonly naive: ProcedurePackage;
  readonly modes: readonly ModeName[];
  readonly options: ExploreOptions;
}

const sized = forThings.defineAction({
  name: 'Sized',
  owns: { maps: ConfigMaps },
  run: async ({ object, cluster }) => {
    await cluster.maps.apply({ metadata: { name: 'claim' }, data: { size: String(object.spec.size ?? 1) } });
    return done();
  },
});

const served = forThings.defineAction({
  name: 'Served',
  owns: { services: Services },
  run: async ({ object, cluster }) => {
    const { labels = {} } = object.spec;
    await cluster.services.apply({ metadata: { name: 'web', labels }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
    return done();
  },
});

/** Removes what is too much in every pass, without a look at whether it goes already. */
const trimmed = forThings.defineAction({
  name: 'Trimmed',
  owns: { maps: ConfigMaps },
  run: async ({ object, cluster }) => {
    const wanted = object.spec.replicas ?? 1;
    for (let index = 0; index < wanted; index += 1)
      await cluster.maps.apply({ metadata: { name: `member-${index}` }, data: { member: String(index) } });
    for (const member of await cluster.maps.owned()) if (Number(member.data?.['member']) >= wanted) await cluster.maps.remove(member);
    return done();
  },
});

const step = (name: string, object: string) =>
  forThings.defineAction({
    name,
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: object }, data: { is: 'there' } });
      return done();
    },
  });

/** Waits half way for as long as somebody wants it to. */
const migrated = forThings.defineAction({
  name: 'Migrated',
  run: ({ object }) => (object.spec.size === 1 ? pending('Migrating', 'it is held half way') : done()),
});

const deployed = step('Deployed', 'server');
const first = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [step('Prepared', 'data'), deployed] });
const second = forThings.deriveProcedure(first, { version: '2.0.0', rollbackTo: '1.0.0', remove: [deployed], add: [step('RolledOut', 'server'), migrated] });
const third = forThings.deriveProcedure(second, {
  version: '2.0.1',
  minVersion: '1.0.0',
  fromPartial: '2.0.0',
  rollbackTo: '>=1.0.0',
  remove: [migrated],
  add: [step('Converted', 'format')],
});

/** Every version renames an Action of the one before, and has another one more. */
export const renaming = release([first, second, third]);

const kept = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [sized] });
const releases = release([kept, forThings.deriveProcedure(kept, { version: '2.0.0', add: [step('Served', 'server')] })]);

const neverSmaller: ExploreOptions['invariants'] = [
  {
    name: 'the claim has a size that somebody asked for',
    faults: ({ objects }) => {
      const claim = objects.find(({ metadata }) => metadata.name === 'claim') as { readonly data?: { readonly size?: string } } | undefined;
      return claim === undefined || ['10', '15'].includes(claim.data?.size ?? '') ? [] : [`it is ${claim.data?.size}`];
    },
  },
];

export const prevented: readonly Prevented[] = [
  {
    name: 'a stale view of the object shrinks a volume',
    reported: 'rabbitmq/cluster-operator 653',
    because: 'the object is read live before the first change of a cycle, and an older view ends the cycle',
    naive: release([only(sized)]),
    modes: ['stale', 'edit'],
    options: { objects: [thing({ size: 10 })], edits: [{ spec: { size: 15 } }], invariants: neverSmaller },
  },
  {
    name: 'an object is written for ever because the server fills in defaults',
    reported: 'rajsinghtech/homer-operator 114',
    because: 'only fields that the author set are compared, and an object that has them is not sent',
    naive: release([only(served)]),
    modes: ['install', 'watches'],
    options: { objects: [thing({})] },
  },
  {
    name: 'a deletion is sent in every pass while the object is going',
    reported: 'k8ssandra/cass-operator 117',
    because: 'what is being deleted is not deleted again',
    naive: release([only(trimmed)]),
    modes: ['edit'],
    options: { objects: [thing({ replicas: 3 })], edits: [{ spec: { replicas: 1 } }] },
  },
  {
    name: 'an answer that is written back into the cache hides a newer event',
    reported: 'argoproj/argo-rollouts 4073',
    because: 'the cache keeps the newer of answer and event',
    naive: release([only(sized)]),
    modes: ['watches'],
    options: { objects: [thing({ size: 10 })], edits: [{ spec: { size: 15 } }] },
  },
  {
    name: 'a step that the new version has is not in the status that the old one left',
    reported: 'kudobuilder/kudo 1754',
    because: 'what the status says of Actions is for people: which ones run follows from the version, in every pass anew',
    naive: release([first, second]),
    modes: ['upgrade'],
    options: { objects: [thing({})] },
  },
  {
    name: 'two operators of two releases write at once, for the Lease is named by the version or there is none',
    reported: 'scylladb/scylla-operator 683, infobloxopen/konk 707',
    because: 'the name of the Lease follows from that of the operator, the manifests always ask for one, and only its holder writes',
    naive: releases,
    modes: ['leaders'],
    options: { objects: [thing({ size: 10 })] },
  },
];
