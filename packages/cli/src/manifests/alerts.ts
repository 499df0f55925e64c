// When somebody has to be told, and where it is written what to do then.
import { leaseName } from '@pawl/reconciler/kubernetes';
import { select, type Source } from './metric-selectors.ts';

/** An alerting rule of Prometheus. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning' };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface AlertInput extends Source {
  readonly name: string;
  readonly runbookUrl: string;
}

/** Blocked for these reasons, an object waits for its turn or for a person who knows: nobody is woken. */
const CALM = ['WaitingForSlot', 'ApprovalRequired', 'HeldBack', 'ParentSkew', 'NotSettled', 'PreconditionNotMet', 'HeldByAction'];

/** The anchors that alerts lead to, beside those of reasons. */
export const ALERT_ANCHORS = ['no-leader', 'two-leaders', 'operator-down', 'stalled', 'errors', 'refused-mutations', 'slow-work', 'api-errors'] as const;

/** The alerts of one operator. */
export function alertsOf(input: AlertInput): readonly Alert[] {
  const { name, runbookUrl, namespace, job } = input;
  const of = (...selector: Parameters<typeof select> extends [Source, ...infer Rest] ? Rest : never): string =>
    select({ namespace, job }, ...selector);
  const alert = (
    title: string,
    severity: Alert['labels']['severity'],
    anchor: (typeof ALERT_ANCHORS)[number] | 'rolloutheld' | '{{ $labels.reason | toLower }}',
    rule: { readonly expr: string; readonly for: string; readonly summary: string },
  ): Alert => ({
    alert: `Pawl${title}`,
    expr: rule.expr,
    for: rule.for,
    labels: { severity },
    annotations: { summary: rule.summary, runbook_url: `${runbookUrl}#${anchor}` },
  });
  const leading = of('leader_election_master_status', `name="${leaseName(name)}"`);
  const blocked = of('procedure_blocked_objects', `reason!~"${CALM.join('|')}"`);
  const requests = of('rest_client_requests_total');
  const failed = of('rest_client_requests_total', 'code=~"429|5..|<error>"');
  return [
    alert('OperatorDown', 'critical', 'operator-down', {
      expr: `absent(${of('procedure_catalog_info')})`,
      for: '10m',
      summary: `No process of operator ${name} answers`,
    }),
    alert('NoLeader', 'critical', 'no-leader', {
      expr: `sum(${leading}) == 0`,
      for: '5m',
      summary: `No replica of operator ${name} leads: nothing is reconciled`,
    }),
    alert('TwoLeaders', 'critical', 'two-leaders', {
      expr: `sum(${leading}) > 1`,
      for: '3m',
      summary: `More than one replica of operator ${name} believes that it leads`,
    }),
    alert('ObjectsBlocked', 'warning', '{{ $labels.reason | toLower }}', {
      expr: `max by (kind, reason) (${blocked}) > 0`,
      for: '15m',
      summary: '{{ $value }} objects of kind {{ $labels.kind }} stand still: {{ $labels.reason }}',
    }),
    alert('ObjectsStalled', 'warning', 'stalled', {
      expr: `max by (kind) (${of('procedure_objects', 'mode="Stalled"')}) > 0`,
      for: '15m',
      summary: '{{ $value }} objects of kind {{ $labels.kind }} make no progress',
    }),
    alert('RolloutHeld', 'warning', 'rolloutheld', {
      expr: `max(${of('procedure_rollout_held_objects')}) > 0`,
      for: '10m',
      summary: `A new release of operator ${name} is held back: {{ $value }} objects would stand still under it`,
    }),
    alert('ReconcileErrors', 'warning', 'errors', {
      expr: `sum by (controller) (rate(${of('controller_runtime_reconcile_errors_total')}[10m])) > 0.1`,
      for: '15m',
      summary: 'Passes over objects of {{ $labels.controller }} fail again and again',
    }),
    alert('RefusedMutations', 'critical', 'refused-mutations', {
      expr: `sum by (reason) (increase(${of('procedure_refused_mutations_total')}[15m])) > 0`,
      for: '0m',
      summary: 'A change was stopped by the guard of the client ({{ $labels.reason }}): a fault of the operator',
    }),
    alert('SlowWork', 'warning', 'slow-work', {
      expr: `max by (controller) (${of('workqueue_longest_running_processor_seconds')}) > 600`,
      for: '5m',
      summary: 'One object of {{ $labels.controller }} has been worked on for more than ten minutes',
    }),
    alert('ApiErrors', 'warning', 'api-errors', {
      expr: `sum(rate(${failed}[10m])) / sum(rate(${requests}[10m])) > 0.1`,
      for: '15m',
      summary: `More than a tenth of the requests of operator ${name} fail`,
    }),
  ];
}
