// Jobs and CronJobs.
import { equalJson } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkPodSpec } from './pods.ts';
import { checkSelector } from './selectors.ts';

const COUNTS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'];

/** A Job. */
export function checkJob(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  checkJobSpec(spec, 'spec', faults);
  checkSelector('spec.selector', objectAt(spec, 'selector'), faults);
  if (before === undefined) return;
  const old = objectAt(before, 'spec');
  const free = old['suspend'] === true ? [] : ['template'];
  const indexed = spec['completionMode'] === 'Indexed';
  for (const key of ['selector', 'completionMode', ...free, ...(indexed ? [] : ['completions'])]) {
    if (!equalJson(spec[key], old[key])) faults.invalid(`spec.${key}`, spec[key], 'field is immutable');
  }
}

function checkJobSpec(spec: JsonObject, path: string, faults: Faults): void {
  faults.notNegatives(path, spec, ...COUNTS);
  if (spec['completionMode'] === 'Indexed' && spec['completions'] === undefined) {
    faults.required(`${path}.completions`, 'when completion mode is Indexed');
  }
  const template = objectAt(objectAt(spec, 'template'), 'spec');
  checkPodSpec(template, `${path}.template.spec`, faults);
  const policy = template['restartPolicy'];
  if (policy === undefined || policy === 'Always') {
    faults.required(`${path}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"');
  }
}

/** A CronJob. */
export function checkCronJob(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  checkJobSpec(objectAt(objectAt(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec', faults);
  const schedule = textAt(spec, 'schedule');
  if (schedule === '') faults.required('spec.schedule');
  else checkSchedule(schedule, faults);
  faults.notNegatives('spec', spec, 'startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit');
  const zone = textAt(spec, 'timeZone');
  if (zone !== '' && !isZone(zone)) faults.invalid('spec.timeZone', zone, `unknown time zone ${zone}`);
  faults.oneOf('spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']);
  // Eleven characters are left for the time that the name of each job ends with.
  const { name = '' } = after.metadata;
  if (name.length > 52) faults.invalid('metadata.name', name, 'must be no more than 52 characters');
}

function checkSchedule(schedule: string, faults: Faults): void {
  if (schedule.startsWith('@')) return;
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5) {
    faults.invalid(
      'spec.schedule',
      schedule,
      `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`,
    );
  }
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
