// Values that are never printed, as the engine defines them.
export { isSensitive, Sensitive } from '@pawl/reconciler/kubernetes';
