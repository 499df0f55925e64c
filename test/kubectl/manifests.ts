// Manifests that several tests use. JSON is valid YAML.

/** A Deployment named `web`. */
export function deployment(image = 'web:1', replicas = 2, annotations: Readonly<Record<string, string>> = {}): string {
  const labels = { app: 'web' };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image }] } },
    },
  });
}

/** A StatefulSet named `db`. */
export function statefulSet(image = 'db:1', replicas = 2): string {
  const labels = { app: 'db' };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas,
      serviceName: 'db',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    },
  });
}

/** A DaemonSet named `agent`. */
export function daemonSet(): string {
  const labels = { app: 'agent' };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'agent:1' }] } },
    },
  });
}

/** A ConfigMap. */
export function configMap(name: string, data: Readonly<Record<string, string>>): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

/** The definition of a custom kind with a status, columns, and descriptions for `explain`. */
export const widgetDefinition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.dev' },
  spec: {
    group: 'bench.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A thing of a size.',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', minimum: 0, description: 'How large it is.' } },
              },
              status: {
                type: 'object',
                properties: {
                  size: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    items: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'string' } } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
});

/** A custom object. */
export function widget(name: string, size: number): string {
  return JSON.stringify({ apiVersion: 'bench.dev/v1', kind: 'Widget', metadata: { name }, spec: { size } });
}
