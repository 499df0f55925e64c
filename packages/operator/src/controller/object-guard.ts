// The guard of one cycle over one object: before its first change the object must still be the one that was decided on.
import { isEqualJson } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import { objectState } from './custom-object.ts';
import { CycleAbandoned, WriteGuard, type WritePermit } from './guard.ts';
import type { KindSetup } from './kind-setup.ts';

export type GuardFor = (object: KubernetesObject, signal: AbortSignal) => WriteGuard;

/** Makes guards that read the object live before the first change of a cycle. */
export function guardFactory(parts: {
  readonly client: KubeClient;
  readonly setup: Pick<KindSetup, 'resource'>;
  readonly permit: WritePermit;
}): GuardFor {
  const { client, setup, permit } = parts;
  return (object, signal) =>
    new WriteGuard(permit, async () => {
      const newest = await client.find(setup.resource, object.metadata, { signal });
      if (newest === undefined) throw new CycleAbandoned('the object is gone');
      const [was, is] = [objectState(object), objectState(newest)];
      const isSame =
        was.uid === is.uid &&
        object.metadata.generation === newest.metadata.generation &&
        was.deleting === is.deleting &&
        isEqualJson(was.record, is.record);
      if (!isSame) throw new CycleAbandoned('the object has changed since the cycle began');
    });
}
