import { describe, expect, it } from 'vitest';
import {
  clientOf,
  CONFIG_MAPS,
  configMap,
  PATCH,
  testServer,
  type Client,
  type TestServer,
} from '../testing/server.ts';
import type { KubeObject } from '../json.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ACCESS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const JANE = { name: 'jane', groups: ['devs'] };

interface Guarded extends TestServer {
  readonly admin: Client;
  readonly jane: Client;
  /** Binds a role with these rules to a subject in `default`. */
  readonly grant: (rules: readonly object[], subject?: object) => Promise<void>;
}

function guarded(): Guarded {
  const test = testServer({ authorization: 'rbac', authentication: { tokens: { secret: JANE }, remoteUser: true } });
  const admin = clientOf(test.server.as({ name: 'root', groups: ['system:masters'] }));
  return {
    ...test,
    admin,
    jane: clientOf(test.server.as(JANE)),
    grant: async (rules, subject = { kind: 'User', name: 'jane' }) => {
      await admin.ok('POST', `${RBAC}/namespaces/default/roles`, { metadata: { name: 'r' }, rules });
      await admin.ok('POST', `${RBAC}/namespaces/default/rolebindings`, {
        metadata: { name: 'rb' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [subject],
      });
    },
  };
}

const review = (spec: object): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec,
});

describe('a server with RBAC', () => {
  it.each([
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
    [
      'GET',
      '/api/v1/namespaces/default/pods/x',
      'pods "x" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "default"',
    ],
    [
      'GET',
      '/api/v1/nodes/x',
      'nodes "x" is forbidden: User "jane" cannot get resource "nodes" in API group "" at the cluster scope',
    ],
    [
      'PATCH',
      '/apis/apps/v1/namespaces/default/deployments/x/status',
      'deployments.apps "x" is forbidden: User "jane" cannot patch resource "deployments/status" in API group "apps" in the namespace "default"',
    ],
    [
      'GET',
      '/api/v1/namespaces/default',
      'namespaces "default" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "default"',
    ],
    [
      'GET',
      '/apis/foo.dev/v1/namespaces/default/things',
      'things.foo.dev is forbidden: User "jane" cannot list resource "things" in API group "foo.dev" in the namespace "default"',
    ],
    [
      'DELETE',
      '/api/v1/namespaces/default/pods',
      'pods is forbidden: User "jane" cannot deletecollection resource "pods" in API group "" in the namespace "default"',
    ],
    ['GET', '/metrics', 'forbidden: User "jane" cannot get path "/metrics"'],
  ] as const)('refuses %s %s in the words of the real one', async (method, path, message) => {
    const { jane } = guarded();
    expect(await jane.send(method, path)).toMatchObject({
      status: 403,
      body: { reason: 'Forbidden', message, code: 403 },
    });
  });

  it('refuses a watch as a watch, and names the object that a field selector names', async () => {
    const { server } = guarded();
    const path = '/api/v1/namespaces/default/pods?watch=true&fieldSelector=metadata.name%3Dabc';
    const { status, body } = await server.as(JANE).watch({ method: 'GET', path });
    expect(status).toBe(403);
    expect((body as KubeObject)['message']).toContain(
      'pods "abc" is forbidden: User "jane" cannot watch resource "pods"',
    );
  });

  it('lets everybody discover, and members of system:masters do everything', async () => {
    const { jane, admin } = guarded();
    for (const path of ['/api', '/apis', '/apis/apps/v1', '/openapi/v3', '/version', '/healthz'])
      expect((await jane.send('GET', path)).status).toBe(200);
    await admin.ok('POST', CONFIG_MAPS, configMap('a'));
  });

  it('lets a role allow verbs on resources, in its namespace only', async () => {
    const { jane, grant } = guarded();
    await grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get'] }]);
    await jane.ok('POST', CONFIG_MAPS, configMap('a'));
    await jane.ok('GET', `${CONFIG_MAPS}/a`);
    expect((await jane.send('GET', CONFIG_MAPS)).status).toBe(403);
    expect((await jane.send('GET', '/api/v1/namespaces/kube-system/configmaps/a')).status).toBe(403);
    expect((await jane.send('DELETE', `${CONFIG_MAPS}/a`)).status).toBe(403);
  });

  it.each([
    [{ resources: ['*'] }, 'deployments/x', true],
    [{ resources: ['*'] }, 'deployments/x/scale', true],
    [{ resources: ['deployments'] }, 'deployments/x/scale', false],
    [{ resources: ['deployments/scale'] }, 'deployments/x/scale', true],
    [{ resources: ['*/scale'] }, 'deployments/x/scale', true],
    [{ resources: ['deployments'], resourceNames: ['x'] }, 'deployments/x', true],
    [{ resources: ['deployments'], resourceNames: ['y'] }, 'deployments/x', false],
    [{ resources: ['deployments'], resourceNames: ['x'] }, 'deployments', false],
    [{ resources: ['deployments'], apiGroups: ['batch'] }, 'deployments/x', false],
  ])('takes the rule %j for %s as %s', async (rule, path, allowed) => {
    const { jane, grant } = guarded();
    await grant([{ apiGroups: ['apps'], verbs: ['*'], ...rule }]);
    const { status } = await jane.send('GET', `/apis/apps/v1/namespaces/default/${path}`);
    expect(status !== 403).toBe(allowed);
  });

  it.each([
    [{ kind: 'Group', name: 'devs' }, JANE],
    [{ kind: 'ServiceAccount', name: 'op' }, { name: 'system:serviceaccount:default:op' }],
    [{ kind: 'ServiceAccount', name: 'op', namespace: 'other' }, { name: 'system:serviceaccount:other:op' }],
    [{ kind: 'Group', name: 'system:serviceaccounts:other' }, { name: 'system:serviceaccount:other:op' }],
  ])('binds to %j', async (subject, user) => {
    const { server, grant } = guarded();
    await grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }], subject);
    expect((await clientOf(server.as(user)).send('GET', CONFIG_MAPS)).status).toBe(200);
    expect((await clientOf(server.as({ name: 'other' })).send('GET', CONFIG_MAPS)).status).toBe(403);
  });

  it('says which role of a binding is missing', async () => {
    const { jane, admin } = guarded();
    await admin.ok('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'crb' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'missing' },
      subjects: [{ kind: 'User', name: 'jane' }],
    });
    const { body } = await jane.send('GET', CONFIG_MAPS);
    expect((body as KubeObject)['message']).toBe(
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default": ' +
        'RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found',
    );
  });

  it('wants the right to create from an apply that creates', async () => {
    const { jane, grant } = guarded();
    await grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }]);
    const path = `${CONFIG_MAPS}/a?fieldManager=me`;
    expect(await jane.send('PATCH', path, configMap('a'), PATCH.apply)).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "a" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
      },
    });
  });

  it('lets nobody grant more than he has', async () => {
    const { jane, admin, grant } = guarded();
    await grant([
      { apiGroups: [''], resources: ['configmaps'], verbs: ['patch', 'update', 'get'] },
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['create', 'patch'] },
    ]);
    const who =
      'user "jane" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:';
    const role = (name: string, rules: readonly object[]): Promise<unknown> =>
      jane.send('POST', `${RBAC}/namespaces/default/roles`, { metadata: { name }, rules });
    const message = (text: string): object => ({ status: 403, body: { reason: 'Forbidden', message: text } });
    expect(await role('held', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }])).toMatchObject({
      status: 201,
    });
    expect(
      await role('more', [{ apiGroups: ['', 'apps'], resources: ['configmaps', 'secrets'], verbs: ['get', 'list'] }]),
    ).toMatchObject(
      message(
        [
          `roles.rbac.authorization.k8s.io "more" is forbidden: ${who}`,
          '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
          '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
          '{APIGroups:["apps"], Resources:["configmaps"], Verbs:["get" "list"]}',
          '{APIGroups:["apps"], Resources:["secrets"], Verbs:["get" "list"]}',
        ].join('\n'),
      ),
    );
    expect(
      await role('names', [
        { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get', 'delete'] },
      ]),
    ).toMatchObject(
      message(
        `roles.rbac.authorization.k8s.io "names" is forbidden: ${who}\n` +
          '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["delete"]}',
      ),
    );
    const bind = (roleRef: object): Promise<unknown> =>
      jane.send('POST', `${RBAC}/namespaces/default/rolebindings`, { metadata: { name: 'b' }, roleRef, subjects: [] });
    const apiGroup = 'rbac.authorization.k8s.io';
    expect(await bind({ apiGroup, kind: 'ClusterRole', name: 'cluster-admin' })).toMatchObject(
      message(
        `rolebindings.rbac.authorization.k8s.io "b" is forbidden: ${who}\n` +
          '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
      ),
    );
    expect(await bind({ apiGroup, kind: 'Role', name: 'missing' })).toMatchObject({ status: 404 });
    expect(await bind({ apiGroup, kind: 'Role', name: 'r' })).toMatchObject({ status: 201 });
    await admin.ok('POST', `${RBAC}/namespaces/default/roles`, {
      metadata: { name: 'e' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
    });
    const patch = (body: object): Promise<unknown> =>
      jane.send('PATCH', `${RBAC}/namespaces/default/roles/e`, body, PATCH.merge);
    expect(await patch({ metadata: { labels: { a: 'b' } } })).toMatchObject({ status: 403 });
    expect(await patch({ rules: [] })).toMatchObject({ status: 200 });
  });
});

describe('a user', () => {
  it('is known by token, by the headers of a proxy, or not at all', async () => {
    const { server } = guarded();
    const who = async (headers: Record<string, string>): Promise<unknown> => {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const { status, body } = await server.request({ method: 'POST', path, headers, body: {} });
      return status === 201 ? ((body as KubeObject)['status'] as KubeObject)['userInfo'] : status;
    };
    expect(await who({ authorization: 'Bearer secret' })).toEqual({
      username: 'jane',
      groups: ['devs', 'system:authenticated'],
    });
    expect(await who({ 'x-remote-user': 'joe', 'x-remote-group': 'a, b' })).toMatchObject({
      groups: ['a', 'b', 'system:authenticated'],
    });
    expect(await who({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await who({})).toBe(403);
  });
});

describe('reviews', () => {
  it('tell what one may do, and by which binding', async () => {
    const { jane, grant } = guarded();
    await grant([{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    const ask = async (spec: object): Promise<unknown> => (await jane.ok('POST', ACCESS, review(spec)))['status'];
    expect(await ask({ resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "rb/default" of Role "r" to User "jane"',
    });
    expect(await ask({ resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } })).toEqual({
      allowed: false,
    });
    expect(await ask({ nonResourceAttributes: { verb: 'get', path: '/version' } })).toMatchObject({ allowed: true });
    const { status, body } = await jane.send('POST', ACCESS, review({}));
    expect(status).toBe(422);
    expect((body as KubeObject)['message']).toBe(
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
  });

  it('list the rules that hold in a namespace', async () => {
    const { jane, grant } = guarded();
    const rule = { verbs: ['list'], apiGroups: [''], resources: ['pods'] };
    await grant([rule]);
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    const { status } = await jane.ok('POST', path, { spec: { namespace: 'default' } });
    expect((status as KubeObject)['resourceRules']).toContainEqual(rule);
    expect((await jane.send('POST', path, { spec: {} })).body).toMatchObject({
      message: 'no namespace on request',
      code: 400,
    });
  });

  it('about others are for those who may ask', async () => {
    const { jane, admin, grant } = guarded();
    await grant([{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const body = {
      spec: { user: 'jane', resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } },
    };
    expect((await admin.ok('POST', path, body))['status']).toMatchObject({ allowed: true });
    expect((await jane.send('POST', path, body)).status).toBe(403);
  });
});
