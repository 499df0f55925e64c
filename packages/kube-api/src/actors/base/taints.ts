// Taints of nodes and what pods tolerate.
import type { Taint } from './model.ts';

/** True if one of the tolerations covers the taint. */
export function tolerates(tolerations: readonly Taint[], taint: Taint): boolean {
  return tolerations.some(
    ({ key = '', operator, value = '', effect = '' }) =>
      (effect === '' || effect === taint.effect) &&
      (operator === 'Exists' ? key === '' || key === taint.key : key === taint.key && value === (taint.value ?? '')),
  );
}
