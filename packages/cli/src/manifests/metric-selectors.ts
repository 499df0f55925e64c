// Queries over the metrics of one operator. The names are those that its process serves: a test asks a running one.

/** Metrics that alerts and dashboard use. */
export const USED_METRICS = [
  'controller_runtime_active_workers',
  'controller_runtime_reconcile_errors_total',
  'controller_runtime_reconcile_time_seconds',
  'controller_runtime_reconcile_total',
  'leader_election_master_status',
  'procedure_action_duration_seconds',
  'procedure_blocked_objects',
  'procedure_catalog_info',
  'procedure_hop_duration_seconds',
  'procedure_hops_total',
  'procedure_lease_transitions_total',
  'procedure_objects',
  'procedure_prune_skipped_total',
  'procedure_pruned_total',
  'procedure_record_conflicts_total',
  'procedure_refused_mutations_total',
  'procedure_rollout_held_objects',
  'rest_client_requests_total',
  'workqueue_depth',
  'workqueue_longest_running_processor_seconds',
] as const;
export type UsedMetric = (typeof USED_METRICS)[number];

/** Where the metrics of an operator come from. */
export interface Source {
  readonly namespace: string;
  /** Of the Service that is scraped. */
  readonly job: string;
}

/** A selector of one metric: `metric{namespace="web",job="web-metrics",reason="Stranded"}`. */
export function select({ namespace, job }: Source, metric: UsedMetric, ...matchers: readonly string[]): string {
  return suffixed({ namespace, job }, metric, '', matchers);
}

/** The buckets of a histogram. */
export function buckets(source: Source, metric: UsedMetric): string {
  return suffixed(source, metric, '_bucket', []);
}

function suffixed({ namespace, job }: Source, metric: UsedMetric, suffix: string, matchers: readonly string[]): string {
  return `${metric}${suffix}{${[`namespace="${namespace}"`, `job="${job}"`, ...matchers].join(',')}}`;
}
