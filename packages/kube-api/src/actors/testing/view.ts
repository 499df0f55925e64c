// A view made of objects, for tests of decisions.
import type { JsonObject, KubeObject } from '../../json.ts';
import { Cluster } from '../base/cluster.ts';
import type { Kind } from '../base/kind.ts';
import { groupOf } from '../base/kind.ts';
import type { Live } from '../base/model.ts';
import type { Decision, Step } from '../base/step.ts';

const CLUSTER_SCOPED = new Set(['Node', 'Namespace', 'PersistentVolume', 'CustomResourceDefinition']);
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** A kind as discovery would tell it. */
export function kind(apiVersion: string, name: string, subresources: readonly string[] = ['status']): Kind {
  const slash = apiVersion.indexOf('/');
  return {
    group: groupOf(apiVersion),
    version: apiVersion.slice(slash + 1),
    kind: name,
    plural: `${name.toLowerCase()}s`,
    namespaced: !CLUSTER_SCOPED.has(name),
    verbs: VERBS,
    subresources,
  };
}

const KINDS = [
  kind('v1', 'Pod'),
  kind('v1', 'Node'),
  kind('v1', 'Event'),
  kind('v1', 'ConfigMap'),
  kind('v1', 'Namespace'),
  kind('v1', 'PersistentVolume'),
  kind('v1', 'PersistentVolumeClaim'),
  kind('apps/v1', 'Deployment'),
  kind('apps/v1', 'ReplicaSet'),
  kind('apps/v1', 'StatefulSet'),
  kind('apps/v1', 'DaemonSet'),
  kind('apps/v1', 'ControllerRevision'),
  kind('batch/v1', 'Job'),
];

/** A cluster of the usual kinds that holds these objects. */
export function viewOf(...objects: readonly KubeObject[]): Cluster {
  const cluster = new Cluster();
  for (const known of KINDS) cluster.add(known);
  for (const object of objects) put(cluster, object);
  return cluster;
}

/** Adds an object, or a newer state of one. */
export function put(cluster: Cluster, object: KubeObject): void {
  const store = cluster.storeOf(cluster.kindOf(object) ?? cluster.add(kind(object.apiVersion, object.kind)).kind);
  store?.put(object as Live);
}

let lastVersion = 0;

/** An object with the fields that the server would set; `metadata` overrides them. */
export function live(
  apiVersion: string,
  name: string,
  metadata: JsonObject & { readonly name: string },
  rest: JsonObject = {},
): Live {
  lastVersion++;
  return {
    apiVersion,
    kind: name,
    metadata: {
      ...(CLUSTER_SCOPED.has(name) ? {} : { namespace: 'default' }),
      uid: `uid-${name}-${metadata.name}`,
      resourceVersion: String(lastVersion),
      generation: 1,
      creationTimestamp: '2024-01-01T00:00:00Z',
      ...metadata,
    },
    ...rest,
  } as Live;
}

/** The steps of a decision in short: `create Pod web-1`, `patch Pod web-0`, `delete Pod web-2`. */
export function inShort({ steps }: Decision): readonly string[] {
  return steps.map(stepInShort);
}

function stepInShort(step: Step): string {
  if (step.step === 'create') {
    const { name, generateName } = step.object.metadata;
    return `create ${step.object.kind} ${name ?? `${generateName}*`}`;
  }
  if ('target' in step)
    return `${step.step} ${step.target.kind} ${step.target.metadata.name}${step.step === 'patch' ? ` ${JSON.stringify(step.patch)}` : ''}`;
  return `${step.step} ${step.kind.kind}`;
}

/** The status that a decision reports as a merge patch; undefined if it reports nothing. */
export function reported({ report = [] }: Decision): JsonObject | undefined {
  const [step] = report;
  return step?.step === 'patch' ? (step.patch['status'] as JsonObject) : undefined;
}

/** A pod as its actor leaves it. `ready` tells since when, in ms. */
export function pod(
  name: string,
  owner: Live | undefined,
  labels: Readonly<Record<string, string>>,
  state: { readonly ready?: number; readonly deleted?: boolean; readonly phase?: string } = {},
): Live {
  const ownerReferences =
    owner === undefined
      ? {}
      : {
          ownerReferences: [
            {
              apiVersion: owner.apiVersion,
              kind: owner.kind,
              name: owner.metadata.name,
              uid: owner.metadata.uid,
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        };
  const isReady = state.ready !== undefined;
  return live(
    'v1',
    'Pod',
    {
      name,
      labels,
      ...ownerReferences,
      ...(state.deleted === true ? { deletionTimestamp: '2024-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 } : {}),
    },
    {
      status: {
        phase: state.phase ?? (isReady ? 'Running' : 'Pending'),
        conditions: [
          {
            type: 'Ready',
            status: isReady ? 'True' : 'False',
            lastTransitionTime: new Date(state.ready ?? 0).toISOString(),
          },
        ],
      },
    },
  );
}
