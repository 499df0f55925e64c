import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../json.ts';
import { CONFIG_MAPS, configMap, PATCH } from '../testing/server.ts';
import { hookedServer, patching } from './testing.ts';

const allow = (): { allowed: boolean } => ({ allowed: true });

describe('a mutating webhook', () => {
  it('changes what is stored, and owns nothing of it', async () => {
    const { ok, configure } = hookedServer(() => patching({ op: 'add', path: '/data/extra', value: 'x' }));
    await configure('Mutating', {});
    const made = await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    expect(made['data']).toEqual({ x: '1', extra: 'x' });
    expect(made.metadata.managedFields?.[0]?.['fieldsV1']).toEqual({ 'f:data': { '.': {}, 'f:x': {} } });
    expect((await ok('GET', `${CONFIG_MAPS}/a`))['data']).toEqual({ x: '1', extra: 'x' });
  });

  it('sees a new object before the server gives it a name, a uid and a time', async () => {
    const { ok, reviews, configure } = hookedServer(allow);
    await configure('Mutating', {});
    await ok('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('', {}, { name: undefined, generateName: 'a-' }));
    expect(reviews).toHaveLength(1);
    expect(reviews[0]).toMatchObject({ operation: 'CREATE', oldObject: null, dryRun: true, namespace: 'default' });
    expect(reviews[0]).not.toHaveProperty('name');
    const { metadata } = (reviews[0] ?? {})['object'] as KubeObject;
    expect(metadata).toMatchObject({ generateName: 'a-', namespace: 'default' });
    expect(metadata.uid).toBeUndefined();
  });

  it('is called in the order of names, each seeing what those before it did', async () => {
    const add = (key: string): object => patching({ op: 'add', path: `/data/${key}`, value: key });
    const { ok, reviews, configure } = hookedServer((_, path) => add(path.slice(1)) as never);
    await configure('Mutating', {}, {});
    await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    expect(reviews.map((review) => (review['object'] as KubeObject)['data'])).toEqual([
      { x: '1' },
      { x: '1', h0: 'h0' },
    ]);
  });

  it('is called once more if it asks for it and a later one changed the object', async () => {
    const paths: string[] = [];
    const { ok, configure } = hookedServer((_, path) => {
      paths.push(path);
      return path === '/h1' ? patching({ op: 'add', path: '/data/h1', value: '1' }) : allow();
    });
    await configure('Mutating', { reinvocationPolicy: 'IfNeeded' }, {});
    await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    expect(paths).toEqual(['/h0', '/h1', '/h0']);
  });

  it('cannot set the status of a write that may not either', async () => {
    const rules = [
      { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['CREATE', 'UPDATE'] },
    ];
    const { ok, configure } = hookedServer(() => patching({ op: 'add', path: '/status', value: { replicas: 7 } }));
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await ok('POST', path, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    await configure('Mutating', { rules });
    const { status } = await ok('PATCH', `${path}/d`, { spec: { replicas: 2 } }, PATCH.merge);
    expect(status).toEqual({});
  });

  it.each([
    [
      'a patch that removes nothing',
      patching({ op: 'remove', path: '/nothing' }),
      "Internal error occurred: error in remove for path: '/nothing': Unable to remove nonexistent key: nothing: missing value",
    ],
    [
      'a patch below what is not there',
      patching({ op: 'add', path: '/metadata/labels/x', value: 'y' }),
      'add operation does not apply: doc is missing path: "/metadata/labels/x": missing value',
    ],
    [
      'a patch without its type',
      { allowed: true, patch: 'W10=' },
      'webhook returned response.patch but not response.patchType',
    ],
    ['an answer to another question', { allowed: true, uid: 'wrong' }, 'expected response.uid="'],
    ['text', 'hello', 'failed calling webhook "h0.test.dev": failed to call webhook: couldn\'t get version/kind'],
    ['another object', '{"kind":"Pod","apiVersion":"v1"}', 'no kind "Pod" is registered for version "v1"'],
  ])('fails the request with %s', async (_, answer, message) => {
    const { send, ok, configure } = hookedServer(() => answer);
    await configure('Mutating', {});
    const { status, body } = await send('POST', CONFIG_MAPS, configMap('a'));
    expect(status).toBe(500);
    expect((body as KubeObject)['message']).toContain(message);
    expect((await ok('GET', CONFIG_MAPS))['items']).toEqual([]);
  });
});

describe('a validating webhook', () => {
  it('sees the object as it will be stored', async () => {
    const { ok, reviews, configure } = hookedServer(allow);
    await configure('Validating', {});
    const made = await ok('POST', `${CONFIG_MAPS}?fieldManager=me`, configMap('a', { x: '1' }));
    const { resourceVersion: _, ...metadata } = made.metadata;
    expect(reviews).toHaveLength(1);
    expect(reviews[0]).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'a',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      object: { ...made, metadata },
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    });
  });

  it('sees both states of an update and the last one of a deletion', async () => {
    const { ok, reviews, configure } = hookedServer(allow);
    await ok('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    await configure('Validating', {});
    await ok('PATCH', `${CONFIG_MAPS}/a`, { data: { x: '2' } }, PATCH.merge);
    await ok('DELETE', `${CONFIG_MAPS}/a`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    });
    expect(reviews).toMatchObject([
      {
        operation: 'UPDATE',
        oldObject: { data: { x: '1' } },
        object: { data: { x: '2' } },
        options: { kind: 'UpdateOptions' },
      },
      {
        operation: 'DELETE',
        oldObject: { data: { x: '2' } },
        object: null,
        options: { propagationPolicy: 'Background' },
      },
    ]);
  });

  it.each([
    [{}, 400, 'denied the request without explanation'],
    [{ status: { message: 'no way' } }, 400, 'denied the request: no way'],
    [{ status: { reason: 'Because' } }, 400, 'denied the request: Because'],
    [{ status: { code: 409, message: 'taken', reason: 'Conflict' } }, 409, 'denied the request: taken'],
    [{ status: { code: 200, message: 'odd' } }, 400, 'denied the request: odd'],
  ])('refuses with %o', async (response, code, message) => {
    const { send, ok, configure, server } = hookedServer(() => ({ allowed: false, ...response }));
    await configure('Validating', {});
    const before = server.resourceVersion();
    const answer = await send('POST', CONFIG_MAPS, configMap('a'));
    expect(answer).toMatchObject({
      status: code,
      body: { kind: 'Status', code, message: `admission webhook "h0.test.dev" ${message}` },
    });
    expect(server.resourceVersion()).toBe(before);
    expect((await ok('GET', CONFIG_MAPS))['items']).toEqual([]);
  });

  it('keeps a collection whose deletion it refuses', async () => {
    const { ok, send, configure } = hookedServer(({ name }) => ({ allowed: name !== 'b' }));
    for (const name of ['a', 'b', 'c']) await ok('POST', CONFIG_MAPS, configMap(name));
    await configure('Validating', {});
    expect((await send('DELETE', CONFIG_MAPS)).status).toBe(400);
    const { items } = await ok('GET', CONFIG_MAPS);
    expect((items as KubeObject[]).map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  });

  it('warns', async () => {
    const { send, configure } = hookedServer(() => ({ allowed: true, warnings: ['mind "this"', 'and that'] }));
    await configure('Validating', {});
    const { headers } = await send('POST', CONFIG_MAPS, configMap('a'));
    expect(headers['warning']).toBe('299 - "mind \\"this\\"", 299 - "and that"');
  });

  it('sees an eviction of a pod, and no deletion', async () => {
    const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }];
    const { ok, send, reviews, configure } = hookedServer(({ subResource }) => ({
      allowed: subResource !== 'eviction',
    }));
    const pods = '/api/v1/namespaces/default/pods';
    await ok('POST', pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await configure('Validating', { rules });
    expect((await send('POST', `${pods}/p/eviction`, { metadata: { name: 'p' } })).status).toBe(400);
    expect(reviews).toMatchObject([{ operation: 'CREATE', kind: { group: 'policy', kind: 'Eviction' }, name: 'p' }]);
  });

  it('sees a Scale where one is written', async () => {
    const rules = [{ apiGroups: ['apps'], apiVersions: ['*'], resources: ['deployments/scale'], operations: ['*'] }];
    const { ok, reviews, configure } = hookedServer(allow);
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await configure('Validating', { rules });
    await ok('POST', path, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    await ok('PATCH', `${path}/d/scale`, { spec: { replicas: 3 } }, PATCH.merge);
    expect(reviews).toMatchObject([
      { subResource: 'scale', kind: { group: 'autoscaling', kind: 'Scale' }, object: { spec: { replicas: 3 } } },
    ]);
  });
});
