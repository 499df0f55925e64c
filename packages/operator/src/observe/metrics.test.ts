import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import { fixedRandom } from '../testing/fixed-random.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { ScriptedTransport } from '../testing/scripted-transport.ts';
import { METRICS } from './metric-names.ts';
import { meteredTransport } from './metered-transport.ts';
import { MeteredQueue } from './metered-queue.ts';
import { noMetrics, type Metrics } from './metrics.ts';
import { sampleOf } from './object-samples.ts';
import { PrometheusMetrics } from './prometheus-metrics.ts';

/** The lines of one metric. */
async function linesOf(metrics: PrometheusMetrics, name: string): Promise<readonly string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('names, types and labels are what they were in the last release', () => {
  const rows = Object.entries(METRICS).map(([name, { type, labels }]) => `${type} ${name}{${labels.join(',')}}`);
  expect(rows).toMatchInlineSnapshot(`
    [
      "counter controller_runtime_reconcile_total{controller,result}",
      "counter controller_runtime_reconcile_errors_total{controller}",
      "histogram controller_runtime_reconcile_time_seconds{controller}",
      "gauge controller_runtime_max_concurrent_reconciles{controller}",
      "gauge controller_runtime_active_workers{controller}",
      "gauge workqueue_depth{name,controller}",
      "counter workqueue_adds_total{name,controller}",
      "counter workqueue_retries_total{name,controller}",
      "histogram workqueue_queue_duration_seconds{name,controller}",
      "histogram workqueue_work_duration_seconds{name,controller}",
      "gauge workqueue_unfinished_work_seconds{name,controller}",
      "gauge workqueue_longest_running_processor_seconds{name,controller}",
      "counter rest_client_requests_total{code,method,host}",
      "histogram rest_client_rate_limiter_duration_seconds{verb,host}",
      "gauge leader_election_master_status{name}",
      "gauge procedure_catalog_info{kind,version,release}",
      "gauge procedure_objects{kind,version,mode}",
      "gauge procedure_blocked_objects{kind,reason}",
      "gauge procedure_rollout_held_objects{}",
      "counter procedure_hops_total{kind,from,to,mode,result}",
      "histogram procedure_hop_duration_seconds{kind,mode}",
      "counter procedure_record_writes_total{kind,step}",
      "counter procedure_record_conflicts_total{kind}",
      "counter procedure_refused_mutations_total{reason}",
      "histogram procedure_action_duration_seconds{action,result}",
      "counter procedure_pruned_total{kind}",
      "counter procedure_prune_skipped_total{reason}",
      "histogram procedure_settle_wait_seconds{}",
      "counter procedure_lease_transitions_total{}",
    ]
  `);
});

test('every metric is served, even before anything happened', async () => {
  const text = await new PrometheusMetrics().text();
  for (const name of Object.keys(METRICS)) expect(text).toContain(`# TYPE ${name} `);
});

test('two operators in one process do not share their metrics', async () => {
  const [one, other] = [new PrometheusMetrics(), new PrometheusMetrics()];
  one.leaseChanged();
  expect(await linesOf(one, 'procedure_lease_transitions_total')).toEqual(['procedure_lease_transitions_total 1']);
  expect(await linesOf(other, 'procedure_lease_transitions_total')).toEqual(['procedure_lease_transitions_total 0']);
});

test('the silent metrics have every method, and do nothing', () => {
  const missing = Object.keys(noMetrics).filter((method) => typeof noMetrics[method as keyof Metrics] !== 'function');
  expect(missing).toEqual([]);
  noMetrics.queue('Page', () => ({ depth: 0, processing: 0, unfinishedMs: 0, longestMs: 0 })).waited(1);
});

describe('what is counted', () => {
  test('a request counts how long it waited for its turn, and a release what holds it back', async () => {
    const metrics = new PrometheusMetrics();
    metrics.throttled('PATCH', 'kubernetes', 1_500);
    metrics.rolloutHeld(3);
    expect(await linesOf(metrics, 'rest_client_rate_limiter_duration_seconds_sum')).toEqual([
      'rest_client_rate_limiter_duration_seconds_sum{verb="PATCH",host="kubernetes"} 1.5',
    ]);
    expect(await linesOf(metrics, 'procedure_rollout_held_objects')).toEqual(['procedure_rollout_held_objects 3']);
    metrics.rolloutHeld(0);
    expect(await linesOf(metrics, 'procedure_rollout_held_objects')).toEqual(['procedure_rollout_held_objects 0']);
  });

  test('a pass counts by its outcome and its seconds', async () => {
    const metrics = new PrometheusMetrics();
    metrics.workers('Page', 4);
    metrics.passBegan('Page');
    metrics.passBegan('Page');
    metrics.passEnded('Page', 'error', 1_500);
    expect(await linesOf(metrics, 'controller_runtime_')).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_total{controller="Page",result="error"} 1',
        'controller_runtime_reconcile_total{controller="Page",result="success"} 0',
        'controller_runtime_reconcile_errors_total{controller="Page"} 1',
        'controller_runtime_reconcile_time_seconds_sum{controller="Page"} 1.5',
        'controller_runtime_max_concurrent_reconciles{controller="Page"} 4',
        'controller_runtime_active_workers{controller="Page"} 1',
      ]),
    );
  });

  test('a hop counts by where it led, and its time only if it was completed', async () => {
    const metrics = new PrometheusMetrics();
    const hop = { kind: 'Page', from: '1.0.0', to: '2.0.0', durationMs: 90_000 } as const;
    metrics.hopEnded({ ...hop, mode: 'upgrade', result: 'completed' });
    metrics.hopEnded({ ...hop, mode: 'rollback', result: 'superseded' });
    metrics.hopEnded({ kind: 'Page', to: '1.0.0', mode: 'install', result: 'completed' });
    expect(await linesOf(metrics, 'procedure_hops_total{')).toEqual([
      'procedure_hops_total{kind="Page",from="1.0.0",to="2.0.0",mode="upgrade",result="completed"} 1',
      'procedure_hops_total{kind="Page",from="1.0.0",to="2.0.0",mode="rollback",result="superseded"} 1',
      'procedure_hops_total{kind="Page",from="",to="1.0.0",mode="install",result="completed"} 1',
    ]);
    expect(await linesOf(metrics, 'procedure_hop_duration_seconds_count')).toEqual([
      'procedure_hop_duration_seconds_count{kind="Page",mode="upgrade"} 1',
    ]);
  });

  test('the rest by its labels', async () => {
    const metrics = new PrometheusMetrics();
    metrics.leading('pawl-web', true);
    metrics.catalog('Page', '2.0.0', 'web 1.4.0');
    metrics.recordWritten('Page', 'intent');
    metrics.recordConflict('Page');
    metrics.mutationRefused('NotLeading');
    metrics.actionRan('Served', 'True', 2);
    metrics.pruned('ConfigMap', 3);
    metrics.pruneSkipped('NewerStamp', 2);
    metrics.settleWaited(20_000);
    expect(await metrics.text()).toMatch(
      new RegExp(
        [
          'leader_election_master_status{name="pawl-web"} 1',
          'procedure_catalog_info{kind="Page",version="2.0.0",release="web 1.4.0"} 1',
          'procedure_record_writes_total{kind="Page",step="intent"} 1',
          'procedure_record_conflicts_total{kind="Page"} 1',
          'procedure_refused_mutations_total{reason="NotLeading"} 1',
          'procedure_action_duration_seconds_sum{action="Served",result="True"} 0.002',
          'procedure_pruned_total{kind="ConfigMap"} 3',
          'procedure_prune_skipped_total{reason="NewerStamp"} 2',
          'procedure_settle_wait_seconds_sum 20',
        ].join('[^]*'),
      ),
    );
  });
});

describe('objects', () => {
  const object = (phase: string, version: string, reason?: string): KubernetesObject => {
    const condition = { type: 'UpgradeBlocked', status: 'True', reason, message: 'why', lastTransitionTime: 't' };
    const status = { procedure: { phase, version }, conditions: reason === undefined ? [] : [condition] };
    return { apiVersion: 'web.test/v1', kind: 'Page', metadata: { name: 'a' }, status } as never;
  };

  test('are counted when somebody looks, by version and phase, and by what blocks them', async () => {
    const metrics = new PrometheusMetrics();
    let all = [object('Steady', '1.0.0'), object('Steady', '1.0.0'), object('Blocked', '2.0.0', 'Stranded')];
    metrics.objects(() => all.map(sampleOf));
    expect(await linesOf(metrics, 'procedure_objects{')).toEqual([
      'procedure_objects{kind="Page",version="1.0.0",mode="Steady"} 2',
      'procedure_objects{kind="Page",version="2.0.0",mode="Blocked"} 1',
    ]);
    expect(await linesOf(metrics, 'procedure_blocked_objects{')).toEqual(['procedure_blocked_objects{kind="Page",reason="Stranded"} 1']);
    all = [object('Stalled', '1.0.0')];
    expect(await linesOf(metrics, 'procedure_objects{')).toEqual(['procedure_objects{kind="Page",version="1.0.0",mode="Stalled"} 1']);
    expect(await linesOf(metrics, 'procedure_blocked_objects{')).toEqual([]);
  });

  test('without a status count as unknown', () => {
    expect(sampleOf({ kind: 'Page', metadata: {} } as never)).toEqual({ kind: 'Page', version: '', phase: 'Unknown' });
  });
});

test('a queue reports how long keys wait and how long they are worked on', async () => {
  const clock = new ManualClock();
  const metrics = new PrometheusMetrics();
  const queue = new MeteredQueue({ clock, random: fixedRandom(0.5), metrics, name: 'Page' });
  queue.add('a');
  queue.add('a');
  queue.add('b');
  clock.advance(2_000);
  const key = await queue.next();
  clock.advance(3_000);
  expect(queue.state).toEqual({ depth: 1, processing: 1, unfinishedMs: 3_000, longestMs: 3_000 });
  expect(await linesOf(metrics, 'workqueue_longest')).toEqual([
    'workqueue_longest_running_processor_seconds{name="Page",controller="Page"} 3',
  ]);
  queue.retry(key ?? '');
  queue.done(key ?? '');
  clock.advance(10_000);
  expect(await linesOf(metrics, 'workqueue_')).toEqual(
    expect.arrayContaining([
      'workqueue_depth{name="Page",controller="Page"} 2',
      'workqueue_adds_total{name="Page",controller="Page"} 3',
      'workqueue_retries_total{name="Page",controller="Page"} 1',
      'workqueue_queue_duration_seconds_sum{name="Page",controller="Page"} 2',
      'workqueue_work_duration_seconds_sum{name="Page",controller="Page"} 3',
      'workqueue_longest_running_processor_seconds{name="Page",controller="Page"} 0',
    ]),
  );
  await queue.shutDown();
});

test('a transport reports every answer, and the lack of one', async () => {
  const metrics = new PrometheusMetrics();
  const scripted = new ScriptedTransport((_request, n) => (n === 2 ? new Error('reset') : { status: n === 3 ? 404 : 200 }));
  const transport = meteredTransport(scripted, metrics, 'api:443');
  await transport.request({ method: 'GET', path: '/a' });
  await expect(transport.request({ method: 'GET', path: '/a' })).rejects.toThrow('reset');
  await transport.request({ method: 'PATCH', path: '/a' });
  await transport.watch({ method: 'GET', path: '/a?watch=true' });
  expect(await linesOf(metrics, 'rest_client_requests_total{')).toEqual([
    'rest_client_requests_total{method="GET",host="api:443",code="200"} 2',
    'rest_client_requests_total{method="GET",host="api:443",code="<error>"} 1',
    'rest_client_requests_total{method="PATCH",host="api:443",code="404"} 1',
  ]);
});
