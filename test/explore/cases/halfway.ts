// Mistakes in the middle of an upgrade: a version that never gets done, a plan that is too old, a phase that nobody leaves,
// and a version that is told too early.
import { done, pending, TerminalError, type Action } from '@pawl/reconciler';
import { ConfigMaps, statusOf, type KubernetesContext, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { recordStates, type Invariant, type StartState } from '@pawl/testkit';
import { dataOf, forThings, release, thing, Things, type Case, type Thing, type ThingProcedure } from './shared.ts';

type AnyAction = Action<KubernetesContext<Thing>, undefined>;

/** What is looked at in objects of several kinds. */
interface Standing {
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: { readonly ordered?: string; readonly procedure?: { readonly version?: string; readonly record?: { readonly target?: string } } };
}

/** Says which format is there. */
const formatted = (format: string): AnyAction =>
  forThings.defineAction({
    name: 'Formatted',
    owns: { maps: ConfigMaps },
    ...(format === 'old' ? {} : { revision: 1 }),
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'format' }, data: { format } });
      return done(undefined);
    },
  }) as AnyAction;

/** Works as long as the tool of the release is to be had. */
const converted = (isToBeHad: boolean): AnyAction =>
  forThings.defineAction({
    name: 'Converted',
    run: () => {
      if (!isToBeHad) throw new Error('the tool that converts is gone');
      return done(undefined);
    },
  }) as AnyAction;

const oldFormat = formatted('old');
const first = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [oldFormat] });
const change = forThings.replaceAction(oldFormat, formatted('new'));
const broken = (isToBeHad: boolean): ThingProcedure =>
  forThings.deriveProcedure(first, { version: '2.0.0', replace: [change], add: [converted(isToBeHad)] });
/** @param fromPartial what the release that mends 2.0.0 may take over half way */
const mended = (fromPartial?: string): ProcedurePackage =>
  release([
    first,
    broken(false),
    forThings.deriveProcedure(first, { version: '2.0.1', minVersion: '1.0.0', replace: [change], ...(fromPartial === undefined ? {} : { fromPartial }) }),
  ]);

/** 2.0.0 was begun when it still worked, and its operator was killed after its first object. */
async function begun(): Promise<StartState> {
  const states = await recordStates(release([first, broken(true)]), { objects: [thing({})], versions: ['2.0.0'] });
  const found = states.find(({ name, objects }) => {
    const { status } = (objects.find(({ kind }) => kind === 'Thing') ?? {}) as Standing;
    return name.includes('upgrade') && status?.procedure?.record?.target === '2.0.0' && objects.some((object) => (object as Standing).data?.['format'] === 'new');
  });
  if (found === undefined) throw new Error(`no half of 2.0.0 among ${states.map(({ name }) => name).join(', ')}`);
  return found;
}

/** The steps of an upgrade stand in the status, made when the first of them begins. */
function planned(steps: readonly string[], isRepaired: boolean): AnyAction {
  return forThings.defineAction({
    name: 'Planned',
    owns: { maps: ConfigMaps },
    edits: { status: statusOf(Things, 'ordered') },
    run: async ({ object, cluster }) => {
      const known = object.status?.ordered ?? '';
      const plan = known === '' || isRepaired ? steps.join() : known;
      cluster.status.set({ ordered: plan });
      for (const step of steps) {
        if (!plan.split(',').includes(step)) throw new TerminalError(`the plan has no step ${step}`);
        await cluster.maps.apply({ metadata: { name: step }, data: { step } });
      }
      return done(undefined);
    },
  }) as AnyAction;
}

const MEMBERS = ['member-0', 'member-1', 'member-2'];

type Told = 'while it rolls' | 'from the beginning' | 'in the end';

/**
 * One member after the other gets the image; `size` says how many of them may.
 *
 * @param told when the status names the image
 * @param isLocked another image in the status is another rollout, which must end first
 */
function rolled(image: string, told: Told, isLocked = false): AnyAction {
  return forThings.defineAction({
    name: 'Rolled',
    owns: { maps: ConfigMaps },
    edits: { status: statusOf(Things, 'ordered') },
    run: async ({ object, cluster }) => {
      const rolling = object.status?.ordered ?? '';
      if (isLocked && rolling !== '' && rolling !== image) {
        for (const member of await cluster.maps.owned()) cluster.maps.keep(member);
        return pending('Upgrading', `the upgrade to ${rolling} is under way`);
      }
      let isRolling = false;
      for (const [index, name] of MEMBERS.entries()) {
        const known = await cluster.maps.get(name);
        const isAnother = dataOf(known)['image'] !== image;
        if (isRolling || (isAnother && index >= (object.spec.size ?? MEMBERS.length))) {
          if (known !== undefined) cluster.maps.keep(known);
          isRolling = true;
          continue;
        }
        isRolling = isAnother;
        await cluster.maps.apply({ metadata: { name }, data: { image } });
      }
      if (told === 'while it rolls') cluster.status.set({ ordered: isRolling ? image : '' });
      else if (told === 'from the beginning' || !isRolling) cluster.status.set({ ordered: image });
      return isRolling ? pending('Rolling', `members get ${image}`, { requeueAfterMs: 1_000 }) : done(undefined);
    },
  }) as AnyAction;
}

function twoVersions(old: AnyAction, next: AnyAction): ProcedurePackage {
  const v1 = forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions: [old] });
  const v2 = forThings.deriveProcedure(v1, { version: '2.0.0', rollbackTo: '1.0.0', replace: [forThings.replaceAction(old, next)] });
  return release([v1, v2]);
}

/** What says that it is at 2.0.0, or at the image of 2.0.0, while members are not. */
const toldWhenDone: Invariant = {
  name: 'a version is told when every member has it',
  faults: ({ objects }) => {
    const behind = MEMBERS.filter((name) => !objects.some((object) => object.metadata.name === name && (object as Standing).data?.['image'] === 'web:2'));
    const { status } = (objects.find(({ kind }) => kind === 'Thing') ?? {}) as Standing;
    const isTold = status?.ordered === 'web:2' || status?.procedure?.version === '2.0.0';
    return isTold && behind.length > 0 ? [`it is told while ${behind.join(', ')} have another`] : [];
  },
};

export const halfwayCases: readonly Case[] = [
  {
    name: 'a version that fails for ever is never left, for the one that mends it does not accept it half applied',
    reported: 'kudobuilder/kudo 1764, 1140 and 1752',
    faulty: mended(),
    repaired: mended('2.0.0'),
    modes: ['recorded'],
    from: begun,
    foundBy: 'comes to rest',
    options: {},
  },
  {
    name: 'a step that the new version has is not in the plan that the old one stored',
    reported: 'kudobuilder/kudo 1754',
    faulty: twoVersions(planned(['prepare', 'deploy'], false), planned(['prepare', 'migrate', 'roll-out'], false)),
    repaired: twoVersions(planned(['prepare', 'deploy'], true), planned(['prepare', 'migrate', 'roll-out'], true)),
    modes: ['upgrade', 'interrupted'],
    foundBy: 'comes to rest',
    options: { objects: [thing({})] },
  },
  {
    name: 'an upgrade that is taken back when some members have it stays in its phase for ever',
    reported: 'pingcap/tidb-operator 5204',
    faulty: twoVersions(rolled('web:1', 'while it rolls', true), rolled('web:2', 'while it rolls', true)),
    repaired: twoVersions(rolled('web:1', 'while it rolls'), rolled('web:2', 'while it rolls')),
    modes: ['rollback'],
    foundBy: 'comes to rest',
    options: { objects: [thing({})] },
  },
  {
    name: 'the new version is told as soon as its operator starts, before any member has it',
    reported: 'openshift/cluster-network-operator 979, cluster-dns-operator 274 and machine-config-operator 855',
    faulty: twoVersions(rolled('web:1', 'from the beginning'), rolled('web:2', 'from the beginning')),
    repaired: twoVersions(rolled('web:1', 'in the end'), rolled('web:2', 'in the end')),
    modes: ['upgrade'],
    foundBy: 'keeps the invariants',
    options: { objects: [thing({})], invariants: [toldWhenDone] },
  },
];
