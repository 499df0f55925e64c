// Table columns of the kinds that run something.
import { at, isObject, type Json, type JsonObject, type KubeObject, objectsOf } from '../../json.ts';
import type { Column } from '../resource-type.ts';
import {
  ageColumn,
  column,
  containerColumns,
  humanDuration,
  nameColumn,
  number,
  pairs,
  selectorText,
  since,
  text,
  wide,
} from './cells.ts';

const spec = (object: KubeObject, ...path: readonly string[]): Json | undefined => at(object, 'spec', ...path);
const status = (object: KubeObject, ...path: readonly string[]): Json | undefined => at(object, 'status', ...path);
const selectorColumn: Column = wide('Selector', 'string', (object) => selectorText(spec(object, 'selector')));
const templateColumns = containerColumns('spec', 'template', 'spec');
const count = (name: string, field: string): Column =>
  column(name, 'integer', (object) => number(status(object, field)));

export const deploymentColumns: readonly Column[] = [
  nameColumn,
  column(
    'Ready',
    'string',
    (object) => `${number(status(object, 'readyReplicas'))}/${number(spec(object, 'replicas'))}`,
  ),
  count('Up-to-date', 'updatedReplicas'),
  count('Available', 'availableReplicas'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const replicaSetColumns: readonly Column[] = [
  nameColumn,
  column('Desired', 'integer', (object) => number(spec(object, 'replicas'))),
  count('Current', 'replicas'),
  count('Ready', 'readyReplicas'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  column(
    'Ready',
    'string',
    (object) => `${number(status(object, 'readyReplicas'))}/${number(spec(object, 'replicas'))}`,
  ),
  ageColumn,
  ...templateColumns,
];

export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  count('Desired', 'desiredNumberScheduled'),
  count('Current', 'currentNumberScheduled'),
  count('Ready', 'numberReady'),
  count('Up-to-date', 'updatedNumberScheduled'),
  count('Available', 'numberAvailable'),
  column('Node Selector', 'string', (object) => pairs(spec(object, 'template', 'spec', 'nodeSelector'))),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const jobColumns: readonly Column[] = [
  nameColumn,
  column('Status', 'string', jobStatus),
  column('Completions', 'string', (object) => {
    const wanted = spec(object, 'completions');
    const parallel = number(spec(object, 'parallelism'));
    const done = number(status(object, 'succeeded'));
    if (typeof wanted === 'number') return `${done}/${wanted}`;
    return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`;
  }),
  column('Duration', 'string', (object, now) => {
    const start = status(object, 'startTime');
    if (typeof start !== 'string') return '';
    const end = status(object, 'completionTime');
    return humanDuration((typeof end === 'string' ? Date.parse(end) : now) - Date.parse(start));
  }),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

function jobStatus(object: KubeObject): string {
  const has = (type: string): boolean =>
    objectsOf(status(object, 'conditions')).some((one) => one['type'] === type && one['status'] === 'True');
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (has('Suspended')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

const jobTemplateColumns = containerColumns('spec', 'jobTemplate', 'spec', 'template', 'spec');

export const cronJobColumns: readonly Column[] = [
  nameColumn,
  column('Schedule', 'string', (object) => text(spec(object, 'schedule'))),
  column('Timezone', 'string', (object) => text(spec(object, 'timeZone'))),
  column('Suspend', 'boolean', (object) => (spec(object, 'suspend') === true ? 'True' : 'False')),
  column('Active', 'integer', (object) => objectsOf(status(object, 'active')).length),
  column('Last Schedule', 'string', (object, now) => {
    const last = status(object, 'lastScheduleTime');
    return typeof last === 'string' ? since(last, now) : '<none>';
  }),
  ageColumn,
  ...jobTemplateColumns,
  wide('Selector', 'string', (object) => selectorText(spec(object, 'jobTemplate', 'spec', 'selector'))),
];

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', 'string', (object) => {
    const ready = objectsOf(status(object, 'containerStatuses')).filter((one) => one['ready'] === true).length;
    return `${ready}/${objectsOf(spec(object, 'containers')).length}`;
  }),
  column('Status', 'string', podStatus),
  column('Restarts', 'string', (object) => String(restarts(object))),
  ageColumn,
  wide('IP', 'string', (object) => text(status(object, 'podIP'))),
  wide('Node', 'string', (object) => text(spec(object, 'nodeName'))),
  wide('Nominated Node', 'string', (object) => text(status(object, 'nominatedNodeName'))),
  wide('Readiness Gates', 'string', readinessGates),
];

function podStatus(object: KubeObject): string {
  let reason = text(status(object, 'reason'), text(status(object, 'phase'), ''));
  for (const container of objectsOf(status(object, 'containerStatuses'))) {
    const waiting = at(container, 'state', 'waiting');
    const terminated = at(container, 'state', 'terminated');
    if (isObject(waiting)) reason = text(waiting['reason'], reason);
    else if (isObject(terminated)) reason = text(terminated['reason'], endedReason(terminated));
  }
  return object.metadata.deletionTimestamp === undefined ? reason : 'Terminating';
}

function endedReason({ signal, exitCode }: JsonObject): string {
  return number(signal) !== 0 ? `Signal:${number(signal)}` : `ExitCode:${number(exitCode)}`;
}

function restarts(object: KubeObject): number {
  return objectsOf(status(object, 'containerStatuses')).reduce((sum, one) => sum + number(one['restartCount']), 0);
}

function readinessGates(object: KubeObject): string {
  const gates = objectsOf(spec(object, 'readinessGates'));
  if (gates.length === 0) return '<none>';
  const conditions = objectsOf(status(object, 'conditions'));
  const met = gates.filter((gate) =>
    conditions.some((one) => one['type'] === gate['conditionType'] && one['status'] === 'True'),
  );
  return `${met.length}/${gates.length}`;
}
