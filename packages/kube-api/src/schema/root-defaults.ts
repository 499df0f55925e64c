// Defaults that concern an object of a built-in kind as a whole.
import { at, isList, isObject } from '../json.ts';
import type { Json, JsonObject, KubeObject } from '../json.ts';

/** The completed object with the defaults of its kind. */
export function rootDefaults(object: KubeObject): KubeObject {
  switch (`${object.apiVersion}/${object.kind}`) {
    case 'v1/Pod':
      return podDefaults(object);
    case 'v1/Namespace':
      return namespaceDefaults(object);
    case 'batch/v1/Job':
      return jobDefaults(object);
    case 'v1/Secret':
      return secretData(object);
    case 'apps/v1/DaemonSet':
      return templateGeneration(object);
    default:
      return object;
  }
}

/** A pod, unlike a template, has requests where it has limits, and host ports on the host's network. */
function podDefaults(pod: KubeObject): KubeObject {
  const spec = pod['spec'];
  if (!isObject(spec)) return pod;
  const hostNetwork = spec['hostNetwork'] === true;
  const out: Record<string, Json | undefined> = { ...spec };
  out['enableServiceLinks'] ??= true;
  for (const key of ['containers', 'initContainers']) {
    const containers = spec[key];
    if (!isList(containers)) continue;
    const completed = containers.map((container) => podContainer(container, hostNetwork));
    if (completed.some((container, index) => container !== containers[index])) out[key] = completed;
  }
  const changed = Object.keys(out).some((key) => out[key] !== spec[key]);
  return changed ? { ...pod, spec: out } : pod;
}

function podContainer(container: Json, hostNetwork: boolean): Json {
  if (!isObject(container)) return container;
  const resources = withRequests(container['resources']);
  const ports = hostNetwork ? withHostPorts(container['ports']) : container['ports'];
  if (resources === container['resources'] && ports === container['ports']) return container;
  return { ...container, ...(resources === undefined ? {} : { resources }), ...(ports === undefined ? {} : { ports }) };
}

function withRequests(resources: Json | undefined): Json | undefined {
  if (!isObject(resources) || !isObject(resources['limits'])) return resources;
  const limits = resources['limits'];
  const requests: JsonObject = isObject(resources['requests']) ? resources['requests'] : {};
  if (Object.keys(limits).every((key) => requests[key] !== undefined)) return resources;
  return { ...resources, requests: { ...limits, ...requests } };
}

function withHostPorts(ports: Json | undefined): Json | undefined {
  if (!isList(ports)) return ports;
  if (ports.every((port) => !isObject(port) || port['hostPort'] !== undefined)) return ports;
  return ports.map((port) =>
    isObject(port) && port['hostPort'] === undefined ? { ...port, hostPort: port['containerPort'] } : port,
  );
}

const NAME_LABEL = 'kubernetes.io/metadata.name';

function namespaceDefaults(namespace: KubeObject): KubeObject {
  const { name, labels } = namespace.metadata;
  if (name === undefined || labels?.[NAME_LABEL] === name) return namespace;
  return { ...namespace, metadata: { ...namespace.metadata, labels: { ...labels, [NAME_LABEL]: name } } };
}

/** The spec of a job that stands for itself, unlike that of a cron job's template; without labels it takes those of its pods. */
function jobDefaults(job: KubeObject): KubeObject {
  const spec = job['spec'];
  if (!isObject(spec)) return job;
  const { parallelism, completions, backoffLimit, backoffLimitPerIndex, podReplacementPolicy, podFailurePolicy } = spec;
  const out: Record<string, Json | undefined> = { ...spec };
  if (parallelism === undefined) {
    out['parallelism'] = 1;
    out['completions'] = completions ?? 1;
  }
  out['backoffLimit'] = backoffLimit ?? (backoffLimitPerIndex === undefined ? 6 : 2_147_483_647);
  out['podReplacementPolicy'] =
    podReplacementPolicy ?? (podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed');
  out['completionMode'] ??= 'NonIndexed';
  out['suspend'] ??= false;
  out['manualSelector'] ??= false;
  const changed = Object.keys(out).some((key) => out[key] !== spec[key]);
  return jobLabels(changed ? { ...job, spec: out } : job);
}

function jobLabels(job: KubeObject): KubeObject {
  const labels = at(job, 'spec', 'template', 'metadata', 'labels');
  if (!isObject(labels) || job.metadata.labels !== undefined) return job;
  return { ...job, metadata: { ...job.metadata, labels: labels as Readonly<Record<string, string>> } };
}

/** `stringData` is only a way to write `data`. */
function secretData(secret: KubeObject): KubeObject {
  const { stringData, ...rest } = secret;
  if (!isObject(stringData)) return secret;
  const data: Record<string, Json | undefined> = isObject(secret['data']) ? { ...secret['data'] } : {};
  for (const [key, text] of Object.entries(stringData)) {
    if (typeof text === 'string') data[key] = Buffer.from(text, 'utf8').toString('base64');
  }
  return { ...rest, data } as KubeObject;
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** The annotation in which a daemon set counts the changes of its template. */
function templateGeneration(set: KubeObject): KubeObject {
  if (set.metadata.annotations?.[TEMPLATE_GENERATION] !== undefined) return set;
  return {
    ...set,
    metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, [TEMPLATE_GENERATION]: '1' } },
  };
}
