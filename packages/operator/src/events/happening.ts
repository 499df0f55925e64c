// What can happen to an object that people want to hear of.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';

/** The words that Events carry. People filter and alert by them: none is ever renamed. */
export const EVENT_REASONS = [
  'UpgradeStarted',
  'UpgradeCompleted',
  'UpgradeSuperseded',
  'UpgradeBlocked',
  'UpgradeUnblocked',
  'RollbackStarted',
  'RollbackCompleted',
  'RollbackSuperseded',
  'RollbackBlocked',
  'RollbackUnblocked',
  'FinalizeStarted',
  'ObjectPruned',
  'PruneSkipped',
  'ObjectReplaced',
  'RecordReconstructed',
  'RecordDrift',
  'RecordNotPersisted',
  'ProcedureContentChanged',
  'RiskAccepted',
  'RolloutHeld',
] as const;
export type EventReason = (typeof EVENT_REASONS)[number];

/** The object that an Event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

export interface Happening {
  /** `Warning`: somebody may have to do something. */
  readonly type: 'Normal' | 'Warning';
  readonly reason: EventReason;
  /** What the operator was doing, in one word. */
  readonly action: 'Upgrade' | 'Rollback' | 'Finalize' | 'Prune' | 'Replace' | 'Record' | 'Rollout';
  /** One sentence. */
  readonly note: string;
  readonly regarding: EventSubject;
  /** Another object that took part in it. */
  readonly related?: EventSubject;
}

/** An object as the subject of an Event. */
export function subjectFrom({ apiVersion, kind, metadata }: KubernetesObject): EventSubject {
  const { name, namespace, uid } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid };
}
