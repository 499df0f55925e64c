// A package whose children hold what comparisons stumble over: quantities, defaults, lists with keys, a number of replicas
// that somebody else decides.
import { done } from '@pawl/reconciler';
import {
  ConfigMaps,
  defineResource,
  Deployments,
  type ConfigMap,
  type Deployment,
  type Desired,
  type KubernetesObject,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import { forPages, release } from './pages.ts';

interface Service extends KubernetesObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly targetPort?: number | string; readonly protocol?: string }[];
  };
}
export const Services = defineResource<Service>({ apiVersion: 'v1', kind: 'Service', plural: 'services' });

/** What is wanted of each child; a test changes it between two generations of the owner. */
export interface Wanted {
  configMap: Desired<ConfigMap>;
  deployment: Desired<Deployment>;
  service: Desired<Service>;
}

export const CHILD = { name: 'front', namespace: 'default' };
export const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
export const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };
export const SERVICE = { apiVersion: 'v1', kind: 'Service' };

/** Replicas are left out. */
export function wanted(): Wanted {
  const labels = { page: 'front' };
  return {
    configMap: { metadata: { name: 'front', labels: { team: 'blue' } }, data: { text: 'hello', extra: 'more' } },
    service: { metadata: { name: 'front' }, spec: { selector: labels, ports: [{ name: 'web', port: 80 }, { name: 'metrics', port: 9090, targetPort: 9000 }] } },
    deployment: {
      metadata: { name: 'front', labels },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { note: 'ours' } },
          spec: {
            containers: [
              {
                name: 'web',
                image: 'web:1',
                ports: [{ containerPort: 8080 }, { containerPort: 9000, name: 'metrics' }],
                env: [{ name: 'B', value: '1' }, { name: 'A', value: '2' }, { name: 'SPARE', value: '3' }],
                resources: { requests: { cpu: '1000m', memory: '1024Mi' }, limits: { cpu: '2000m', memory: '1.5Gi' } },
              },
            ],
          },
        },
      },
    },
  };
}

/** A release whose only Action applies what `want` says at that moment. */
export function trickyRelease(want: Wanted): ProcedurePackage {
  const applied = forPages.defineAction({
    name: 'Applied',
    owns: { configs: ConfigMaps, deployments: Deployments, services: Services },
    run: async ({ cluster }) => {
      await cluster.configs.apply(want.configMap);
      await cluster.services.apply(want.service);
      await cluster.deployments.apply(want.deployment);
      return done();
    },
  });
  return release(forPages.defineProcedure({ version: '1.0.0', actions: [applied] }));
}
