// A thin Helm chart: the same manifests, with the few things that differ between installations as values.
import { stringify } from 'yaml';
import { crdsOf } from './crds.ts';
import { deploymentOf } from './deployment.ts';
import { monitoringOf } from './monitoring.ts';
import { yamlOf, type Manifest } from './manifest.ts';
import type { ManifestOptions } from './options.ts';
import { rbacOf } from './rbac.ts';

/** Marks that stand in the manifests where the chart has an expression; no manifest holds them otherwise. */
const MARKS = {
  namespace: 'HELM_NAMESPACE',
  image: 'HELM_IMAGE',
  resources: 'HELM_RESOURCES',
  replicas: 987_654_321,
} as const;
const EXPRESSIONS: readonly (readonly [mark: string, expression: string])[] = [
  [MARKS.namespace, '{{ .Release.Namespace }}'],
  [MARKS.image, '{{ .Values.image }}'],
  [MARKS.resources, '{{ toJson .Values.resources }}'],
  [String(MARKS.replicas), '{{ .Values.replicas }}'],
];

/** The files of the chart, by their path in its folder. */
export function helmChart(options: ManifestOptions, version: string): Readonly<Record<string, string>> {
  const { name, image, replicas } = options;
  const inChart: ManifestOptions = { ...options, namespace: MARKS.namespace, image: MARKS.image, release: MARKS.image, replicas: MARKS.replicas };
  const manifests = deploymentOf(inChart);
  const operator = [...rbacOf(inChart), ...manifests.filter((each) => !isBudget(each)).map(withResourceMark)];
  return {
    'Chart.yaml': stringify({ apiVersion: 'v2', name, description: `Operator ${name}`, type: 'application', version, appVersion: version }),
    'values.yaml': valuesOf(image, replicas, resourcesOf(manifests)),
    'templates/crds.yaml': when('.Values.crds', templateOf(crdsOf(options).map(kept))),
    'templates/operator.yaml': templateOf(operator),
    'templates/budget.yaml': when('gt (int .Values.replicas) 1', templateOf(manifests.filter(isBudget))),
    'templates/monitoring.yaml': when('.Values.monitoring', templateOf(monitoringOf(inChart))),
  };
}

function valuesOf(image: string, replicas: number, resources: unknown): string {
  return [
    '# The image of the operator, with its tag. Records name it as the release that wrote them.',
    stringify({ image }),
    '# Replicas agree by a Lease who of them acts.',
    stringify({ replicas }),
    stringify({ resources }),
    '# The kinds. They stay when the chart is removed: deleting a kind deletes all objects of it.',
    stringify({ crds: true }),
    '# ServiceMonitor, PrometheusRule and a Grafana dashboard; needs the Prometheus operator.',
    stringify({ monitoring: false }),
  ].join('\n');
}

function templateOf(manifests: readonly Manifest[]): string {
  // What looks like an expression already, as in alerts, is one of somebody else.
  const text = yamlOf(manifests).replaceAll('{{', '{{ "{{" }}');
  return EXPRESSIONS.reduce((so, [mark, expression]) => so.replaceAll(mark, expression), text);
}

const when = (condition: string, text: string): string => `{{- if ${condition} }}\n${text}{{- end }}\n`;
const isBudget = ({ object }: Manifest): boolean => object.kind === 'PodDisruptionBudget';

/** Removing the chart must not delete everybody's objects. */
function kept({ object, ...words }: Manifest): Manifest {
  const metadata = { ...object.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } };
  return { ...words, object: { ...object, metadata } };
}

interface PodSpec {
  readonly containers: readonly { readonly resources: unknown }[];
}
interface Workload {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

function withResourceMark(manifest: Manifest): Manifest {
  if (manifest.object.kind !== 'Deployment') return manifest;
  const { spec } = manifest.object as unknown as Workload;
  const containers = spec.template.spec.containers.map((container) => ({ ...container, resources: MARKS.resources }));
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return { ...manifest, object: { ...manifest.object, spec: { ...spec, template } } };
}

function resourcesOf(manifests: readonly Manifest[]): unknown {
  const workload = manifests.find(({ object }) => object.kind === 'Deployment')?.object as unknown as Workload;
  return workload.spec.template.spec.containers[0]?.resources;
}
