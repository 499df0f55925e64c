// Objects of a fleet, as far as the budget of hops looks at them.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';

export type FleetPhase = 'Steady' | 'Upgrading' | 'Soaking' | 'Stalled';

const entry = (version: string, state: string): object => ({ version, state, rollbackTo: 'none', teardown: 'Inventory' });

/** At 1.0.0 if it is steady, else on the way to 2.0.0. */
export function fleetObject(uid: string, phase: FleetPhase = 'Steady'): KubernetesObject {
  const isOpen = phase !== 'Steady';
  const applied = isOpen ? [entry('1.0.0', 'Complete'), entry('2.0.0', 'Partial')] : [entry('1.0.0', 'Complete')];
  const record = { epoch: 1, applied, avoid: [], scope: [], ...(isOpen ? { target: '2.0.0' } : { version: '1.0.0' }) };
  return {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: uid, uid, resourceVersion: '1' },
    status: { procedure: { phase, record } },
  } as KubernetesObject;
}
