// Whether the objects of a state can be what a cluster holds: their kinds are served, they are valid, and they refer to
// each other rightly.
import { createApiServer, type ApiServer } from '@pawl/kube-api';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { titleOf } from './start-state.ts';

/** What is known of kinds. */
export interface Kinds {
  /** Definitions of all custom kinds. */
  readonly definitions: readonly object[];
  readonly isOwner: (object: KubernetesObject) => boolean;
  /** The package's own, as people read them. */
  readonly ownerKinds: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

interface Served {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Every fault, each with the object and the field. */
export async function checkObjects(objects: readonly KubernetesObject[], kinds: Kinds): Promise<string[]> {
  const api = createApiServer({ logLimit: 0, objects: kinds.definitions.map(withoutSubresources) });
  try {
    const faults: string[] = [];
    await makeNamespaces(api, objects);
    for (const object of objects) {
      const served = await servedAs(api, object);
      if (served === undefined) faults.push(unknownKind(object, kinds));
      else if (object.kind !== 'CustomResourceDefinition') faults.push(...(await refusals(api, object, served)));
      faults.push(...referenceFaults(object, objects), ...(kinds.isOwner(object) ? [] : goingFaults(object)));
    }
    return faults;
  } finally {
    api.close();
  }
}

/** With a subresource a POST would drop the status unread: without, it is checked like everything else. */
function withoutSubresources(definition: object): object {
  const { spec = {} } = definition as { readonly spec?: { readonly versions?: readonly Json[] } };
  const { versions = [] } = spec;
  return { ...definition, spec: { ...spec, versions: versions.map((version) => ({ ...version, subresources: undefined })) } };
}

async function makeNamespaces(api: ApiServer, objects: readonly KubernetesObject[]): Promise<void> {
  for (const name of new Set(objects.flatMap(({ metadata: { namespace } }) => (namespace === undefined ? [] : [namespace]))))
    await api.request({ method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } });
}

async function servedAs(api: ApiServer, { apiVersion, kind }: KubernetesObject): Promise<Served | undefined> {
  const { status, body } = await api.request({ method: 'GET', path: rootOf(apiVersion) });
  if (status !== 200) return undefined;
  const { resources = [] } = body as { readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[] };
  const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  return found === undefined ? undefined : { plural: found.name, namespaced: found.namespaced };
}

const rootOf = (apiVersion: string): string => (apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`);

function unknownKind(object: KubernetesObject, { ownerKinds }: Kinds): string {
  return (
    `${titleOf(object)}: kind: found ${object.apiVersion} ${object.kind}, which the package does not know; allowed are ` +
    `${ownerKinds.join(', ')}, kinds of Kubernetes, and kinds whose CustomResourceDefinition is in the file`
  );
}

/** What a server would say to somebody who creates it. */
async function refusals(api: ApiServer, object: KubernetesObject, { plural, namespaced }: Served): Promise<readonly string[]> {
  const title = titleOf(object);
  const { namespace } = object.metadata;
  if (namespaced && namespace === undefined) return [`${title}: metadata.namespace: found nothing; allowed is a namespace, for ${object.kind} is a kind of namespaces`];
  if (!namespaced && namespace !== undefined) return [`${title}: metadata.namespace: found ${namespace}; allowed is none, for ${object.kind} is a kind of the cluster`];
  const place = namespace === undefined ? plural : `namespaces/${namespace}/${plural}`;
  const path = `${rootOf(object.apiVersion)}/${place}?dryRun=All&fieldValidation=Ignore`;
  const { status, body } = await api.request({ method: 'POST', path, body: asCreated(object) });
  // Namespaces that every cluster has are there.
  if (status < 300 || status === 409) return [];
  const { message = 'no message', details } = body as {
    readonly message?: string;
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
  };
  const causes = details?.causes ?? [];
  return causes.length === 0 ? [`${title}: ${message}`] : causes.map(({ field = 'object', message: says = message }) => `${title}: ${field}: ${says}`);
}

const BY_SERVER: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink', 'deletionTimestamp', 'deletionGracePeriodSeconds']);

function asCreated(object: KubernetesObject): object {
  const kept = Object.entries(object.metadata).filter(([field]) => !BY_SERVER.has(field));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** An owner that is not there is one that the garbage collector would act on. */
function referenceFaults(object: KubernetesObject, objects: readonly KubernetesObject[]): readonly string[] {
  return (object.metadata.ownerReferences ?? []).flatMap(({ kind, name, uid }, index) => {
    const field = `${titleOf(object)}: metadata.ownerReferences[${index}]`;
    const owner = objects.find((other) => other.kind === kind && other.metadata.name === name);
    if (owner === undefined) return [`${field}: found ${kind} ${name}, which is not among the objects; allowed is one that is (capture it too: --with ${kind}/${name})`];
    const { uid: known } = owner.metadata as { readonly uid?: string };
    return known === uid ? [] : [`${field}.uid: found ${uid}; allowed is ${known ?? 'the uid'} of ${titleOf(owner)}: the garbage collector would delete the object`];
  });
}

/** Nothing in the world that is explored would end the deletion of what is not the package's. */
function goingFaults(object: KubernetesObject): readonly string[] {
  const { deletionTimestamp } = object.metadata;
  if (deletionTimestamp === undefined) return [];
  return [`${titleOf(object)}: metadata.deletionTimestamp: found ${deletionTimestamp}; allowed is none: take the state again when the object has gone, or leave it out`];
}
