// The Event that tells of an owner reference that crosses namespaces.
import type { OwnerReference } from '../../json.ts';
import { timestamp } from '../../ports.ts';
import type { Cluster } from '../base/cluster.ts';
import { shortHash } from '../base/hash.ts';
import type { Live } from '../base/model.ts';
import type { Step } from '../base/step.ts';
import { isOutOfScope } from './owners.ts';

/** One step per owner of the object that lives, or would have to live, in another namespace than the object may refer to. */
export function warnings(object: Live, cluster: Cluster, now: number): readonly Step[] {
  return (object.metadata.ownerReferences ?? [])
    .filter((reference) => crossesNamespaces(object, reference, cluster))
    .map((reference) => ({ step: 'create', once: true, object: warning(object, reference, now) }));
}

function crossesNamespaces(object: Live, reference: OwnerReference, cluster: Cluster): boolean {
  const kind = cluster.kindOf(reference);
  if (kind === undefined || !kind.namespaced) return false;
  if (isOutOfScope(object, kind)) return true;
  const owner = cluster.byUid(reference.uid);
  return owner !== undefined && owner.metadata.namespace !== object.metadata.namespace;
}

function warning(
  { apiVersion, kind, metadata }: Live,
  owner: OwnerReference,
  now: number,
): Extract<Step, { step: 'create' }>['object'] {
  const { name, namespace = 'default', uid, resourceVersion } = metadata;
  const at = timestamp(now);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${shortHash([uid, owner.uid])}`, namespace },
    involvedObject: {
      apiVersion,
      kind,
      name,
      uid,
      resourceVersion,
      ...(metadata.namespace === undefined ? {} : { namespace }),
    },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `${owner.kind} "${owner.name}" (uid ${owner.uid}) cannot be an owner: it is not in the namespace of this object`,
    source: { component: 'garbage-collector-controller' },
    reportingComponent: 'garbage-collector-controller',
    reportingInstance: '',
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
}
