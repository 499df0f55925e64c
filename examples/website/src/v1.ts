// Procedure 1.0.0: the page in a ConfigMap, pods that serve it, a Service in front of them.
import { done, pending, proceduresFor } from '@pawl/reconciler';
import { ConfigMaps, Deployments, Services, type KubernetesContext } from '@pawl/reconciler/kubernetes';
import type { Website } from './website.ts';

export const forWebsite = proceduresFor<KubernetesContext<Website>>();

export const contentStored = forWebsite.defineAction({
  name: 'ContentStored',
  owns: { configMaps: ConfigMaps },
  run: async ({ object, cluster }) => {
    const name = `${object.metadata.name}-content`;
    await cluster.configMaps.apply({ metadata: { name }, data: { 'index.html': object.spec.html } });
    return done(name);
  },
});

const podsReady = forWebsite.defineAction({
  name: 'PodsReady',
  requires: { content: contentStored },
  owns: { deployments: Deployments },
  run: async ({ object, cluster }, { content }) => {
    const { replicas: wanted, image } = object.spec;
    const labels = { website: object.metadata.name };
    const volumeMounts = [{ name: 'content', mountPath: '/usr/share/nginx/html' }];
    const volumes = [{ name: 'content', configMap: { name: content } }];
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image, volumeMounts }], volumes } };
    const { metadata, status = {} } = await cluster.deployments.apply({
      metadata: { name: object.metadata.name },
      spec: { replicas: wanted, selector: { matchLabels: labels }, template },
    });
    const isCurrent = status.observedGeneration === metadata.generation && status.replicas === status.updatedReplicas;
    const ready = isCurrent ? (status.availableReplicas ?? 0) : 0;
    if (isCurrent && ready === wanted) return done();
    return pending('RollingOut', 'pods are starting', { progress: { done: Math.min(ready, wanted), total: wanted } });
  },
});

const exposed = forWebsite.defineAction({
  name: 'Exposed',
  requires: { pods: podsReady },
  owns: { services: Services },
  run: async ({ object, cluster }) => {
    const { name } = object.metadata;
    await cluster.services.apply({ metadata: { name }, spec: { selector: { website: name }, ports: [{ port: 80 }] } });
    return done();
  },
});

export const v1 = forWebsite.defineProcedure({ version: '1.0.0', actions: [exposed] });
