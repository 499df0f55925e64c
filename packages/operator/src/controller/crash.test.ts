// A process killed before or after any write of an install or an upgrade leaves nothing that its successor does not mend.
import { expect, test } from 'vitest';
import type { KubernetesObject, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { crashingTransport, type CrashPlan } from '../testing/crashing-transport.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';
import { World } from '../testing/world.ts';
import { partsOf } from './custom-object.ts';

type Json = Readonly<Record<string, unknown>>;

async function isAt(world: World, version: string): Promise<boolean> {
  const found = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
  const { procedure, conditions } = (found === undefined ? {} : partsOf(found).status) as {
    readonly procedure?: { readonly version?: string; readonly phase?: string };
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  const isReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  return procedure?.version === version && procedure.phase === 'Steady' && isReady;
}

/** Everything that a user would compare: children without what every run names anew. */
async function finalState(world: World): Promise<Json> {
  const kinds = [
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'apps/v1', kind: 'Deployment' },
  ];
  const lists = await Promise.all(kinds.map((kind) => world.client.list(kind, { namespace: 'default' })));
  const children = lists.flatMap(({ items }) => items).filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  const owner = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
  return { children: children.map(plain), finalizers: owner?.metadata.finalizers, record: recordOf(owner) };
}

function plain({ kind, metadata, ...rest }: KubernetesObject): Json {
  const { name, labels, annotations } = metadata;
  const { 'procedures.pawl.dev/owner-uid': _uid, ...marks } = annotations ?? {};
  const { spec, data } = rest as { readonly spec?: unknown; readonly data?: unknown };
  return { kind, name, labels, marks, spec, data };
}

function recordOf(owner: KubernetesObject | undefined): Json {
  const { procedure } = (owner === undefined ? {} : partsOf(owner).status) as { readonly procedure?: Json };
  const { applied, version, target } = (procedure?.['record'] ?? {}) as Json;
  return { applied, version, target };
}

interface Story {
  readonly before: ProcedurePackage | undefined;
  readonly after: ProcedurePackage;
  readonly version: string;
}

/** Runs a story with one crash; the successor is the same release. */
async function run({ before, after, version }: Story, plan?: CrashPlan): Promise<{ readonly state: Json; readonly writes: number; readonly crashed: boolean }> {
  const world = new World();
  try {
    await world.install(after);
    if (before !== undefined) {
      const old = await world.operator([before]);
      await world.client.create(Pages, page('front'));
      await world.until('the old version is there', () => isAt(world, '1.0.0'));
      await world.stop(old);
    } else await world.client.create(Pages, page('front'));
    const transport = crashingTransport(world.api, plan);
    const first = await world.operator([after], {}, transport);
    await world.until('it is killed or done', async () => transport.isDead() || (await isAt(world, version)));
    await world.run(1_000);
    if (transport.isDead()) {
      await world.run(1_000);
      await world.operator([after]);
      await world.until(`${version} is there after ${JSON.stringify(plan)}`, () => isAt(world, version));
      await world.run(1_000);
    } else await world.stop(first);
    return { state: await finalState(world), writes: transport.writes(), crashed: transport.isDead() };
  } finally {
    await world.abandon();
  }
}

const stories: readonly (Story & { readonly name: string })[] = [
  { name: 'an install', before: undefined, after: release(v1), version: '1.0.0' },
  { name: 'an install by an operator with two versions', before: undefined, after: release(v1, v2), version: '2.0.0' },
  { name: 'an upgrade', before: release(v1), after: release(v1, v2), version: '2.0.0' },
];

test.each(stories)('$name ends in the same state wherever its process is killed', async (story) => {
  const reference = await run(story);
  expect(reference.writes).toBeGreaterThan(5);
  for (let atWrite = 1; atWrite <= reference.writes; atWrite += 1)
    for (const moment of ['before', 'after'] as const) {
      const { state, crashed } = await run(story, { atWrite, moment });
      expect({ atWrite, moment, crashed, state }).toEqual({ atWrite, moment, crashed: true, state: reference.state });
    }
}, 120_000);
