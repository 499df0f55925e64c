// Opens a target by name. Only what is asked for is loaded.
import type { Target } from '../target.ts';

export const targetNames = ['memory', 'http', 'control-plane'] as const;
export type TargetName = (typeof targetNames)[number];

/** Version that the in-memory API imitates in the suite: the one that the control plane pins. */
export const imitated = 'v1.35.4';

/** @throws when the target is a control plane and there is none. */
export async function openTarget(name: TargetName): Promise<Target> {
  if (name === 'control-plane') return (await import('./control-plane.ts')).controlPlaneTarget();
  const { httpTarget, memoryTarget } = await import('./memory.ts');
  return name === 'memory' ? memoryTarget(imitated) : httpTarget(imitated);
}
