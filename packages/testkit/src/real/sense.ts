// Which plans can be carried out on a real server, and how long their faults last there. Pure.
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { Plan } from '../explore/plan.ts';
import type { Fault } from '../world/faults.ts';

/** Why a fault exists in the simulation only. */
const SIMULATED_ONLY: Readonly<Partial<Record<Fault['kind'], string>>> = {
  clock: 'the clock of this machine cannot be made to jump for one process',
  pause: 'a process cannot be made to stand still together with its timers',
  compaction: 'the history of the server belongs to everybody who uses it',
  cluster: 'the parts of the cluster beside the operator go on as they like',
  person: 'whoever meddles with objects is a part of the simulation',
  admission: 'its answers come from the simulation, not from a webhook of the cluster',
};

/** Why a plan does not make sense on a real server; undefined if it does. */
export function whyNot(plan: Plan, { external }: Pick<ProcedurePackage, 'external'>): string | undefined {
  if (plan.from !== undefined) return 'it begins with a state from a file, which a real server does not take as it is';
  if (external.length > 0)
    return `effects on external systems (${external.map(({ key }) => key).join(', ')}) pass by the proxy, so that they are not counted`;
  for (const { kind } of plan.faults) {
    const why = SIMULATED_ONLY[kind];
    if (why !== undefined) return `${kind}: ${why}`;
  }
  return undefined;
}

/** Requests of the operator under test are given up after so long, where nothing else depends on it. */
export const REQUEST_TIMEOUT_MS = 3_000;
const DELAYED_MS = 20_000;
/** A watch that says nothing for longer counts as broken. */
const SILENT_MS = 75_000;

/** How long the faults of a plan last, in real milliseconds. */
export function lastsMs({ faults, turns }: Pick<Plan, 'faults' | 'turns'>): number {
  const lasting = faults.map((fault): number => {
    if ('forMs' in fault) return fault.forMs + 30_000;
    if (fault.kind === 'watch') return fault.failure === 'delay' ? DELAYED_MS : fault.failure === 'half-open' ? SILENT_MS : 0;
    return fault.kind === 'request' && fault.failure.startsWith('timeout') ? REQUEST_TIMEOUT_MS : 0;
  });
  const isShared = turns.some(({ beside }) => beside === true);
  return Math.max(0, ...lasting) + (isShared ? LEASE_MS : 0);
}

/** A successor waits for so long until the Lease of a predecessor that was killed has run out. */
const LEASE_MS = 15_000;
