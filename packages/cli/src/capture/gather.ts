// Which objects of a cluster make up a state: the object, what belongs to it, where they are, and what else is asked for.
import { KindNotServedError, type Inspector, type KubeClient } from '@pawl/operator';
import { groupOf, kindsOf, type KubernetesObject, type ProcedurePackage, type ResourceType } from '@pawl/reconciler/kubernetes';
import { FaultList } from '../fault-list.ts';
import type { Selected } from '../operate/selection.ts';
import type { Session } from '../operate/session.ts';

/** One more object by name. */
export interface Extra {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

type Cluster = Pick<Session, 'client' | 'inspector' | 'packages'>;

/** `[APIVERSION/]KIND/NAME[@NAMESPACE]`; undefined if it is not. */
export function parseExtra(text: string): Extra | undefined {
  const [, apiVersion, kind, name, namespace] = /^(?:((?:[a-z0-9.-]+\/)?v\d+\w*)\/)?([A-Za-z]+)\/([a-z0-9.:-]+)(?:@([a-z0-9-]+))?$/.exec(text) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  return { kind, name, ...(apiVersion === undefined ? {} : { apiVersion }), ...(namespace === undefined ? {} : { namespace }) };
}

/** Everything, each object once; the object itself first. @throws {InputError} for extras that are not there */
export async function gather(selected: Selected, extras: readonly Extra[], cluster: Cluster): Promise<readonly KubernetesObject[]> {
  const { client, inspector } = cluster;
  const { owned } = await inspector.inspect(selected.setup, selected.object);
  const found = [selected.object, ...owned.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)), ...(await extraObjects(extras, selected.object, cluster))];
  const objects = [...new Map(found.map((object) => [keyOf(object), object])).values()];
  const namespaces = new Set(objects.flatMap(({ metadata: { namespace } }) => (namespace === undefined ? [] : [namespace])));
  const places = await Promise.all([...namespaces].sort().map((name) => client.find(NAMESPACE, { name })));
  return [...objects, ...places.filter((place) => place !== undefined), ...(await definitionsOf(objects, cluster))];
}

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const DEFINITION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', plural: 'customresourcedefinitions', namespaced: false };

const keyOf = ({ apiVersion, kind, metadata }: KubernetesObject): string => `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

async function extraObjects(extras: readonly Extra[], object: KubernetesObject, cluster: Cluster): Promise<readonly KubernetesObject[]> {
  const faults = new FaultList();
  const found: KubernetesObject[] = [];
  for (const extra of extras) {
    const shown = `${extra.kind}/${extra.name}`;
    const type = await typeOf(extra, cluster);
    if (type === undefined) {
      faults.add(`--with: found ${shown}, a kind that neither the packages nor the core group know; allowed is APIVERSION/KIND/NAME for others`);
      continue;
    }
    const served = await cluster.client.discovery.resolve(type);
    const namespace = extra.namespace ?? object.metadata.namespace ?? 'default';
    const one = await cluster.client.find(type, served.namespaced ? { name: extra.name, namespace } : { name: extra.name });
    if (one === undefined) faults.add(`--with: found ${shown}, which is not ${served.namespaced ? `in namespace ${namespace}` : 'there'}; @NAMESPACE names another namespace`);
    else found.push(one, ...(await ownedBy(one, cluster.inspector)));
  }
  faults.throwIfAny();
  return found;
}

/** What is reconciled itself has objects of its own. */
async function ownedBy(object: KubernetesObject, inspector: Inspector): Promise<readonly KubernetesObject[]> {
  const setup = inspector.kinds.find(({ resource }) => resource.apiVersion === object.apiVersion && resource.kind === object.kind);
  return setup === undefined ? [] : (await inspector.inspect(setup, object)).owned;
}

/** A kind that is named without its version: as the packages know it, else of the core group. */
async function typeOf({ apiVersion, kind }: Extra, { client, packages }: Cluster): Promise<ResourceType | undefined> {
  const known = packages.flatMap(typesOf).find((type) => type.kind.toLowerCase() === kind.toLowerCase() && (apiVersion ?? type.apiVersion) === type.apiVersion);
  if (known !== undefined) return known;
  const type = { apiVersion: apiVersion ?? 'v1', kind: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` };
  try {
    return (await client.discovery.serves(type)) ? type : undefined;
  } catch (error) {
    if (error instanceof KindNotServedError) return undefined;
    throw error;
  }
}

function typesOf({ kinds }: ProcedurePackage): readonly ResourceType[] {
  return kinds.flatMap((catalog) => {
    const { owns, edits, reads } = kindsOf(catalog);
    return [catalog.resource, ...owns, ...edits, ...reads].map(({ apiVersion, kind }) => ({ apiVersion, kind }));
  });
}

/** Definitions of kinds that are neither the packages' own nor built in. */
async function definitionsOf(objects: readonly KubernetesObject[], { client, packages }: Cluster): Promise<readonly KubernetesObject[]> {
  const own = new Set(packages.flatMap(({ kinds }) => kinds.map(({ resource }) => `${resource.apiVersion} ${resource.kind}`)));
  const types = new Map(objects.map(({ apiVersion, kind }) => [`${apiVersion} ${kind}`, { apiVersion, kind }]));
  const names = await Promise.all(
    [...types].filter(([key, { apiVersion }]) => !own.has(key) && groupOf(apiVersion).includes('.')).map(async ([, type]) => nameOf(type, client)),
  );
  const found = await Promise.all([...new Set(names)].map((name) => client.find(DEFINITION, { name })));
  return found.filter((definition) => definition !== undefined);
}

async function nameOf(type: ResourceType, client: KubeClient): Promise<string> {
  return `${(await client.discovery.resolve(type)).plural}.${groupOf(type.apiVersion)}`;
}
