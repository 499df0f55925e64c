import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../json.ts';
import { completeBuiltin } from '../builtin-codec.ts';
import { schemaOfBuiltin } from '../builtin-types.ts';
import { deducedSchema } from '../type-schema.ts';
import { validateBuiltin } from './validate-builtin.ts';

function complete(apiVersion: string, kind: string, rest: JsonObject): KubeObject {
  const object: KubeObject = { apiVersion, kind, metadata: { name: 'x', namespace: 'default' }, ...rest };
  return completeBuiltin(object, schemaOfBuiltin(apiVersion, kind) ?? deducedSchema).object;
}

const text = (object: KubeObject, before?: KubeObject): string[] =>
  validateBuiltin(before, object).map(({ field, message }) => `${field}: ${message}`);

const selector = { matchLabels: { a: 'b' } };
const template = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'app', image: 'i:1' }], ...spec },
});
const deployment = (spec: JsonObject, rest: JsonObject = {}): KubeObject =>
  complete('apps/v1', 'Deployment', { spec: { selector, template: template(spec), ...rest } });
const container = (rest: JsonObject): JsonObject => ({ containers: [{ name: 'app', image: 'i:1', ...rest }] });
const service = (spec: JsonObject): KubeObject =>
  complete('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } });

// What kube-apiserver 1.35 answers to the same objects.
describe('what the server refuses', () => {
  const C0 = 'spec.template.spec.containers[0]';

  it.each<[string, KubeObject, string[]]>([
    ['nothing in a sound deployment', deployment({}), []],
    [
      'a deployment without content',
      complete('apps/v1', 'Deployment', {}),
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
        'spec.template.spec.containers: Required value',
      ],
    ],
    [
      'a selector that does not fit',
      deployment({}, { selector: { matchLabels: { x: 'y' } } }),
      ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
    ],
    [
      'an empty selector',
      deployment({}, { selector: {} }),
      ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    ],
    [
      'negative numbers',
      deployment({}, { replicas: -1 }),
      ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a strategy that stands still',
      deployment({}, { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    ],
    [
      'a restart policy',
      deployment({ restartPolicy: 'Never' }),
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      'a container without name and image',
      deployment({ containers: [{}] }),
      [`${C0}.name: Required value`, `${C0}.image: Required value`],
    ],
    [
      'a port out of range',
      deployment(container({ ports: [{ containerPort: 70_000 }] })),
      [`${C0}.ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`],
    ],
    [
      'a mount of no volume',
      deployment(container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })),
      [`${C0}.volumeMounts[0].name: Not found: "v"`],
    ],
    [
      'a request above its limit',
      deployment(container({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } })),
      [`${C0}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`],
    ],
    [
      'a probe without handler',
      deployment(container({ livenessProbe: {} })),
      [`${C0}.livenessProbe: Required value: must specify a handler type`],
    ],
    [
      'a toleration that contradicts itself',
      deployment({ tolerations: [{ key: 'k', operator: 'Exists', value: 'v' }] }),
      [
        'spec.template.spec.tolerations[0].operator: Invalid value: "v": value must be empty when `operator` is \'Exists\'',
      ],
    ],
    [
      'volumes of two kinds',
      deployment({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }),
      ['spec.template.spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a job that would restart for ever',
      complete('batch/v1', 'Job', { spec: { template: template() } }),
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    ['a service without ports', service({ ports: [] }), ['spec.ports: Required value']],
    [
      'ports without names',
      service({ ports: [{ port: 80 }, { port: 81 }] }),
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'a node port of a cluster service',
      service({ ports: [{ port: 80, nodePort: 30_000 }] }),
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'a certificate without its parts',
      complete('v1', 'Secret', { type: 'kubernetes.io/tls' }),
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    [
      'a claim of nothing',
      complete('v1', 'PersistentVolumeClaim', { spec: {} }),
      [
        'spec.accessModes: Required value: at least 1 access mode is required',
        'spec.resources[storage]: Required value',
      ],
    ],
    [
      'a rule for nothing',
      complete('rbac.authorization.k8s.io/v1', 'Role', { rules: [{}] }),
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'a path without type',
      complete('networking.k8s.io/v1', 'Ingress', { spec: { rules: [{ http: { paths: [{ path: '/' }] } }] } }),
      ['spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified'],
    ],
  ])('finds %s', (_name, object, expected) => {
    expect(text(object)).toEqual(expected);
  });
});

describe('what may not change', () => {
  const changed = (object: KubeObject, path: 'spec' | 'data', change: JsonObject): KubeObject =>
    ({ ...object, [path]: { ...(object[path] as JsonObject), ...change } }) as KubeObject;

  it('is the selector of a deployment', () => {
    const before = complete('apps/v1', 'Deployment', {
      spec: { selector, template: { ...template(), metadata: { labels: { a: 'b', c: 'd' } } } },
    });
    expect(text(changed(before, 'spec', { selector: { matchLabels: { c: 'd' } } }), before)).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"c":"d"}}: field is immutable',
    ]);
  });

  it('is most of a stateful set', () => {
    const before = complete('apps/v1', 'StatefulSet', { spec: { selector, template: template(), serviceName: 's' } });
    expect(text(changed(before, 'spec', { replicas: 5 }), before)).toEqual([]);
    expect(text(changed(before, 'spec', { serviceName: 't' }), before)).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  });

  it('is a pod but for its images', () => {
    const before = complete('v1', 'Pod', { spec: container({}) });
    expect(
      text(
        changed(
          before,
          'spec',
          container({ ...(before['spec'] as { containers: JsonObject[] }).containers[0], image: 'i:2' }),
        ),
        before,
      ),
    ).toEqual([]);
    expect(text(changed(before, 'spec', { restartPolicy: 'Never' }), before)).toEqual([
      expect.stringMatching(/^spec: Forbidden: pod updates may not change fields other than/),
    ]);
  });

  it('is the size of a claim, unless it is bound and grows', () => {
    const claim = (size: string, phase: string): KubeObject =>
      complete('v1', 'PersistentVolumeClaim', {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
        status: { phase },
      });
    expect(text(claim('3Gi', 'Bound'), claim('2Gi', 'Bound'))).toEqual([]);
    expect(text(claim('1Gi', 'Bound'), claim('2Gi', 'Bound'))).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
    expect(text(claim('3Gi', 'Pending'), claim('2Gi', 'Pending'))).toHaveLength(1);
  });

  it('is the role of a binding, and what is marked immutable', () => {
    const binding = (name: string) =>
      complete('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: { kind: 'Role', name } });
    expect(text(binding('y'), binding('x'))).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"y"}: cannot change roleRef',
    ]);
    const before = complete('v1', 'ConfigMap', { immutable: true, data: { a: '1' } });
    expect(text(changed(before, 'data', { a: '2' }), before)).toEqual([
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
  });
});
