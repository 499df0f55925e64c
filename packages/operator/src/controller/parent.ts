// Where the object that a child belongs to stands: a child never runs ahead of its parent.
import type { ParentState } from '@pawl/reconciler';
import { groupOf, type KubernetesObject, type ParentDeclaration } from '@pawl/reconciler/kubernetes';
import type { ClusterView } from '../cluster/view.ts';
import { objectState, partsOf } from './custom-object.ts';

/**
 * The state of the child's parent. Undefined for an object that names no parent: nobody limits it. A parent that is
 * named but not there has no version, so that the child waits.
 */
export function parentState(
  child: KubernetesObject,
  { of, releasedBy }: ParentDeclaration,
  view: Pick<ClusterView, 'get'>,
): ParentState | undefined {
  const reference = child.metadata.ownerReferences?.find(
    ({ apiVersion, kind }) => kind === of.kind && groupOf(apiVersion) === groupOf(of.apiVersion),
  );
  if (reference === undefined) return undefined;
  const { name, uid } = reference;
  const { namespace } = child.metadata;
  const parent = view.get(of, of.namespaced && namespace !== undefined ? { name, namespace } : { name });
  if (parent === undefined || parent.metadata.uid !== uid) return {};
  const { record } = objectState(parent);
  const actions = partsOf(parent).status['actions'];
  const released =
    Array.isArray(actions) &&
    actions.some((row: { readonly name?: unknown; readonly status?: unknown }) => row.name === releasedBy && row.status === 'True');
  const version = record?.version ?? record?.applied.find(({ state }) => state === 'Complete')?.version;
  return { version, target: record?.target, released };
}
