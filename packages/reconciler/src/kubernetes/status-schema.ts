// The part of a kind's schema that is the framework's: `spec.procedure` and `status`.
import type { V1JSONSchemaProps } from '@kubernetes/client-node';
import type { Raw } from './model.ts';

/** A structural schema. */
export type Schema = Raw<V1JSONSchemaProps>;

const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const whole: Schema = { type: 'integer', format: 'int64' };
const three: Schema = { type: 'string', enum: ['True', 'False', 'Unknown'] };

/** What belongs in git about versions. */
export const procedureSettingsSchema: Schema = {
  type: 'object',
  description: 'Which version of the procedure may drive this object.',
  properties: {
    version: {
      type: 'string',
      description: 'A version or a range: no newer one becomes a target. Never turns an object back.',
    },
    policy: {
      type: 'string',
      enum: ['Automatic', 'Manual'],
      description: 'Manual: each new version needs an approval. Default Automatic.',
    },
    paused: { type: 'boolean', description: 'While true nothing is changed for this object.' },
  },
};

/** Before an operator has seen the object, so that `kubectl wait` and status tools do not take it for ready. */
const WAITING = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'WaitingForOperator',
  message: 'waiting for the operator',
  lastTransitionTime: '1970-01-01T00:00:00Z',
} as const;

const conditions: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  default: [WAITING],
  items: {
    type: 'object',
    required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
    properties: {
      type: text,
      status: three,
      reason: text,
      message: text,
      lastTransitionTime: time,
      observedGeneration: whole,
    },
  },
};

const item: Schema = {
  type: 'object',
  required: ['key', 'status', 'reason', 'message'],
  properties: { key: text, status: three, reason: text, message: text },
};

const actions: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    required: ['name', 'status', 'reason', 'message', 'lastTransitionTime'],
    properties: {
      name: text,
      status: three,
      reason: text,
      message: text,
      lastTransitionTime: time,
      blockedBy: { type: 'array', items: text },
      progress: { type: 'object', required: ['done', 'total'], properties: { done: whole, total: whole } },
      items: { type: 'array', items: item },
    },
  },
};

const FRAMEWORK: Readonly<Record<string, Schema>> = {
  observedGeneration: { ...whole, description: 'The generation that the last report is about.' },
  verifiedGeneration: { ...whole, description: 'The generation that was last found completely established.' },
  // Versions to come add fields: a schema that drops them would lose the record.
  procedure: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  actions,
  conditions,
};

/** The schema of `status`, with the author's own fields beside the framework's. */
export function statusSchema(kind: string, own: Readonly<Record<string, Schema>>): Schema {
  const taken = Object.keys(own).filter((name) => FRAMEWORK[name] !== undefined);
  if (taken.length > 0) throw new Error(`crdFor(${kind}): status.${taken.join(', status.')} belongs to the framework`);
  return { type: 'object', default: { conditions: [WAITING] }, properties: { ...own, ...FRAMEWORK } };
}
