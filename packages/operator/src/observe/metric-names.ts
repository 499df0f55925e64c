// Every metric: its name, its labels and what it means. Dashboards and alerts hold these names: none is ever renamed.
//
// The first part has the names and labels that controller-runtime gives to the same things, so that dashboards made for
// it work here.

export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds in seconds, for a histogram. */
  readonly buckets?: readonly number[];
}

const PASS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const QUEUE_SECONDS = [0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1_000];
const HOP_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400];
const ACTION_SECONDS = [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60];
const THROTTLE_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const SETTLE_SECONDS = [0.1, 1, 5, 10, 20, 30, 60];

export const METRICS = {
  controller_runtime_reconcile_total: {
    type: 'counter',
    labels: ['controller', 'result'],
    help: 'Passes over objects, by how they ended',
  },
  controller_runtime_reconcile_errors_total: { type: 'counter', labels: ['controller'], help: 'Passes that failed' },
  controller_runtime_reconcile_time_seconds: {
    type: 'histogram',
    labels: ['controller'],
    help: 'How long a pass over an object takes',
    buckets: PASS_SECONDS,
  },
  controller_runtime_max_concurrent_reconciles: {
    type: 'gauge',
    labels: ['controller'],
    help: 'So many objects are worked on at the same time at most',
  },
  controller_runtime_active_workers: { type: 'gauge', labels: ['controller'], help: 'Objects that are worked on now' },
  workqueue_depth: { type: 'gauge', labels: ['name', 'controller'], help: 'Keys that could be handed out now' },
  workqueue_adds_total: { type: 'counter', labels: ['name', 'controller'], help: 'Keys that were added' },
  workqueue_retries_total: { type: 'counter', labels: ['name', 'controller'], help: 'Keys that come back after a failure' },
  workqueue_queue_duration_seconds: {
    type: 'histogram',
    labels: ['name', 'controller'],
    help: 'How long a key waits until it is handed out',
    buckets: QUEUE_SECONDS,
  },
  workqueue_work_duration_seconds: {
    type: 'histogram',
    labels: ['name', 'controller'],
    help: 'How long a key is in hands',
    buckets: QUEUE_SECONDS,
  },
  workqueue_unfinished_work_seconds: {
    type: 'gauge',
    labels: ['name', 'controller'],
    help: 'How long all work in progress has been going on, added up',
  },
  workqueue_longest_running_processor_seconds: {
    type: 'gauge',
    labels: ['name', 'controller'],
    help: 'How long the oldest work in progress has been going on',
  },
  rest_client_requests_total: {
    type: 'counter',
    labels: ['code', 'method', 'host'],
    help: 'Requests to the API server, by the status of the answer',
  },
  rest_client_rate_limiter_duration_seconds: {
    type: 'histogram',
    labels: ['verb', 'host'],
    help: 'How long a request waits for its turn, where clientQps limits them',
    buckets: THROTTLE_SECONDS,
  },
  leader_election_master_status: { type: 'gauge', labels: ['name'], help: '1 while this process leads, else 0' },

  procedure_catalog_info: {
    type: 'gauge',
    labels: ['kind', 'version', 'release'],
    help: 'Always 1: this release of the operator carries this version of the procedure',
  },
  procedure_objects: { type: 'gauge', labels: ['kind', 'version', 'mode'], help: 'Objects, by version and phase' },
  procedure_blocked_objects: {
    type: 'gauge',
    labels: ['kind', 'reason'],
    help: 'Objects on which nothing, or no newer version, may act',
  },
  procedure_rollout_held_objects: {
    type: 'gauge',
    labels: [],
    help: 'Objects that hold this release back, for they would stand still under it; 0 if it is not held back',
  },
  procedure_hops_total: {
    type: 'counter',
    labels: ['kind', 'from', 'to', 'mode', 'result'],
    help: 'Changes of version that came to an end',
  },
  procedure_hop_duration_seconds: {
    type: 'histogram',
    labels: ['kind', 'mode'],
    help: 'How long a completed change of version took',
    buckets: HOP_SECONDS,
  },
  procedure_record_writes_total: { type: 'counter', labels: ['kind', 'step'], help: 'Writes of a version record' },
  procedure_record_conflicts_total: {
    type: 'counter',
    labels: ['kind'],
    help: 'Writes of a version record that met a newer object',
  },
  procedure_refused_mutations_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Changes that the guard of the client stopped; more than 0 is a fault of the operator',
  },
  procedure_action_duration_seconds: {
    type: 'histogram',
    labels: ['action', 'result'],
    help: 'How long an Action takes',
    buckets: ACTION_SECONDS,
  },
  procedure_pruned_total: { type: 'counter', labels: ['kind'], help: 'Objects that were deleted as no longer wanted' },
  procedure_prune_skipped_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Objects that nothing wants and that were left',
  },
  procedure_settle_wait_seconds: {
    type: 'histogram',
    labels: [],
    help: 'How long an object waited until no late write of a predecessor could arrive',
    buckets: SETTLE_SECONDS,
  },
  procedure_lease_transitions_total: { type: 'counter', labels: [], help: 'How often the Lease was seen in other hands' },
} as const satisfies Readonly<Record<string, MetricSpec>>;

export type MetricName = keyof typeof METRICS;
