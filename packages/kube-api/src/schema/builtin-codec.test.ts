import { describe, expect, it } from 'vitest';
import { freezeJson } from '../json.ts';
import type { JsonObject, KubeObject } from '../json.ts';
import { completeBuiltin } from './builtin-codec.ts';
import { schemaOfBuiltin } from './builtin-types.ts';
import { deducedSchema } from './type-schema.ts';

function complete(apiVersion: string, kind: string, rest: JsonObject): KubeObject & { readonly spec: JsonObject } {
  const object = freezeJson({ apiVersion, kind, metadata: { name: 'x' }, ...rest }) as KubeObject;
  return completeBuiltin(object, schemaOfBuiltin(apiVersion, kind) ?? deducedSchema).object as never;
}

const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i:1', ports: [{ containerPort: 80 }] }] },
};

describe('a Deployment', () => {
  const deployment = complete('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { a: 'b' } }, template } });

  it('gets the defaults of the real server', () => {
    expect(deployment).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [
              {
                name: 'c',
                image: 'i:1',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: {},
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
                imagePullPolicy: 'IfNotPresent',
              },
            ],
            restartPolicy: 'Always',
            terminationGracePeriodSeconds: 30,
            dnsPolicy: 'ClusterFirst',
            securityContext: {},
            schedulerName: 'default-scheduler',
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    });
  });

  it('is complete after that', () => {
    expect(completeBuiltin(deployment, schemaOfBuiltin('apps/v1', 'Deployment') ?? deducedSchema).object).toBe(
      deployment,
    );
  });
});

describe('a Service', () => {
  it('gets type, policies, protocols and target ports', () => {
    expect(complete('v1', 'Service', { spec: { ports: [{ port: 80 }] } }).spec).toEqual({
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
    });
  });
});

describe('other kinds', () => {
  it('pull `latest` always, and what has a digest only once', () => {
    const policy = (image: string) =>
      (complete('v1', 'Pod', { spec: { containers: [{ name: 'c', image }] } }).spec['containers'] as JsonObject[])[0]?.[
        'imagePullPolicy'
      ];
    expect(['i', 'i:latest', 'i:1', 'host:5000/i', 'i@sha256:00'].map(policy)).toEqual([
      'Always',
      'Always',
      'IfNotPresent',
      'Always',
      'IfNotPresent',
    ]);
  });

  it('of pods request what they are limited to', () => {
    const pod = complete('v1', 'Pod', {
      spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1000m' } } }] },
    });
    expect((pod.spec['containers'] as JsonObject[])[0]?.['resources']).toEqual({
      limits: { cpu: '1' },
      requests: { cpu: '1' },
    });
  });

  it('of secrets take stringData into data', () => {
    expect(complete('v1', 'Secret', { stringData: { a: 'b' } })).toMatchObject({ data: { a: 'Yg==' }, type: 'Opaque' });
  });

  it('of stateful sets keep their claims', () => {
    const spec = {
      selector: {},
      template,
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: { resources: { requests: { storage: '1024Mi' } } } }],
    };
    expect(complete('apps/v1', 'StatefulSet', { spec }).spec).toMatchObject({
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      volumeClaimTemplates: [
        {
          kind: 'PersistentVolumeClaim',
          spec: { volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
  });
});

describe('decoding', () => {
  const type = schemaOfBuiltin('apps/v1', 'Deployment') ?? deducedSchema;
  const decode = (spec: JsonObject) =>
    completeBuiltin({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec }, type);

  it('drops unknown fields and names them', () => {
    const { object, unknown } = decode({ nope: 1, template: { spec: { containers: [{ name: 'c', color: 'red' }] } } });
    expect(unknown).toEqual(['spec.nope', 'spec.template.spec.containers[0].color']);
    expect(object['spec']).not.toHaveProperty('nope');
  });

  it('drops empty values, but not those that were set on purpose', () => {
    const { object } = decode({
      paused: false,
      replicas: 0,
      minReadySeconds: 0,
      template: { spec: { containers: [], nodeSelector: {} } },
    });
    expect(object['spec']).toMatchObject({ replicas: 0 });
    expect(object['spec']).not.toHaveProperty('paused');
    expect(object['spec']).not.toHaveProperty('minReadySeconds');
  });

  it('refuses values of another type', () => {
    expect(() => decode({ replicas: 'x' })).toThrow(
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    );
  });
});
