// Short ways to write the steps of rows. They build plain data and do nothing else.
import type { Expect, ExpectedEvent, Send, Step } from '../row.ts';

type Json = Readonly<Record<string, unknown>>;

/** Collections that rows use; `{ns}` is the row's namespace. */
export const namespaces = '/api/v1/namespaces';
export const configMaps = `${namespaces}/{ns}/configmaps`;
export const secrets = `${namespaces}/{ns}/secrets`;
export const services = `${namespaces}/{ns}/services`;
export const pods = `${namespaces}/{ns}/pods`;
export const claims = `${namespaces}/{ns}/persistentvolumeclaims`;
export const serviceAccounts = `${namespaces}/{ns}/serviceaccounts`;
export const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
export const replicaSets = '/apis/apps/v1/namespaces/{ns}/replicasets';
export const statefulSets = '/apis/apps/v1/namespaces/{ns}/statefulsets';
export const jobs = '/apis/batch/v1/namespaces/{ns}/jobs';
export const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets';
export const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';
export const roleBindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings';
export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const group = 'conformance.pawl.dev';
/** With the subresources status and scale, and a schema; see `definitions.ts`. */
export const widgets = `/apis/${group}/v1/namespaces/{ns}/widgets`;
/** Without subresources, in two served versions and one that is not served. */
export const gadgets = `/apis/${group}/v1/namespaces/{ns}/gadgets`;
export const oldGadgets = `/apis/${group}/v1beta1/namespaces/{ns}/gadgets`;

/** `metadata` and the rest of an object. */
export function named(name: string, rest: Json = {}, metadata: Json = {}): Json {
  return { metadata: { name, ...metadata }, ...rest };
}

export const configMap = (name: string, data: Json = { key: 'value' }, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const widget = (name: string, spec: Json = { size: 1 }, metadata: Json = {}): Json => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
});

export const gadget = (name: string, spec: Json = { size: 1 }, metadata: Json = {}): Json => ({
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  metadata: { name, ...metadata },
  spec,
});

/** An answer with this status and, where given, this body. */
export function answers(status: number, body?: unknown, more: Expect = {}): Expect {
  return { status, ...(body === undefined ? {} : { body }), ...more };
}

/** A failure with this code and reason. */
export function fails(code: number, reason: string, rest: Json = {}): Expect {
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, ...rest } };
}

/** A 422 whose causes include these. */
export function invalid(...causes: readonly Json[]): Expect {
  return fails(422, 'Invalid', causes.length === 0 ? {} : { details: { causes: { $: 'containing', value: causes } } });
}

export function send(
  method: Send['method'],
  path: string,
  body?: unknown,
  expect?: Expect,
  more: Partial<Send> = {},
): Step {
  return {
    send: { method, path, ...(body === undefined ? {} : { body }), ...more },
    ...(expect === undefined ? {} : { expect }),
  };
}

export const get = (path: string, expect?: Expect, headers?: Send['headers']): Step =>
  send('GET', path, undefined, expect, headers === undefined ? {} : { headers });
export const create = (path: string, body: unknown, expect?: Expect): Step => send('POST', path, body, expect);
export const put = (path: string, body: unknown, expect?: Expect): Step => send('PUT', path, body, expect);
export const remove = (path: string, options?: Json, expect?: Expect): Step =>
  send(
    'DELETE',
    path,
    options === undefined ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', ...options },
    expect,
  );

const patch =
  (type: string) =>
  (path: string, body: unknown, expect?: Expect): Step =>
    send('PATCH', path, body, expect, { headers: { 'content-type': type } });
export const mergePatch = patch('application/merge-patch+json');
export const jsonPatch = patch('application/json-patch+json');
export const strategicPatch = patch('application/strategic-merge-patch+json');

/** Server-side apply under a field manager; `query` such as `&force=true`. */
export function apply(path: string, manager: string, body: unknown, expect?: Expect, query = ''): Step {
  return patch('application/apply-patch+yaml')(`${path}?fieldManager=${manager}${query}`, body, expect);
}

/** Saves the answer's body under a name for later references. */
export function as(name: string, step: Step): Step {
  return 'send' in step && !('repeat' in step) ? { ...step, as: name } : step;
}

/** Opens a watch; `query` begins with `?watch=true` already. */
export function watch(name: string, path: string, query = '', expect?: Expect, headers?: Send['headers']): Step {
  const joint = path.includes('?') ? '&' : '?';
  const sent = {
    method: 'GET',
    path: `${path}${joint}watch=true${query}`,
    ...(headers === undefined ? {} : { headers }),
  } as const;
  return { watch: sent, as: name, ...(expect === undefined ? {} : { expect }) };
}

export function events(name: string, ...expect: readonly ExpectedEvent[]): Step {
  return { events: name, expect };
}

export function end(name: string, ...but: readonly ExpectedEvent['type'][]): Step {
  return { end: name, but };
}

export const event = (type: ExpectedEvent['type'], object?: unknown): ExpectedEvent => ({
  type,
  ...(object === undefined ? {} : { object }),
});

/** The event's object has this name. */
export const about = (type: ExpectedEvent['type'], name: string, rest: Json = {}): ExpectedEvent => ({
  type,
  object: { metadata: { name }, ...rest },
});

/** Asks again until the answer is as expected. */
export function until(path: string, expect: Expect, withinMs?: number): Step {
  return { until: { method: 'GET', path }, expect, ...(withinMs === undefined ? {} : { withinMs }) };
}

/** The Deployment `x`. */
export const deployment = (container: Json = {}, spec: Json = {}, podSpec: Json = {}): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x' },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1', ...container }], ...podSpec },
    },
    ...spec,
  },
});

/** The entry of `metadata.managedFields` of an apply with these fields. */
export const entry = (manager: string, fieldsV1: unknown): Json => ({ manager, operation: 'Apply', fieldsV1 });

/** An entry of `metadata.managedFields`. */
export const managed = (manager: string, operation: 'Apply' | 'Update', rest: object = {}): object => ({
  manager,
  operation,
  ...rest,
});

/** A reference to a ConfigMap. */
export const owner = (name: string, uid: string, more: Json = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...more,
});

/** The items of a list, in this order. */
export const names = (...list: readonly string[]): object => ({ items: list.map((name) => ({ metadata: { name } })) });

/** Three ConfigMaps with labels, not in the order of their names. */
export const three = [
  create(configMaps, configMap('b', {}, { labels: { app: 'x', tier: 'web' } })),
  create(configMaps, configMap('a', {}, { labels: { app: 'y' } })),
  create(configMaps, configMap('c', {}, { labels: { app: 'z', tier: 'db' } })),
];
