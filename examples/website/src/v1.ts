// Procedure 1.0.0: the page in a ConfigMap, pods that serve it, a Service in front of them.
import { done, pending, proceduresFor } from '@pawl/reconciler';
import { ConfigMaps, Deployments, rolloutOf, Services, type KubernetesContext } from '@pawl/reconciler/kubernetes';
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
    const { replicas, image } = object.spec;
    const labels = { website: object.metadata.name };
    const volumeMounts = [{ name: 'content', mountPath: '/usr/share/nginx/html' }];
    const volumes = [{ name: 'content', configMap: { name: content } }];
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image, volumeMounts }], volumes } };
    const deployment = await cluster.deployments.apply({
      metadata: { name: object.metadata.name },
      spec: { replicas, selector: { matchLabels: labels }, template },
    });
    const { complete, ...progress } = rolloutOf(deployment);
    return complete ? done() : pending('RollingOut', 'pods are starting', { progress });
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
