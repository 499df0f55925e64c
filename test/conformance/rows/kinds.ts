// Rows about rules of other built-in kinds that upgrades run into.
import { absent, like, newer, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  as,
  claims,
  configMap,
  configMaps,
  create,
  fails,
  get,
  invalid,
  leases,
  mergePatch,
  namespaces,
  put,
  remove,
  roleBindings,
  secrets,
  services,
} from './dsl.ts';

export const kindRows: readonly Row[] = [
  {
    id: '148',
    title: 'Service: clusterIP is allocated and cannot change; a replace without it keeps it; headless stays None',
    priority: 'P0',
    setup: [
      as('a', create(services, { metadata: { name: 'x' }, spec: { selector: { app: 'x' }, ports: [{ port: 80 }] } })),
    ],
    steps: [
      get(
        `${services}/x`,
        answers(200, {
          spec: {
            clusterIP: like('^\\d+\\.\\d+\\.\\d+\\.\\d+$'),
            clusterIPs: ['{a.spec.clusterIP}'],
            type: 'ClusterIP',
            sessionAffinity: 'None',
            internalTrafficPolicy: 'Cluster',
            ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
          },
          status: { loadBalancer: {} },
        }),
      ),
      put(
        `${services}/x`,
        { metadata: { name: 'x' }, spec: { ports: [{ port: 81 }] } },
        answers(200, { spec: { clusterIP: '{a.spec.clusterIP}', selector: absent } }),
      ),
      mergePatch(
        `${services}/x`,
        { spec: { clusterIP: '10.0.0.99', clusterIPs: ['10.0.0.99'] } },
        invalid({
          reason: 'FieldValueInvalid',
          field: 'spec.clusterIPs[0]',
          message: text('may not change once set$'),
        }),
      ),
      create(
        services,
        { metadata: { name: 'h' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } },
        answers(201, { spec: { clusterIP: 'None', clusterIPs: ['None'] } }),
      ),
      create(
        services,
        { metadata: { name: 'n' }, spec: { ports: [{ port: 80 }, { port: 81 }] } },
        invalid({ reason: 'FieldValueRequired', field: 'spec.ports[0].name' }),
      ),
      create(
        services,
        { metadata: { name: 'p' }, spec: { ports: [{ port: 0 }] } },
        invalid({ field: 'spec.ports[0].port' }),
      ),
      create(
        services,
        { metadata: { name: 'e' }, spec: {} },
        invalid({ reason: 'FieldValueRequired', field: 'spec.ports' }),
      ),
    ],
  },
  {
    id: '149',
    title: 'PersistentVolumeClaim: spec cannot change but for a larger request of a bound claim',
    priority: 'P0',
    setup: [
      create(claims, {
        metadata: { name: 'x' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '2Gi' } } },
      }),
    ],
    steps: [
      get(
        `${claims}/x`,
        answers(200, {
          spec: { volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
          metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
        }),
      ),
      mergePatch(
        `${claims}/x`,
        { spec: { storageClassName: 'other' } },
        invalid({
          reason: 'FieldValueForbidden',
          field: 'spec',
          message: text('spec is immutable after creation except'),
        }),
      ),
      mergePatch(`${claims}/x`, { spec: { accessModes: ['ReadOnlyMany'] } }, invalid({ field: 'spec' })),
      mergePatch(`${claims}/x`, { spec: { resources: { requests: { storage: '1Gi' } } } }, fails(422, 'Invalid')),
      create(
        claims,
        { metadata: { name: 'y' }, spec: { accessModes: ['ReadWriteOnce'] } },
        invalid({ reason: 'FieldValueRequired', field: 'spec.resources[storage]' }),
      ),
    ],
  },
  {
    id: '150',
    title: 'RoleBinding: roleRef cannot change; it must be deleted and created anew',
    priority: 'P0',
    setup: [
      create(roleBindings, {
        metadata: { name: 'x' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
        subjects: [{ kind: 'ServiceAccount', name: 's', namespace: '{ns}' }],
      }),
    ],
    steps: [
      mergePatch(
        `${roleBindings}/x`,
        { roleRef: { name: 'b' } },
        invalid({ reason: 'FieldValueInvalid', field: 'roleRef', message: text('cannot change roleRef$') }),
      ),
      mergePatch(`${roleBindings}/x`, { subjects: [] }, answers(200, { subjects: absent })),
    ],
  },
  {
    id: '151',
    title:
      'ConfigMap and Secret: immutable forbids changes of data and cannot be taken back; the type of a Secret cannot change; stringData is write-only',
    priority: 'P0',
    setup: [
      create(configMaps, { ...configMap('x'), immutable: true }),
      create(secrets, { metadata: { name: 'x' }, type: 'Opaque', stringData: { a: 'value' } }),
    ],
    steps: [
      mergePatch(
        `${configMaps}/x`,
        { data: { key: 'other' } },
        invalid({
          reason: 'FieldValueForbidden',
          field: 'data',
          message: 'Forbidden: field is immutable when `immutable` is set',
        }),
      ),
      mergePatch(`${configMaps}/x`, { immutable: false }, invalid({ field: 'immutable' })),
      mergePatch(`${configMaps}/x`, { metadata: { labels: { a: 'b' } } }, answers(200)),
      get(`${secrets}/x`, answers(200, { type: 'Opaque', data: { a: 'dmFsdWU=' }, stringData: absent })),
      mergePatch(
        `${secrets}/x`,
        { type: 'kubernetes.io/tls' },
        invalid({ field: 'type', message: text('field is immutable$') }),
      ),
      mergePatch(
        `${secrets}/x`,
        { stringData: { b: 'more' } },
        answers(200, { data: { a: 'dmFsdWU=', b: 'bW9yZQ==' }, stringData: absent }),
      ),
      create(secrets, { metadata: { name: 'y' }, data: { 'no/slash': 'eA==' } }, invalid({ field: 'data[no/slash]' })),
      create(secrets, { metadata: { name: 'y' }, data: { a: 'not base64!' } }, fails(400, 'BadRequest')),
    ],
  },
  {
    id: '154',
    title:
      'Namespace: its finalizer stands in spec; delete makes it Terminating; default and kube-system cannot be deleted',
    priority: 'P0',
    steps: [
      get(
        `${namespaces}/{ns}`,
        answers(200, {
          spec: { finalizers: ['kubernetes'] },
          status: { phase: 'Active' },
          metadata: { labels: { 'kubernetes.io/metadata.name': '{ns}' } },
        }),
      ),
      remove(
        `${namespaces}/kube-system`,
        undefined,
        fails(403, 'Forbidden', {
          message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
        }),
      ),
      remove(`${namespaces}/default`, undefined, fails(403, 'Forbidden')),
      remove(
        `${namespaces}/{ns}`,
        undefined,
        answers(200, { kind: 'Namespace', status: { phase: 'Terminating' }, metadata: { deletionTimestamp: present } }),
      ),
    ],
  },
  {
    id: '155',
    title:
      'Lease: replace creates it; a change of holder is a plain compare-and-swap by resourceVersion; microseconds stay',
    priority: 'P0',
    setup: [
      as(
        'a',
        put(`${leases}/x`, {
          metadata: { name: 'x' },
          spec: { holderIdentity: 'one', leaseDurationSeconds: 60, renewTime: '2026-01-01T00:00:00.123456Z' },
        }),
      ),
    ],
    steps: [
      get(`${leases}/x`, answers(200, { spec: { renewTime: text('\\.123456Z$') } })),
      put(
        `${leases}/x`,
        { metadata: { name: 'x', resourceVersion: '{a.metadata.resourceVersion}' }, spec: { holderIdentity: 'two' } },
        answers(200, {
          spec: { holderIdentity: 'two' },
          metadata: { resourceVersion: newer('{a.metadata.resourceVersion}') },
        }),
      ),
      put(
        `${leases}/x`,
        { metadata: { name: 'x', resourceVersion: '{a.metadata.resourceVersion}' }, spec: { holderIdentity: 'three' } },
        fails(409, 'Conflict'),
      ),
      put(
        `${leases}/x`,
        { metadata: { name: 'x' }, spec: { holderIdentity: 'three' } },
        invalid({ field: 'metadata.resourceVersion' }),
      ),
    ],
  },
  {
    id: '156',
    title: 'CustomResourceDefinition: a version that is stored cannot leave spec',
    priority: 'P0',
    setup: [
      create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'things.{ns}.example' },
        spec: {
          group: '{ns}.example',
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      }),
    ],
    steps: [
      mergePatch(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{ns}.example',
        {
          spec: {
            versions: [{ name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
          },
        },
        invalid({ field: 'status.storedVersions[0]' }),
      ),
    ],
  },
];
