// Rows about discovery, health and access.
import { containing, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, configMap, configMaps, create, fails, get, group, namespaces, widget, widgets } from './dsl.ts';

export const discoveryRows: readonly Row[] = [
  {
    id: '157',
    title: '/version names the version of Kubernetes',
    priority: 'P0',
    steps: [
      get(
        '/version',
        answers(
          200,
          { major: '1', minor: text('^\\d+$'), gitVersion: text('^v1\\.\\d+\\.\\d+'), platform: present },
          { same: ['gitVersion', 'minor'] },
        ),
      ),
    ],
  },
  {
    id: '158',
    title:
      '/api and /apis list versions and groups; with the right Accept they are the aggregated discovery in one answer',
    priority: 'P0',
    steps: [
      get('/api', answers(200, { kind: 'APIVersions', versions: ['v1'] })),
      get(
        '/apis',
        answers(200, {
          kind: 'APIGroupList',
          apiVersion: 'v1',
          groups: containing(
            { name: 'apps', preferredVersion: { groupVersion: 'apps/v1', version: 'v1' } },
            { name: group, versions: [{ version: 'v1' }, { version: 'v1beta1' }] },
          ),
        }),
      ),
      get(
        '/apis',
        answers(200, {
          kind: 'APIGroupDiscoveryList',
          apiVersion: 'apidiscovery.k8s.io/v2',
          items: containing({
            metadata: { name: group },
            versions: containing({
              version: 'v1',
              resources: containing({
                resource: 'widgets',
                scope: 'Namespaced',
                responseKind: { group, version: 'v1', kind: 'Widget' },
                subresources: containing({ subresource: 'status' }),
              }),
            }),
          }),
        }),
        {
          accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
        },
      ),
      get(
        '/api',
        answers(200, {
          kind: 'APIGroupDiscoveryList',
          items: [
            {
              versions: [
                {
                  version: 'v1',
                  resources: containing({ resource: 'configmaps', verbs: containing('get', 'list', 'watch', 'patch') }),
                },
              ],
            },
          ],
        }),
        {
          accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
        },
      ),
    ],
  },
  {
    id: '159',
    title: '/apis/GROUP/VERSION lists resources with verbs, short names, categories and subresources',
    priority: 'P0',
    steps: [
      get(
        `/apis/${group}/v1`,
        answers(200, {
          kind: 'APIResourceList',
          groupVersion: `${group}/v1`,
          resources: containing(
            {
              name: 'widgets',
              singularName: 'widget',
              namespaced: true,
              kind: 'Widget',
              shortNames: ['wd'],
              categories: ['all'],
              verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
            },
            { name: 'widgets/status', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
            { name: 'widgets/scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
          ),
        }),
      ),
      get(
        '/api/v1',
        answers(200, {
          kind: 'APIResourceList',
          groupVersion: 'v1',
          resources: containing(
            {
              name: 'configmaps',
              shortNames: ['cm'],
              namespaced: true,
              kind: 'ConfigMap',
              verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
            },
            {
              name: 'namespaces',
              namespaced: false,
              verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
            },
            { name: 'pods/eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
          ),
        }),
      ),
      get(
        '/apis/apps/v1',
        answers(200, {
          resources: containing(
            { name: 'deployments', shortNames: ['deploy'], categories: ['all'] },
            { name: 'deployments/scale' },
            { name: 'statefulsets', shortNames: ['sts'] },
          ),
        }),
      ),
    ],
  },
  {
    id: '160',
    title: '/openapi/v2 and /openapi/v3 describe the types, custom resources included',
    priority: 'P1',
    steps: [
      get('/openapi/v3', answers(200, present)),
      get(
        `/openapi/v3/apis/${group}/v1`,
        answers(200, {
          openapi: '3.0.0',
          components: { schemas: { [`dev.pawl.conformance.v1.Widget`]: { properties: { spec: present } } } },
        }),
      ),
      get('/openapi/v2', answers(200, { swagger: '2.0' })),
    ],
  },
  {
    id: '161',
    title: '/healthz, /livez and /readyz answer ok',
    priority: 'P0',
    steps: [get('/healthz', answers(200, 'ok')), get('/livez', answers(200, 'ok')), get('/readyz', answers(200, 'ok'))],
  },
  {
    id: '162',
    title:
      'SelfSubjectAccessReview says what the caller may do; what he may not: 403 Forbidden with a message that names user, verb and resource',
    priority: 'P0',
    steps: [
      create(
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'configmaps' } },
        },
        answers(201, { kind: 'SelfSubjectAccessReview', status: { allowed: true } }),
      ),
    ],
  },
  {
    id: 'V1',
    title:
      'A user without rights: 403 Forbidden, the message names user, verb, resource and namespace; SelfSubjectAccessReview says allowed: false',
    priority: 'P0',
    needs: ['users'],
    setup: [create(configMaps, configMap('x'))],
    steps: [
      {
        send: { method: 'GET', path: `${configMaps}/x`, user: 'nobody' },
        expect: fails(403, 'Forbidden', {
          message:
            'configmaps "x" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" in the namespace "{ns}"',
          details: { name: 'x', kind: 'configmaps' },
        }),
      },
      {
        send: { method: 'GET', path: namespaces, user: 'nobody' },
        expect: fails(403, 'Forbidden', {
          message:
            'namespaces is forbidden: User "nobody" cannot list resource "namespaces" in API group "" at the cluster scope',
        }),
      },
      {
        send: {
          method: 'POST',
          path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
          user: 'nobody',
          body: {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SelfSubjectAccessReview',
            spec: { resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'configmaps' } },
          },
        },
        expect: answers(201, { status: { allowed: false } }),
      },
    ],
  },
  {
    id: 'V2',
    title: 'A Role and a RoleBinding give exactly what they name, in their namespace, at once',
    priority: 'P0',
    needs: ['users'],
    setup: [
      create(configMaps, configMap('x')),
      create('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', {
        metadata: { name: 'reader' },
        rules: [
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'watch'] },
          { apiGroups: [group], resources: ['widgets/status'], verbs: ['patch'] },
        ],
      }),
      create('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings', {
        metadata: { name: 'reader' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nobody' }],
      }),
      create(widgets, widget('x')),
    ],
    steps: [
      {
        until: { method: 'GET', path: `${configMaps}/x`, user: 'nobody' },
        expect: answers(200, { metadata: { name: 'x' } }),
      },
      {
        send: { method: 'GET', path: configMaps, user: 'nobody' },
        expect: fails(403, 'Forbidden', {
          message:
            'configmaps is forbidden: User "nobody" cannot list resource "configmaps" in API group "" in the namespace "{ns}"',
        }),
      },
      {
        send: { method: 'GET', path: `${namespaces}/default/configmaps/x`, user: 'nobody' },
        expect: fails(403, 'Forbidden'),
      },
      { send: { method: 'DELETE', path: `${configMaps}/x`, user: 'nobody' }, expect: fails(403, 'Forbidden') },
      {
        send: {
          method: 'PATCH',
          path: `${widgets}/x/status`,
          user: 'nobody',
          body: { status: { phase: 'Up' } },
          headers: { 'content-type': 'application/merge-patch+json' },
        },
        expect: answers(200, { status: { phase: 'Up' } }),
      },
      {
        send: {
          method: 'PATCH',
          path: `${widgets}/x`,
          user: 'nobody',
          body: { spec: { size: 2 } },
          headers: { 'content-type': 'application/merge-patch+json' },
        },
        expect: fails(403, 'Forbidden', {
          message: `widgets.${group} "x" is forbidden: User "nobody" cannot patch resource "widgets" in API group "${group}" in the namespace "{ns}"`,
        }),
      },
    ],
  },
];
