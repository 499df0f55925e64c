// A Grafana dashboard of one operator: where objects stand, what is done for them, how the process does.
import { buckets, select, type Source, type UsedMetric } from './metric-selectors.ts';

type Json = Readonly<Record<string, unknown>>;

interface Panel {
  readonly title: string;
  readonly type: 'timeseries' | 'stat' | 'table';
  readonly unit?: string;
  readonly queries: readonly (readonly [expr: string, legend: string])[];
}

const COLUMNS = 3;
const WIDTH = 8;
const HEIGHT = 7;
const DATA = { type: 'prometheus', uid: '${datasource}' } as const;

/** The dashboard as Grafana imports it. */
export function dashboardOf(name: string, source: Source): Json {
  return {
    title: `Pawl / ${name}`,
    // Grafana keeps dashboards apart by it; 40 characters at most.
    uid: `pawl-${name}`.slice(0, 40),
    tags: ['pawl', 'kubernetes'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
    panels: panelsOf(source).map(panelOf),
  };
}

function panelsOf(source: Source): readonly Panel[] {
  const of = (metric: UsedMetric, ...matchers: readonly string[]): string => select(source, metric, ...matchers);
  const rate = (metric: UsedMetric): string => `rate(${of(metric)}[$__rate_interval])`;
  const p95 = (metric: UsedMetric, by: string): string =>
    `histogram_quantile(0.95, sum by (le, ${by}) (rate(${buckets(source, metric)}[$__rate_interval])))`;
  // Each replica counts all objects: the greatest count is the count.
  const most = (metric: UsedMetric, by: string): string => `max by (${by}) (${of(metric)})`;
  return [
    { title: 'Objects by version', type: 'timeseries', queries: [[`sum by (kind, version) (${most('procedure_objects', 'kind, version, mode')})`, '{{kind}} {{version}}']] },
    { title: 'Objects by phase', type: 'timeseries', queries: [[`sum by (kind, mode) (${most('procedure_objects', 'kind, version, mode')})`, '{{kind}} {{mode}}']] },
    { title: 'Objects that stand still, by reason', type: 'timeseries', queries: [[most('procedure_blocked_objects', 'kind, reason'), '{{kind}} {{reason}}']] },
    { title: 'Objects that hold a release back', type: 'timeseries', queries: [[most('procedure_rollout_held_objects', 'pod'), '{{pod}}']] },
    { title: 'Changes of version', type: 'timeseries', queries: [[`sum by (kind, from, to, result) (increase(${of('procedure_hops_total')}[$__rate_interval]))`, '{{kind}} {{from}} → {{to}} {{result}}']] },
    { title: 'Duration of changes of version (95 %)', type: 'timeseries', unit: 's', queries: [[p95('procedure_hop_duration_seconds', 'kind, mode'), '{{kind}} {{mode}}']] },
    { title: 'Duration of Actions (95 %)', type: 'timeseries', unit: 's', queries: [[p95('procedure_action_duration_seconds', 'action'), '{{action}}']] },
    { title: 'Passes over objects', type: 'timeseries', unit: 'ops', queries: [[`sum by (controller, result) (${rate('controller_runtime_reconcile_total')})`, '{{controller}} {{result}}']] },
    { title: 'Duration of passes (95 %)', type: 'timeseries', unit: 's', queries: [[p95('controller_runtime_reconcile_time_seconds', 'controller'), '{{controller}}']] },
    {
      title: 'Queue',
      type: 'timeseries',
      queries: [
        [`sum by (controller) (${of('workqueue_depth')})`, '{{controller}} waiting'],
        [`sum by (controller) (${of('controller_runtime_active_workers')})`, '{{controller}} worked on'],
      ],
    },
    { title: 'Requests to the API server', type: 'timeseries', unit: 'reqps', queries: [[`sum by (method, code) (${rate('rest_client_requests_total')})`, '{{method}} {{code}}']] },
    {
      title: 'Leftovers',
      type: 'timeseries',
      queries: [
        [`sum by (kind) (increase(${of('procedure_pruned_total')}[$__rate_interval]))`, '{{kind}} deleted'],
        [`sum by (reason) (increase(${of('procedure_prune_skipped_total')}[$__rate_interval]))`, 'left: {{reason}}'],
      ],
    },
    {
      title: 'Conflicts and refusals (the last must stay 0)',
      type: 'timeseries',
      queries: [
        [`sum by (kind) (increase(${of('procedure_record_conflicts_total')}[$__rate_interval]))`, '{{kind}} conflicts'],
        [`sum by (reason) (increase(${of('procedure_refused_mutations_total')}[$__rate_interval]))`, 'refused: {{reason}}'],
      ],
    },
    { title: 'Leader', type: 'timeseries', queries: [[`max by (pod) (${of('leader_election_master_status')})`, '{{pod}}']] },
    { title: 'Changes of leader', type: 'stat', queries: [[`sum(increase(${of('procedure_lease_transitions_total')}[$__range]))`, 'changes']] },
    { title: 'Versions in the running releases', type: 'table', queries: [[`max by (kind, version, release) (${of('procedure_catalog_info')})`, '']] },
  ];
}

function panelOf({ title, type, unit = 'short', queries }: Panel, index: number): Json {
  return {
    id: index + 1,
    title,
    type,
    datasource: DATA,
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], query) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + query),
      datasource: DATA,
      expr,
      legendFormat,
      ...(type === 'table' ? { format: 'table', instant: true } : {}),
    })),
  };
}
