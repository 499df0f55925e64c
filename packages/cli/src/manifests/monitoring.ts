// What a cluster with the Prometheus operator and Grafana needs to watch the operator.
import { alertsOf } from './alerts.ts';
import { dashboardOf } from './dashboard.ts';
import { HEALTH_PORT } from './deployment.ts';
import { labelsOf, selectorOf, type Manifest } from './manifest.ts';
import type { Source } from './metric-selectors.ts';
import type { ManifestOptions } from './options.ts';

const API = 'monitoring.coreos.com/v1';

/** Service, ServiceMonitor, PrometheusRule and a dashboard that Grafana's sidecar finds by its label. */
export function monitoringOf(options: ManifestOptions): readonly Manifest[] {
  const { name, namespace, runbookUrl } = options;
  const labels = labelsOf(options);
  const source = sourceOf(options);
  const metadata = (suffix: string, more: Readonly<Record<string, string>> = {}) => ({
    name: `${name}-${suffix}`,
    namespace,
    labels: { ...labels, ...more },
  });
  const rules = alertsOf({ name, runbookUrl, ...source });
  const spec = {
    clusterIP: 'None',
    // A replica that is not ready has something to tell as well.
    publishNotReadyAddresses: true,
    selector: selectorOf(options),
    ports: [{ name: 'health', port: HEALTH_PORT, targetPort: 'health' }],
  };
  return [
    { object: { apiVersion: 'v1', kind: 'Service', metadata: metadata('metrics'), spec } },
    {
      object: {
        apiVersion: API,
        kind: 'ServiceMonitor',
        metadata: { ...metadata('metrics'), name },
        spec: { selector: { matchLabels: labels }, endpoints: [{ port: 'health', path: '/metrics', interval: '30s' }] },
      },
    },
    {
      object: {
        apiVersion: API,
        kind: 'PrometheusRule',
        metadata: { ...metadata('rules'), name },
        spec: { groups: [{ name: `pawl-${name}`, rules }] },
      },
    },
    {
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: metadata('dashboard', { grafana_dashboard: '1' }),
        data: { [`pawl-${name}.json`]: `${JSON.stringify(dashboardOf(name, source), null, 2)}\n` },
      },
    },
  ];
}

/** How Prometheus labels what it scrapes from the operator. */
export function sourceOf({ name, namespace }: Pick<ManifestOptions, 'name' | 'namespace'>): Source {
  return { namespace, job: `${name}-metrics` };
}
