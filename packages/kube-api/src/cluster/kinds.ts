// Which resource a test means by `Deployment`, `deployments` or `deploy`.
import { at, isList, type Json, type JsonObject, objectsOf, textOf } from '../json.ts';
import type { Transport } from '../transport.ts';

/** A resource that is served. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** What it may be called, in lower case: kind, plural, short names, and each of the first two with `.group`. */
  readonly names: readonly string[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** What a server serves, in its order of preference. */
export async function servedKinds({ request }: Transport): Promise<readonly ServedKind[]> {
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) => request({ method: 'GET', path, headers: { accept: AGGREGATED } })),
  );
  return documents.flatMap(({ body }) =>
    objectsOf(at(body as Json, 'items')).flatMap((group) => {
      const name = textOf(at(group, 'metadata', 'name'));
      return objectsOf(group['versions']).flatMap((version) =>
        objectsOf(version['resources']).map((resource) => kindOf(name, textOf(version['version']), resource)),
      );
    }),
  );
}

function kindOf(group: string, version: string, resource: JsonObject): ServedKind {
  const kind = textOf(at(resource, 'responseKind', 'kind'));
  const plural = textOf(resource['resource']);
  const short = isList(resource['shortNames']) ? resource['shortNames'].map(textOf) : [];
  const own = [kind.toLowerCase(), plural];
  const qualified = group === '' ? [] : own.map((name) => `${name}.${group}`);
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    plural,
    namespaced: resource['scope'] === 'Namespaced',
    names: [...own, ...qualified, ...short],
  };
}

/**
 * The resource of a name, or of `apiVersion` and `kind`.
 *
 * @throws RangeError naming what is served
 */
export function findKind(kinds: readonly ServedKind[], name: string, apiVersion?: string): ServedKind {
  const wanted = name.toLowerCase();
  const found = kinds.find(
    (one) => one.names.includes(wanted) && (apiVersion === undefined || one.apiVersion === apiVersion),
  );
  if (found !== undefined) return found;
  const what = apiVersion === undefined ? name : `${apiVersion} ${name}`;
  const known = [...new Set(kinds.map(({ kind }) => kind))].sort().join(', ');
  throw new RangeError(`kind: found ${what}, which is not served; served are ${known}`);
}

/** The path of a collection, or of the object `name`. */
export function pathOf(kind: ServedKind, namespace: string | undefined, name?: string): string {
  const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const leaf = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${kind.plural}${leaf}`;
}
