// The definition of the Enrollment kind: what the API server accepts.
import { crdFor, type Schema } from '@pawl/reconciler/kubernetes';
import { Enrollments } from './api.ts';
import { DURATION_PATTERN } from './options/duration.ts';
import { namesOf, type PolicyName } from './options/policies.ts';

const text: Schema = { type: 'string', minLength: 1 };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const whole: Schema = { type: 'integer', format: 'int64' };
const duration: Schema = { type: 'string', pattern: DURATION_PATTERN };
const object = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const policy = (name: PolicyName, description: string): Schema => ({
  type: 'string',
  enum: namesOf(name),
  description,
});
const oneOf = (...names: readonly string[]): Pick<Schema, 'x-kubernetes-validations'> => ({
  'x-kubernetes-validations': [
    {
      rule: `[${names.map((name) => `has(self.${name})`).join(', ')}].exists_one(given, given)`,
      message: `exactly one of ${names.join(', ')} must be given`,
    },
  ],
});

const member = object({ id: text, logicalID: text, tags: texts, properties: anything }, 'id');

const source: Schema = {
  ...object({
    static: {
      type: 'array',
      items: member,
      description: 'The members themselves. An empty list is known to be empty.',
    },
    selector: {
      ...object(
        {
          apiVersion: text,
          kind: text,
          namespace: { ...text, description: "Default: the Enrollment's own; * for all." },
          labelSelector: texts,
          fieldSelector: texts,
          readyCondition: { ...text, description: 'Only objects with this condition at True are members.' },
          itemsIn: {
            ...text,
            description: 'A field such as data: each entry of it is a member, instead of the object.',
          },
        },
        'apiVersion',
        'kind',
      ),
      description: 'Objects of a kind that the operator is configured for.',
    },
    plugin: {
      ...object({ name: text, group: text, waitForConverged: flag }, 'name', 'group'),
      description: 'A group that a configured plugin knows.',
    },
  }),
  ...oneOf('static', 'selector', 'plugin'),
};

const sink: Schema = {
  ...object({
    template: {
      ...object(
        {
          apiVersion: text,
          kind: text,
          namespace: text,
          name: { ...text, description: "Template of an entry's name. Default: name of the Enrollment and key." },
          readyCondition: text,
        },
        'apiVersion',
        'kind',
      ),
      description: 'One object of this kind for each member.',
    },
    plugin: object({ name: text }, 'name'),
    labels: { ...texts, description: 'On every entry; of a plugin only entries with these are looked at.' },
    properties: { ...anything, description: 'What an entry is; each text in it is a template.' },
  }),
  ...oneOf('template', 'plugin'),
};

const keys = object({
  source: { ...text, description: 'Template of the key of a member. Default: its id.' },
  enrolled: { ...text, description: 'Template of the key of an entry. Default: the key that it carries.' },
});

const policies = object({
  onSourceKeyError: policy(
    'onSourceKeyError',
    'When the key of a member cannot be told: remove nothing, nothing of that member, or go on. Default Hold.',
  ),
  onEnrolledKeyError: policy(
    'onEnrolledKeyError',
    'When the key of an entry cannot be told: add nothing, nothing that it may be, or go on. Default Hold.',
  ),
  drift: policy('drift', 'When an entry was made from something else. Default Update.'),
  batchSize: { ...whole, minimum: 1, description: 'With drift Recreate, so many at a time. Default 1.' },
  duplicates: policy('duplicates', 'When a member has several entries. Default Report.'),
  adopt: policy('adopt', 'Entries of nobody: leave them, or take those with the key of a member. Default Never.'),
  allowEmptySource: { ...flag, description: 'An empty source removes all entries. Default false.' },
  beforeRemoval: {
    ...object({ timeout: duration }, 'timeout'),
    description: 'An entry is marked first, and removed once somebody has marked it as released, or after this time.',
  },
  maxRemovals: {
    'x-kubernetes-int-or-string': true,
    description: 'So many entries at most may go at once, as a number or a share such as 30%; more wait for a person.',
  },
});

const upstream = object({
  SyncInterval: duration,
  DestroyOnTerminate: flag,
  SourceKeySelector: { type: 'string' },
  EnrollmentKeySelector: { type: 'string' },
  SourceParseErrPolicy: { type: 'string', enum: namesOf('onSourceKeyError') },
  EnrollmentParseErrPolicy: { type: 'string', enum: namesOf('onEnrolledKeyError') },
});

const spec = object(
  {
    source,
    sink,
    keys,
    policy: policies,
    syncInterval: { ...duration, description: 'How often plugins are asked; at least 1s. Default 5s.' },
    paused: { ...flag, description: 'While true no entry is added, changed or removed.' },
    deletionPolicy: policy(
      'deletionPolicy',
      'What becomes of the entries when the Enrollment is deleted. Default Orphan.',
    ),
    concurrency: {
      ...whole,
      minimum: 1,
      maximum: 64,
      description: 'So many entries are worked on at once. Default 8.',
    },
    options: { ...upstream, description: "The options of InfraKit's enrollment controller, under their own names." },
  },
  'source',
  'sink',
);

const counts = object(
  Object.fromEntries(
    ['source', 'enrolled', 'adding', 'removing', 'outdated', 'failed', 'unmanaged', 'duplicates'].map((name) => [
      name,
      whole,
    ]),
  ),
);
const entry = object(
  {
    key: { type: 'string' },
    sinkID: text,
    state: text,
    reason: text,
    message: { type: 'string' },
    attempts: whole,
    nextRetry: { type: 'string', format: 'date-time' },
  },
  'key',
  'state',
  'reason',
);
const recorded = object({ apiVersion: text, kind: text, namespace: text, plugin: text, labels: texts });

export const enrollmentCrd = crdFor(Enrollments, {
  shortNames: ['enr'],
  spec,
  status: {
    counts,
    entries: { type: 'array', items: entry, description: 'Entries that are not as they should be; at most fifty.' },
    sinks: { type: 'array', items: recorded, description: 'Where entries may be.' },
  },
  printerColumns: [
    { name: 'Members', type: 'integer', jsonPath: '.status.counts.source' },
    { name: 'Enrolled', type: 'integer', jsonPath: '.status.counts.enrolled' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.counts.failed', priority: 1 },
  ],
});
