// The metrics of one operator in the Prometheus format, in a registry of its own: two operators in a process do not mix.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type MetricName, type MetricSpec } from './metric-names.ts';
import type { Metrics, ObjectSample, QueueMetrics, QueueState } from './metrics.ts';

type NamesOf<T extends MetricSpec['type']> = {
  [K in MetricName]: (typeof METRICS)[K]['type'] extends T ? K : never;
}[MetricName];
type Labels<K extends MetricName> = Readonly<Record<(typeof METRICS)[K]['labels'][number], string>>;

const MS = 1 / 1000;
/** An answer that never came, as client-go labels it. */
const NO_ANSWER = '<error>';

export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #queues = new Map<string, () => QueueState>();
  readonly #samples: (() => Iterable<ObjectSample>)[] = [];

  constructor() {
    for (const [name, spec] of Object.entries(METRICS) as [MetricName, MetricSpec][]) {
      const options = { name, help: spec.help, labelNames: [...spec.labels], registers: [this.#registry] };
      if (spec.type === 'counter') this.#counters.set(name, new Counter(options));
      else if (spec.type === 'gauge') this.#gauges.set(name, new Gauge(options));
      else this.#histograms.set(name, new Histogram({ ...options, buckets: [...(spec.buckets ?? [])] }));
    }
  }

  /** The media type of {@link PrometheusMetrics.text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything, as Prometheus reads it. What is a state is looked up now. */
  text = async (): Promise<string> => {
    this.#lookAtQueues();
    this.#countObjects();
    return this.#registry.metrics();
  };

  passBegan = (controller: string): void => this.#gauge('controller_runtime_active_workers').inc({ controller });

  passEnded: Metrics['passEnded'] = (controller, result, ms) => {
    this.#gauge('controller_runtime_active_workers').dec({ controller });
    this.#count('controller_runtime_reconcile_total', { controller, result });
    if (result === 'error') this.#count('controller_runtime_reconcile_errors_total', { controller });
    this.#observe('controller_runtime_reconcile_time_seconds', { controller }, ms);
  };

  workers = (controller: string, most: number): void => {
    this.#set('controller_runtime_max_concurrent_reconciles', { controller }, most);
    this.#set('controller_runtime_active_workers', { controller }, 0);
    // A rate needs a value from before the first failure.
    this.#count('controller_runtime_reconcile_errors_total', { controller }, 0);
    for (const result of ['success', 'error', 'requeue', 'requeue_after'])
      this.#count('controller_runtime_reconcile_total', { controller, result }, 0);
  };

  queue = (name: string, state: () => QueueState): QueueMetrics => {
    const labels = { name, controller: name };
    this.#queues.set(name, state);
    this.#count('workqueue_adds_total', labels, 0);
    this.#count('workqueue_retries_total', labels, 0);
    return {
      added: () => this.#count('workqueue_adds_total', labels),
      retried: () => this.#count('workqueue_retries_total', labels),
      waited: (ms) => this.#observe('workqueue_queue_duration_seconds', labels, ms),
      worked: (ms) => this.#observe('workqueue_work_duration_seconds', labels, ms),
    };
  };

  answered: Metrics['answered'] = (method, host, code) =>
    this.#count('rest_client_requests_total', { method, host, code: code === undefined ? NO_ANSWER : String(code) });

  throttled = (verb: string, host: string, ms: number): void =>
    this.#observe('rest_client_rate_limiter_duration_seconds', { verb, host }, ms);

  leading = (name: string, isLeading: boolean): void =>
    this.#set('leader_election_master_status', { name }, isLeading ? 1 : 0);

  leaseChanged = (): void => this.#count('procedure_lease_transitions_total', {});

  catalog = (kind: string, version: string, release: string): void =>
    this.#set('procedure_catalog_info', { kind, version, release }, 1);

  objects = (samples: () => Iterable<ObjectSample>): void => {
    this.#samples.push(samples);
  };

  rolloutHeld = (count: number): void => this.#set('procedure_rollout_held_objects', {}, count);

  hopEnded: Metrics['hopEnded'] = ({ kind, from = '', to, mode, result, durationMs }) => {
    this.#count('procedure_hops_total', { kind, from, to, mode, result });
    if (durationMs !== undefined && result === 'completed')
      this.#observe('procedure_hop_duration_seconds', { kind, mode }, durationMs);
  };

  recordWritten = (kind: string, step: string): void => this.#count('procedure_record_writes_total', { kind, step });
  recordConflict = (kind: string): void => this.#count('procedure_record_conflicts_total', { kind });
  mutationRefused = (reason: string): void => this.#count('procedure_refused_mutations_total', { reason });

  actionRan: Metrics['actionRan'] = (action, result, ms) =>
    this.#observe('procedure_action_duration_seconds', { action, result }, ms);

  pruned = (kind: string, count: number): void => this.#count('procedure_pruned_total', { kind }, count);
  pruneSkipped = (reason: string, count: number): void => this.#count('procedure_prune_skipped_total', { reason }, count);
  settleWaited = (ms: number): void => this.#observe('procedure_settle_wait_seconds', {}, ms);

  #lookAtQueues(): void {
    for (const [name, state] of this.#queues) {
      const labels = { name, controller: name };
      const { depth, unfinishedMs, longestMs } = state();
      this.#set('workqueue_depth', labels, depth);
      this.#set('workqueue_unfinished_work_seconds', labels, unfinishedMs * MS);
      this.#set('workqueue_longest_running_processor_seconds', labels, longestMs * MS);
    }
  }

  /** Counted anew each time: a state that no object is in any more must not stay. */
  #countObjects(): void {
    const [objects, blocked] = [this.#gauge('procedure_objects'), this.#gauge('procedure_blocked_objects')];
    objects.reset();
    blocked.reset();
    for (const samples of this.#samples)
      for (const { kind, version, phase, blocked: reason } of samples()) {
        objects.inc({ kind, version, mode: phase });
        if (reason !== undefined) blocked.inc({ kind, reason });
      }
  }

  #count<K extends NamesOf<'counter'>>(name: K, labels: Labels<K>, by = 1): void {
    known(this.#counters, name).inc(labels, by);
  }

  #set<K extends NamesOf<'gauge'>>(name: K, labels: Labels<K>, value: number): void {
    this.#gauge(name).set(labels, value);
  }

  #observe<K extends NamesOf<'histogram'>>(name: K, labels: Labels<K>, ms: number): void {
    known(this.#histograms, name).observe(labels, ms * MS);
  }

  #gauge(name: NamesOf<'gauge'>): Gauge {
    return known(this.#gauges, name);
  }
}

function known<T>(metrics: ReadonlyMap<string, T>, name: string): T {
  const metric = metrics.get(name);
  if (metric === undefined) throw new Error(`no metric is called ${name}`);
  return metric;
}
