// What other people and programs do to owned objects, how many repairs may follow, and how it must look afterwards.
import { ANNOTATIONS, LABELS, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import { CHILD, CONFIG_MAP, DEPLOYMENT, SERVICE } from './tricky-children.ts';

type Json = Readonly<Record<string, unknown>>;

/** The children as the server has them. */
export interface Children {
  readonly configMap: Tree;
  readonly deployment: Tree;
  readonly service: Tree;
}

export interface Disturbance {
  readonly name: string;
  /** How another client goes about it. Its name is the field manager. */
  readonly disturb: (client: KubeClient) => Promise<unknown>;
  /** Requests that may follow: a repair, or nothing. */
  readonly repairs: 0 | 1;
  /** What the server must hold when all is quiet, as far as this disturbance is about it. */
  readonly look: (children: Children) => unknown;
  readonly expected: unknown;
}

/** Reads into JSON of any shape. */
export class Tree {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** The value at a path; undefined where there is none. */
  at(...path: readonly (string | number)[]): unknown {
    return path.reduce<unknown>((value, key) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[key], this.value);
  }
}

export async function childrenOf(client: KubeClient): Promise<Children> {
  const [configMap, deployment, service] = await Promise.all([CONFIG_MAP, DEPLOYMENT, SERVICE].map((type) => client.find(type, CHILD)));
  return { configMap: new Tree(configMap), deployment: new Tree(deployment), service: new Tree(service) };
}

const CONTAINER = ['spec', 'template', 'spec', 'containers', 0] as const;
const containers = ({ deployment }: Children): unknown =>
  (deployment.at('spec', 'template', 'spec', 'containers') as readonly { readonly name: string }[]).map(({ name }) => name);

/** Writes the whole object back, as `kubectl edit` does. */
async function edit(client: KubeClient, type: typeof CONFIG_MAP, change: (object: Record<string, unknown>) => void): Promise<unknown> {
  const object = structuredClone(await client.get(type, CHILD)) as KubernetesObject & Record<string, unknown>;
  delete (object.metadata as { managedFields?: unknown }).managedFields;
  change(object);
  const plural = `${type.kind.toLowerCase()}s`;
  const base = type.apiVersion === 'v1' ? '/api/v1' : `/apis/${type.apiVersion}`;
  return client.raw({ method: 'PUT', path: `${base}/namespaces/default/${plural}/front?fieldManager=kubectl-edit`, body: object });
}

const merge = (client: KubeClient, type: typeof CONFIG_MAP, body: Json, fieldManager: string): Promise<unknown> =>
  client.mergePatch(type, CHILD, body, { fieldManager });
const apply = (client: KubeClient, type: typeof CONFIG_MAP, body: Json, force = false): Promise<unknown> =>
  client.apply(type, CHILD, body, { fieldManager: 'helm', force });

/** A template of a Deployment, so that a person can edit one part of it. */
type Editable = { spec: { template: { spec: { containers: Record<string, unknown>[] } } } };
const firstContainer = (object: Record<string, unknown>): Record<string, unknown> =>
  (object as unknown as Editable).spec.template.spec.containers[0] ?? {};

export const disturbances: readonly Disturbance[] = [
  {
    name: 'kubectl edit changes a value of ours',
    disturb: (client) => edit(client, CONFIG_MAP, (object) => (object['data'] = { text: 'vandal', extra: 'more' })),
    repairs: 1,
    look: ({ configMap }) => configMap.at('data'),
    expected: { text: 'hello', extra: 'more' },
  },
  {
    name: 'kubectl edit removes a value of ours',
    disturb: (client) => edit(client, CONFIG_MAP, (object) => (object['data'] = { text: 'hello' })),
    repairs: 1,
    look: ({ configMap }) => configMap.at('data'),
    expected: { text: 'hello', extra: 'more' },
  },
  {
    name: 'kubectl edit writes our quantities in another way',
    disturb: (client) =>
      edit(client, DEPLOYMENT, (object) => {
        firstContainer(object)['resources'] = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: 2, memory: '1536Mi' } };
      }),
    repairs: 1,
    look: ({ deployment }) => deployment.at(...CONTAINER, 'resources', 'requests', 'cpu'),
    expected: '1',
  },
  {
    name: 'kubectl edit puts the items of a list with keys into another order',
    disturb: (client) =>
      edit(client, DEPLOYMENT, (object) => {
        const container = firstContainer(object);
        container['env'] = (container['env'] as unknown[]).toReversed();
      }),
    repairs: 1,
    look: ({ deployment }) => (deployment.at(...CONTAINER, 'env') as readonly { readonly name: string }[]).map(({ name }) => name).toSorted(),
    expected: ['A', 'B', 'SPARE'],
  },
  {
    name: 'kubectl edit removes one item of a list with keys',
    disturb: (client) =>
      edit(client, DEPLOYMENT, (object) => {
        const container = firstContainer(object);
        container['env'] = (container['env'] as readonly { readonly name: string }[]).filter(({ name }) => name !== 'A');
      }),
    repairs: 1,
    look: ({ deployment }) => (deployment.at(...CONTAINER, 'env') as readonly { readonly name: string }[]).map(({ name }) => name).toSorted(),
    expected: ['A', 'B', 'SPARE'],
  },
  {
    name: 'kubectl label adds a label',
    disturb: (client) => merge(client, CONFIG_MAP, { metadata: { labels: { shelf: '7' } } }, 'kubectl-label'),
    repairs: 0,
    look: ({ configMap }) => [configMap.at('metadata', 'labels', 'shelf'), configMap.at('metadata', 'labels', 'team')],
    expected: ['7', 'blue'],
  },
  {
    name: 'kubectl label --overwrite changes a label of ours',
    disturb: (client) => merge(client, CONFIG_MAP, { metadata: { labels: { team: 'red' } } }, 'kubectl-label'),
    repairs: 1,
    look: ({ configMap }) => configMap.at('metadata', 'labels', 'team'),
    expected: 'blue',
  },
  {
    name: 'kubectl annotate adds an annotation',
    disturb: (client) => merge(client, DEPLOYMENT, { metadata: { annotations: { reviewed: 'yes' } } }, 'kubectl-annotate'),
    repairs: 0,
    look: ({ deployment }) => deployment.at('metadata', 'annotations', 'reviewed'),
    expected: 'yes',
  },
  {
    name: 'kubectl rollout restart annotates the template',
    disturb: (client) =>
      merge(client, DEPLOYMENT, { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } } } }, 'kubectl-rollout'),
    repairs: 0,
    look: ({ deployment }) => deployment.at('spec', 'template', 'metadata', 'annotations'),
    expected: { note: 'ours', 'kubectl.kubernetes.io/restartedAt': 'now' },
  },
  {
    name: 'another manager adds a field and an item of its own',
    disturb: (client) =>
      apply(client, DEPLOYMENT, {
        spec: { minReadySeconds: 3, template: { spec: { containers: [{ name: 'sidecar', image: 'sidecar:1' }] } } },
      }),
    repairs: 0,
    look: (children) => [children.deployment.at('spec', 'minReadySeconds'), containers(children)],
    expected: [3, ['web', 'sidecar']],
  },
  {
    name: 'another manager adds a port that differs in its protocol only',
    disturb: (client) => apply(client, SERVICE, { spec: { ports: [{ name: 'web-udp', port: 80, protocol: 'UDP' }] } }),
    repairs: 0,
    look: ({ service }) => (service.at('spec', 'ports') as readonly Json[]).map(({ port, protocol }) => `${String(port)}/${String(protocol)}`).toSorted(),
    expected: ['80/TCP', '80/UDP', '9090/TCP'],
  },
  {
    name: 'another manager applies a value of ours as well',
    disturb: (client) => apply(client, CONFIG_MAP, { data: { text: 'hello' } }),
    repairs: 0,
    look: ({ configMap }) => configMap.at('data', 'text'),
    expected: 'hello',
  },
  {
    name: 'and gives it back',
    disturb: (client) => apply(client, CONFIG_MAP, {}),
    repairs: 0,
    look: ({ configMap }) => configMap.at('data', 'text'),
    expected: 'hello',
  },
  {
    name: 'another manager takes a value of ours by force',
    disturb: (client) => apply(client, CONFIG_MAP, { data: { text: 'theirs' } }, true),
    repairs: 1,
    look: ({ configMap }) => configMap.at('data', 'text'),
    expected: 'hello',
  },
  {
    name: 'an autoscaler scales through /scale',
    disturb: (client) =>
      client.mergePatch(DEPLOYMENT, CHILD, { spec: { replicas: 4 } }, { subresource: 'scale', fieldManager: 'autoscaler' }),
    repairs: 0,
    look: ({ deployment }) => deployment.at('spec', 'replicas'),
    expected: 4,
  },
  {
    name: 'somebody deletes an object of ours',
    disturb: (client) => client.remove(SERVICE, CHILD),
    repairs: 1,
    look: ({ service }) => service.at('spec', 'selector'),
    expected: { page: 'front' },
  },
  {
    name: 'somebody strips our annotations',
    disturb: (client) => merge(client, CONFIG_MAP, { metadata: { annotations: null } }, 'kubectl-annotate'),
    repairs: 1,
    look: ({ configMap }) => Object.keys((configMap.at('metadata', 'annotations') ?? {}) as object).length,
    expected: 4,
  },
  {
    name: 'somebody takes off our owner label',
    disturb: (client) => merge(client, CONFIG_MAP, { metadata: { labels: { [LABELS.owner]: null } } }, 'kubectl-label'),
    repairs: 1,
    look: ({ configMap }) => typeof configMap.at('metadata', 'labels', LABELS.owner),
    expected: 'string',
  },
  {
    name: 'a person marks an object to be kept, which refers to its owner no longer',
    disturb: (client) => merge(client, SERVICE, { metadata: { annotations: { [ANNOTATIONS.keep]: 'true' } } }, 'kubectl-annotate'),
    repairs: 1,
    look: ({ service }) => service.at('metadata', 'ownerReferences'),
    expected: undefined,
  },
];

/** Kept apart: the server then takes all that is there for somebody's, so that later removals leave it. */
export const strippedOfManagers: Disturbance = {
  name: 'somebody strips the managers',
  disturb: (client) => merge(client, CONFIG_MAP, { metadata: { managedFields: [{}] } }, 'cleaner'),
  repairs: 1,
  look: ({ configMap }) => configMap.at('data'),
  expected: { text: 'hello', extra: 'more' },
};
