import { afterEach, beforeEach, expect, test } from 'vitest';
import { operatorConfig } from '../config.ts';
import { partsOf } from '../controller/custom-object.ts';
import { EVENTS } from '../events/event-object.ts';
import { page, Pages, release, v1, v2 } from '../testing/pages.ts';
import { countingRandom, World } from '../testing/world.ts';
import { operatorContainer } from '../wiring/operator-module.ts';
import { HEALTH, METRICS, OPERATOR } from '../wiring/tokens.ts';
import { PrometheusMetrics } from './prometheus-metrics.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await world.install(release(v1));
});
afterEach(() => world.close());

const isAt = (version: string) => async (): Promise<boolean> => {
  const found = await world.get(Pages.apiVersion, Pages.kind, 'front', 'default');
  const { procedure } = (found === undefined ? {} : partsOf(found).status) as { procedure?: { version?: string; phase?: string } };
  return procedure?.version === version && procedure.phase === 'Steady';
};
const told = async (): Promise<readonly string[]> => {
  const { items } = await world.client.list(EVENTS);
  const events = items as readonly (object & { readonly reason?: string; readonly note?: string })[];
  return events.map(({ reason, note }) => `${reason}: ${note}`).sort();
};

test('an install, an upgrade and a refusal are told by Events, each once', async () => {
  const old = await world.operator([release(v1)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  await world.stop(old);
  const newer = await world.operator([release(v1, v2)]);
  await world.until('front is at 2.0.0', isAt('2.0.0'));
  await world.stop(newer);
  await world.operator([release(v1)]);
  await world.run(30_000);
  expect(await told()).toEqual([
    'ObjectPruned: ConfigMap default/front-content is no longer wanted and was deleted',
    expect.stringMatching(/^RollbackBlocked: RollbackNotRequested: Page default\/front holds 2.0.0/),
    expect.stringMatching(/^RolloutHeld: 1 object that is fine now would stand still under this release; Page default\/front/),
    'UpgradeCompleted: 1.0.0 is verified and complete',
    'UpgradeCompleted: 2.0.0 is verified and complete',
    'UpgradeStarted: 1.0.0 is being installed',
    'UpgradeStarted: going from 1.0.0 to 2.0.0',
  ]);
});

test('metrics and health tell what the operator did and that nothing hangs', async () => {
  const { api: transport, clock } = world;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const config = operatorConfig({ operatorName: 'test', settleMs: 0, release: 'test 1.0.0' });
  const container = operatorContainer(config, [release(v1)], { transport, clock, random: countingRandom(11), log });
  // Without a port there is nobody to read them.
  container.rebind(METRICS).toConstantValue(new PrometheusMetrics());
  const operator = container.get(OPERATOR);
  await Promise.all([operator.start(), world.run(2_000)]);
  await world.client.create(Pages, page('front'));
  await world.until('front is at 1.0.0', isAt('1.0.0'));
  const text = await container.get(METRICS).text();
  for (const line of [
    'procedure_objects{kind="Page",version="1.0.0",mode="Steady"} 1',
    'procedure_hops_total{kind="Page",from="",to="1.0.0",mode="install",result="completed"} 1',
    'procedure_catalog_info{kind="Page",version="1.0.0",release="test 1.0.0"} 1',
    'procedure_record_writes_total{kind="Page",step="intent"} 1',
    'controller_runtime_active_workers{controller="Page"} 0',
    'controller_runtime_reconcile_total{controller="Page",result="error"} 0',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/rest_client_requests_total\{method="PATCH",host="kubernetes",code="200"\} [1-9]/);
  expect(text).not.toMatch(/^procedure_refused_mutations_total\{/m);
  const port = await container.get(HEALTH).listen(0, '127.0.0.1');
  const answers = await Promise.all(['healthz', 'readyz'].map((path) => fetch(`http://127.0.0.1:${port}/${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await container.get(HEALTH).close();
  await Promise.all([operator.stop(), world.run(3_000)]);
});
