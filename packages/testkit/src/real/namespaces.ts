// Namespaces of their own for the samples of a package: nothing of what stands elsewhere in a cluster is touched.
import type { ExampleObject, ProcedurePackage } from '@pawl/reconciler/kubernetes';

export interface Relocated {
  readonly objects: readonly ExampleObject[];
  readonly namespaces: readonly string[];
}

/** The samples in namespaces that begin with a name: as many as they were in before. Cluster-wide objects stay as they are. */
export function relocated(objects: readonly ExampleObject[], { kinds }: Pick<ProcedurePackage, 'kinds'>, name: string): Relocated {
  const names = new Map<string, string>();
  const moved = objects.map((object): ExampleObject => {
    const kind = kinds.find(({ resource }) => resource.apiVersion === object.apiVersion && resource.kind === object.kind);
    const isNamespaced = kind?.resource.namespaced ?? object.metadata.namespace !== undefined;
    if (!isNamespaced) return object;
    const { namespace = 'default' } = object.metadata;
    const own = names.get(namespace) ?? (names.size === 0 ? name : `${name}-${names.size + 1}`);
    names.set(namespace, own);
    return { ...object, metadata: { ...object.metadata, namespace: own } };
  });
  return { objects: moved, namespaces: [...names.values()] };
}
