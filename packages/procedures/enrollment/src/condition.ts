// Conditions of objects of any kind.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';

/** Whether the object has the condition, at `True`. */
export function hasCondition(object: KubernetesObject, type: string): boolean {
  const { status } = object as KubernetesObject & { readonly status?: { readonly conditions?: unknown } };
  if (!Array.isArray(status?.conditions)) return false;
  return status.conditions.some((condition: unknown) => {
    const found = condition as { readonly type?: unknown; readonly status?: unknown } | null;
    return found?.type === type && found.status === 'True';
  });
}
