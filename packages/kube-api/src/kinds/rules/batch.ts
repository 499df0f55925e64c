// Job and CronJob.
import { invalidValue, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, equalJson, isObject, type Json, type JsonObject, type KubeObject } from '../../json.ts';
import type { Rules } from '../resource-type.ts';
import { editSpec, objectOf, withStatus } from './edit.ts';
import { podSpecCauses } from './pod-validation.ts';

/** Pods of a Job carry its uid, so that two Jobs of one name never share pods. */
function withGeneratedSelector(object: KubeObject): KubeObject {
  return editSpec(object, (spec) => {
    if (spec['manualSelector'] === true) return spec;
    const uid = object.metadata.uid ?? '';
    const name = object.metadata.name ?? '';
    const template = objectOf(spec['template']);
    const metadata = objectOf(template['metadata']);
    const labels = {
      ...objectOf(metadata['labels']),
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
    };
    return {
      ...spec,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...metadata, labels } },
    };
  });
}

const PLACEMENT = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'];

/** What of a template is fixed even before the first start, when a queue may still say where the pods are to run. */
function withoutPlacement(template: Json | undefined): JsonObject {
  const { metadata: _, spec, ...rest } = objectOf(template);
  const kept = Object.entries(objectOf(spec)).filter(([key]) => !PLACEMENT.includes(key));
  return { ...rest, spec: Object.fromEntries(kept) };
}

function jobCauses(object: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  const causes: Cause[] = [...jobTemplateCauses(at(object, 'spec', 'template', 'spec'), 'spec.template.spec')];
  if (old === undefined) return causes;
  const indexed = at(object, 'spec', 'completionMode') === 'Indexed';
  for (const field of ['selector', 'completionMode', ...(indexed ? [] : ['completions'])]) {
    const value = at(object, 'spec', field);
    if (!equalJson(value, at(old, 'spec', field)))
      causes.push(invalidValue(`spec.${field}`, value, 'field is immutable'));
  }
  const waits = at(old, 'spec', 'suspend') === true && at(old, 'status', 'startTime') === undefined;
  const fixed = waits ? withoutPlacement : objectOf;
  const template = at(object, 'spec', 'template');
  if (!equalJson(fixed(template), fixed(at(old, 'spec', 'template'))))
    causes.push(invalidValue('spec.template', template, 'field is immutable'));
  return causes;
}

function jobTemplateCauses(podSpec: ReturnType<typeof at>, path: string): readonly Cause[] {
  const causes = [...podSpecCauses(podSpec, path)];
  const policy = at(podSpec, 'restartPolicy');
  if (policy === 'Always' || policy === undefined) {
    const message = `Unsupported value: ${JSON.stringify(policy ?? '')}: supported values: "OnFailure", "Never"`;
    causes.push({ reason: 'FieldValueNotSupported', message, field: `${path}.restartPolicy` });
  }
  return causes;
}

export const jobRules: Partial<Rules> = {
  generation: true,
  prepareCreate: (object) => withStatus(withGeneratedSelector(object), {}),
  validate: jobCauses,
};

export const cronJobRules: Partial<Rules> = {
  generation: true,
  prepareCreate: (object) => withStatus(object, {}),
  validate: (object) => {
    const causes: Cause[] = [];
    const schedule = at(object, 'spec', 'schedule');
    if (typeof schedule !== 'string' || schedule === '') causes.push(required('spec.schedule'));
    else if (schedule.trim().split(/\s+/).length !== 5 && !schedule.startsWith('@')) {
      causes.push(
        invalidValue(
          'spec.schedule',
          schedule,
          `expected exactly 5 fields, found ${schedule.trim().split(/\s+/).length}`,
        ),
      );
    }
    if ((object.metadata.name ?? '').length > 52) {
      causes.push(invalidValue('metadata.name', object.metadata.name, 'must be no more than 52 characters'));
    }
    if (!isObject(at(object, 'spec', 'jobTemplate'))) return [...causes, required('spec.jobTemplate')];
    const path = 'spec.jobTemplate.spec.template.spec';
    return [...causes, ...jobTemplateCauses(at(object, ...path.split('.')), path)];
  },
};
