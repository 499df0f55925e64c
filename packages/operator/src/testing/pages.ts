// A small package for tests of the runtime: a Page is a ConfigMap and a Deployment; its second version keeps the content
// under another name.
import { done, pending, proceduresFor } from '@pawl/reconciler';
import {
  ConfigMaps,
  crdFor,
  defineCatalog,
  definePackage,
  defineResource,
  Deployments,
  type CustomResource,
  type Deployment,
  type Desired,
  type KubernetesContext,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';

export interface Page extends CustomResource<'test.pawl.dev/v1', 'Page', { readonly text: string; readonly replicas?: number }> {}
export const Pages = defineResource<Page>({ apiVersion: 'test.pawl.dev/v1', kind: 'Page', plural: 'pages' });
export const forPages = proceduresFor<KubernetesContext<Page>>();

export const contentStored = forPages.defineAction({
  name: 'ContentStored',
  owns: { configs: ConfigMaps },
  run: async ({ object, cluster }) => {
    const { metadata } = await cluster.configs.apply({
      metadata: { name: `${object.metadata.name}-content` },
      data: { text: object.spec.text },
    });
    return done(metadata.name);
  },
});

const contentMoved = forPages.defineAction({
  name: 'ContentStored',
  owns: { configs: ConfigMaps },
  run: async ({ object, cluster }) => {
    const { metadata } = await cluster.configs.apply({
      metadata: { name: `${object.metadata.name}-text` },
      data: { 'index.html': object.spec.text },
    });
    return done(metadata.name);
  },
});

export const served = forPages.defineAction({
  name: 'Served',
  requires: { content: contentStored },
  owns: { deployments: Deployments },
  run: async ({ object, cluster }, { content }) => {
    const { metadata, spec, status = {} } = await cluster.deployments.apply(deployment(object, content));
    const isCurrent = status.observedGeneration === metadata.generation && status.replicas === status.updatedReplicas;
    return isCurrent && status.readyReplicas === spec?.replicas ? done() : pending('RollingOut', 'pods are starting');
  },
});

export function deployment({ metadata, spec }: Page, content: string): Desired<Deployment> {
  const labels = { page: metadata.name };
  return {
    metadata: { name: metadata.name },
    spec: {
      replicas: spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { content } },
        spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }] },
      },
    },
  };
}

export const v1 = forPages.defineProcedure({ version: '1.0.0', actions: [served] });
export const v2 = forPages.deriveProcedure(v1, {
  version: '2.0.0',
  rollbackTo: '>=1.0.0',
  replace: [forPages.replaceAction(contentStored, contentMoved)],
});

/** A release that carries these procedures. */
export function release(...procedures: readonly (typeof v1)[]): ProcedurePackage {
  const schema = {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' }, replicas: { type: 'integer', minimum: 0 } },
  } as const;
  return definePackage({ name: 'pages', kinds: [defineCatalog(Pages, procedures)], crds: [crdFor(Pages, { spec: schema })] });
}

/** A page as a user writes it. */
export const page = (name: string, text = 'hello'): Readonly<Record<string, unknown>> => ({
  apiVersion: Pages.apiVersion,
  kind: Pages.kind,
  metadata: { name, namespace: 'default' },
  spec: { text },
});
