// What the gauges over all objects need to know of each. Pure.
import { parseStatus, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { partsOf } from '../controller/custom-object.ts';
import type { ObjectSample } from './metrics.ts';

/** One object's state as its status tells it. */
export function sampleOf(object: KubernetesObject): ObjectSample {
  const { status } = partsOf(object);
  const { version = '', conditions } = parseStatus(status);
  const { phase } = (status['procedure'] ?? {}) as { readonly phase?: unknown };
  const blocked = conditions.find(
    ({ type, status: is }) => is === 'True' && (type === 'UpgradeBlocked' || type === 'DeletionBlocked'),
  );
  return {
    kind: object.kind,
    version,
    phase: typeof phase === 'string' ? phase : 'Unknown',
    ...(blocked === undefined ? {} : { blocked: blocked.reason }),
  };
}
