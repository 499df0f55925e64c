// Plans on a server behind HTTP and in real time: what both sides agree on, what a real server does otherwise, and what
// stays behind.
import { createApiServer, type ApiServer } from '@pawl/kube-api';
import { systemClock, systemRandom, type Transport } from '@pawl/operator';
import { done, proceduresFor } from '@pawl/reconciler';
import { ConfigMaps, crdFor, defineCatalog, definePackage, defineResource, type KubernetesContext, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Plan } from '../explore/plan.ts';
import type { Fault } from '../world/faults.ts';
import { exploreReal, type RealExploration } from './explore-real.ts';
import { relocated } from './namespaces.ts';
import { realJson, realText } from './report.ts';
import { simulatePlans, type Simulated } from './simulated.ts';
import { inProcessOperators } from './testing/in-process-operator.ts';

const Pairs = defineResource({ apiVersion: 'real.pawl.dev/v1', kind: 'Pair', plural: 'pairs' });
const kit = proceduresFor<KubernetesContext<KubernetesObject>>();

/** Two objects: the second one is made only beside the first one, or always. */
function pairs(isRepaired: boolean) {
  const made = kit.defineAction({
    name: 'Made',
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      const [first, second] = await Promise.all([cluster.maps.get('first'), cluster.maps.get('second')]);
      if (isRepaired || first === undefined) {
        await cluster.maps.apply({ metadata: { name: 'first' }, data: { is: 'there' } });
        await cluster.maps.apply({ metadata: { name: 'second' }, data: { is: 'there' } });
      } else for (const known of [first, second]) if (known !== undefined) cluster.maps.keep(known);
      return done();
    },
  });
  const more = kit.defineAction({
    name: 'More',
    requires: { made },
    owns: { maps: ConfigMaps },
    run: async ({ cluster }) => {
      await cluster.maps.apply({ metadata: { name: 'third' }, data: { is: 'there' } });
      return done();
    },
  });
  const v1 = kit.defineProcedure({ version: '1.0.0', actions: [made] });
  const v2 = kit.defineProcedure({ version: '2.0.0', minVersion: '1.0.0', rollbackTo: '1.0.0', actions: [more] });
  return definePackage({
    name: 'pairs',
    kinds: [defineCatalog(Pairs, [v1, v2])],
    crds: [crdFor(Pairs, { spec: { type: 'object' } })],
    examples: [{ apiVersion: 'real.pawl.dev/v1', kind: 'Pair', metadata: { name: 'one' }, spec: {} }],
  });
}

const install = (...faults: readonly Fault[]): Plan => ({ kind: 'Pair', deed: { does: 'create' }, turns: [{ release: { upTo: '2.0.0' } }], faults, seed: 1 });
const upgrade = (...faults: readonly Fault[]): Plan => ({ ...install(...faults), start: '1.0.0', deed: { does: 'nothing' } });
/** Writes of an install: the promise, its copy, the three objects. */
const killedAt = (write: number, moment: 'before' | 'after'): Fault => ({ kind: 'crash', process: 1, write, moment });

let server: ApiServer;
beforeEach(() => {
  server = createApiServer();
});
afterEach(() => server.close());

interface Changed {
  readonly signal?: AbortSignal;
  readonly transport?: Transport;
  readonly patienceMs?: number;
  readonly change?: (each: Simulated) => Simulated;
}

async function explore(isRepaired: boolean, plans: readonly Plan[], { transport = server, patienceMs = 30_000, change = (each) => each, signal = new AbortController().signal }: Changed = {}): Promise<RealExploration> {
  const whole = pairs(isRepaired);
  const { objects, namespaces } = relocated(whole.examples, whole, 'real');
  const options = { objects, namespaces, config: { namespaces }, patienceMs, quietMs: 1_100 };
  const simulated = (await simulatePlans(whole, plans, options)).map(change);
  const ports = { clock: systemClock, random: systemRandom, transport, startOperator: inProcessOperators(whole), signal };
  return exploreReal(whole, simulated, options, ports);
}

const names = async (path: string): Promise<readonly string[]> => {
  const { body } = await server.request({ method: 'GET', path });
  return ((body as { readonly items?: readonly KubernetesObject[] }).items ?? []).map(({ metadata }) => metadata.name);
};

test('a sound package ends the same on both sides, whatever strikes, and nothing stays behind', async () => {
  const before = await names('/api/v1/namespaces');
  const found = await explore(true, [
    install(killedAt(3, 'before')),
    install({ kind: 'watch', process: 1, event: 2, failure: 'drop' }),
    { ...upgrade(killedAt(4, 'after')), turns: [{ release: { upTo: '2.0.0' } }, { release: { upTo: '1.0.0' }, rollback: '1.0.0' }] },
  ]);
  expect(found.findings, realText(found)).toEqual([]);
  expect([found.plans.length, found.kills, found.faults, found.notRun]).toEqual([3, 2, 3, []]);
  expect(await names('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toEqual([]);
  expect(await names('/api/v1/configmaps')).toEqual([]);
  expect((await names('/api/v1/namespaces')).filter((name) => !before.includes(name))).toEqual([]);
}, 60_000);

test('a planted mistake is found, with the object named; that the simulation saw none is found, too', async () => {
  const found = await explore(false, [install(killedAt(3, 'after'))], { change: (each) => ({ ...each, violations: [] }) });
  expect(found.findings.map(({ violations }) => violations.map(({ check, says }) => `${check}: ${says}`))).toEqual([
    [
      'ends like a fresh install: ConfigMap real/second is missing',
      'differs from the simulation: “ends like a fresh install” was violated here, and not in the simulation',
    ],
  ]);
  expect(realText(found)).toMatch(/^✗ install by 2.0.0; process 1 is killed right after write 3\n.*ConfigMap real\/second is missing/);
  expect(realJson(found)).toMatchObject({ package: 'pairs', violations: [{ object: 'ConfigMap real/second', plan: { kind: 'Pair' } }, { check: 'differs from the simulation' }] });
}, 60_000);

test('a cluster on which even a plain install does not come to rest is told so, with the reason', async () => {
  const forbidden = { status: 403, headers: {}, body: { kind: 'Status', reason: 'Forbidden', message: 'not here', code: 403 } };
  const transport: Transport = {
    watch: server.watch,
    request: async (request) => (request.method === 'PATCH' && request.path.includes('/configmaps/third') ? forbidden : server.request(request)),
  };
  await expect(explore(true, [install(killedAt(2, 'before'))], { transport, patienceMs: 3_000 })).rejects.toMatchObject({ faults: [expect.stringMatching(/^a plain install of 2.0.0 does not come to rest within 3 s: .*not here/)] });
}, 60_000);

test('when all is called off in the middle, nothing stays behind', async () => {
  const calledOff = new AbortController();
  const transport: Transport = {
    watch: server.watch,
    request: async (request) => {
      if (request.method === 'PATCH' && request.path.includes('/configmaps/second')) calledOff.abort(new Error('called off'));
      return server.request(request);
    },
  };
  await expect(explore(true, [install(killedAt(5, 'before'))], { transport, signal: calledOff.signal })).rejects.toThrow('called off');
  expect(await names('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toEqual([]);
  expect(await names('/api/v1/configmaps')).toEqual([]);
}, 60_000);

test('an object of the whole cluster that is there already is in the way, and is left alone', async () => {
  const everywhere = defineResource({ apiVersion: 'real.pawl.dev/v1', kind: 'Everywhere', plural: 'everywheres', namespaced: false });
  const nothing = proceduresFor<KubernetesContext<KubernetesObject>>().defineAction({ name: 'Nothing', run: () => done() });
  const example = { apiVersion: 'real.pawl.dev/v1', kind: 'Everywhere', metadata: { name: 'one' }, spec: {} };
  const v1 = kit.defineProcedure({ version: '1.0.0', actions: [nothing] });
  const crds = [crdFor(everywhere, { spec: { type: 'object' } })];
  const whole = definePackage({ name: 'everywhere', kinds: [defineCatalog(everywhere, [v1])], crds, examples: [example] });
  const [crd] = crds;
  await server.request({ method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd } });
  await server.request({ method: 'POST', path: '/apis/real.pawl.dev/v1/everywheres', body: example });
  const ports = { clock: systemClock, random: systemRandom, transport: server, startOperator: inProcessOperators(whole), signal: new AbortController().signal };
  await expect(exploreReal(whole, [], { objects: whole.examples, namespaces: [] }, ports)).rejects.toMatchObject({
    faults: ['the cluster already has Everywhere one; allowed are samples that are not there'],
  });
  expect(await names('/apis/real.pawl.dev/v1/everywheres')).toEqual(['one']);
}, 60_000);

test('another order of writes than in the simulation is told', async () => {
  const change = (each: Simulated): Simulated => ({
    ...each,
    sequence: Object.fromEntries(Object.entries(each.sequence).map(([owner, steps]) => [owner, steps.map((step) => step.filter((write) => !write.includes('second')))])),
  });
  const found = await explore(true, [install(killedAt(3, 'before'))], { change });
  expect(found.findings.flatMap(({ violations }) => violations.map(({ check, says }) => `${check}: ${says}`))).toEqual([
    expect.stringMatching(/^differs from the simulation: after record: 2.0.0 Partial → 2.0.0 the simulation writes .*; the real server took .*PATCH configmaps real\/second/),
  ]);
}, 60_000);

test('what cannot strike is told, and does not count', async () => {
  const found = await explore(true, [install({ kind: 'clock', process: 1, write: 1, byMs: 1_000 }), install(killedAt(3, 'before'))], {
    change: (each) => ({ ...each, aims: each.aims.map((aim) => ({ ...aim, nth: 9 })) }),
  });
  expect([found.plans, found.kills]).toEqual([[], 0]);
  expect(realText(found)).toMatch(/^pairs on a real server \(v1\.\d+\.\d+.*\): nothing was carried out, which proves nothing, in 0 plans/);
  expect(found.notRun).toEqual([
    expect.stringMatching(/jumps by 1 s at write 1: clock: the clock of this machine cannot be made to jump/),
    expect.stringMatching(/the request that the simulation met with the fault \(PATCH .*\/configmaps\/first, number 9 of process 1\) never came$/),
  ]);
}, 60_000);
