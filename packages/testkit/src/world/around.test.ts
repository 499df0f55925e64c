// What others do to objects, and what servers answer that are not well: as plain functions.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { describe, expect, test } from 'vitest';
import { describeFault } from './fault-words.ts';
import { changesOf } from './meddling.ts';
import { askedToWaitMs, treatmentOf } from './refusals.ts';
import { additionsTo, hasAddition, withoutAdditions } from './webhook.ts';

const applied = (fieldsV1: object): object => ({ managedFields: [{ manager: 'pawl', operation: 'Apply', fieldsV1 }, { manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:status': { 'f:phase': {} } } }] });

describe('a change of what is applied', () => {
  test('is of one field each, content before labels, and of nothing that somebody else or the framework set', () => {
    const fields = { 'f:metadata': { 'f:labels': { 'f:team': {}, 'f:procedures.pawl.dev/owner': {} } }, 'f:spec': { 'f:replicas': {}, 'f:paused': {}, 'f:ports': { 'k:{"port":80}': { 'f:port': {} } } } };
    const object = { kind: 'Deployment', metadata: { labels: { team: 'a', 'procedures.pawl.dev/owner': 'x' }, ...applied(fields) }, spec: { replicas: 2, paused: false, ports: [] } };
    expect(changesOf(object as unknown as KubernetesObject)).toEqual([{ spec: { replicas: 3 } }, { spec: { paused: true } }, { metadata: { labels: { team: 'a-edited' } } }]);
  });

  test('of a Secret is base64', () => {
    const object = { kind: 'Secret', metadata: applied({ 'f:data': { 'f:key': {} } }), data: { key: 'c2VjcmV0' } };
    expect(changesOf(object as unknown as KubernetesObject)).toEqual([{ data: { key: 'ZWRpdGVk' } }]);
  });
});

describe('a webhook', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'web' }] } };
  const deployment = { metadata: { labels: {} }, spec: { template } };

  test('adds what fits to the object, once', () => {
    expect(additionsTo(deployment, 'adds-sidecar')).toMatchObject([{ path: '/spec/template/spec/containers/-' }]);
    expect(additionsTo({ metadata: {}, data: {} }, 'adds-sidecar')).toEqual([]);
    expect(additionsTo({ metadata: {}, data: {}, immutable: true }, 'adds-default')).toEqual([]);
    const with1 = { ...deployment, spec: { template: { ...template, spec: { containers: [{ name: 'web' }, { name: 'explore-sidecar' }] } } } };
    expect(hasAddition(with1, 'adds-sidecar')).toBe(true);
    expect(additionsTo(with1, 'adds-sidecar')).toEqual([]);
    expect(withoutAdditions(with1)).toEqual(deployment);
  });

  test('leaves an object alone that it added nothing to', () => {
    expect(withoutAdditions(deployment)).toBe(deployment);
    expect(withoutAdditions({ data: { a: '1', 'explore-default': 'b24=' } })).toEqual({ data: { a: '1' } });
  });
});

test.each([
  { failure: '429', isDone: false, status: 429, body: 'too many requests', waits: 1_000 },
  { failure: '429-status-after', isDone: true, status: 429, body: { reason: 'TooManyRequests', code: 429 }, waits: 1_000 },
  { failure: '503', isDone: false, status: 503, body: { reason: 'ServiceUnavailable' }, waits: 5_000 },
  { failure: '503-text-after', isDone: true, status: 503, body: 'the server is currently unable to handle the request', waits: 5_000 },
  { failure: '504-after', isDone: true, status: 504, body: { reason: 'Timeout' }, waits: undefined },
] as const)('$failure is what such a server answers', ({ failure, isDone, status, body, waits }) => {
  const treatment = treatmentOf(failure);
  expect(treatment).toMatchObject({ isDone, answer: { status, body } });
  expect(typeof treatment.answer === 'object' ? askedToWaitMs(treatment.answer) : 'none').toBe(waits);
});

test.each([
  { fault: { kind: 'request', process: 1, request: 3, failure: '429' }, says: 'request 3 of process 1: refused with 429 in plain text' },
  { fault: { kind: 'request', process: 1, request: 3, failure: '503-after' }, says: 'request 3 of process 1: refused with 503, done all the same' },
  { fault: { kind: 'request', process: 1, request: 3, failure: '504-text' }, says: 'request 3 of process 1: refused with 504 in plain text' },
  { fault: { kind: 'person', process: 1, write: 0, does: 'deletes', object: '/api/v1/namespaces/default/configmaps/a' }, says: 'somebody deletes configmaps default/a when process 1 has come to rest' },
  { fault: { kind: 'person', process: 2, write: 4, does: 'unfinalizes', object: '/apis/x.dev/v1/namespaces/default/things/one' }, says: 'somebody takes the finalizers away from things.x.dev default/one right before write 4 of process 2' },
  { fault: { kind: 'cluster', process: 1, write: 2, stage: 'claims', forMs: 60_000 }, says: 'no claim finds a volume for 60 s from write 2 of process 1 on' },
  { fault: { kind: 'admission', process: 1, write: 5, answer: 'adds-sidecar' }, says: 'a webhook adds a container to write 5 of process 1' },
] as const)('in words: $says', ({ fault, says }) => {
  expect(describeFault(fault)).toBe(says);
});
