// What the verbs know of admission: what they announce, and the gate that they pass.
import type { StatusError } from '../errors.ts';
import type { KubeObject } from '../json.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What is going to happen to an object. */
export interface Admission {
  readonly operation: Operation;
  /** Absent for a deletion. */
  readonly object: KubeObject | undefined;
  /** Absent for a creation. */
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
  /** The kind of `object` if a subresource has one of its own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** The gate of one request. Its methods throw a StatusError for a refusal, and Unanswered while a webhook is to be asked. */
export interface AdmissionGate {
  /**
   * An object that is going to be created, as mutating webhooks leave it. They do not see what the server gives it only
   * afterwards: uid, times, and a name that it generates.
   */
  readonly creating: (object: KubeObject, isNamed: boolean, dryRun: boolean) => KubeObject;
  /** Lets a deletion pass or not. */
  readonly deleting: (oldObject: KubeObject, dryRun: boolean) => void;
  /** Why a deletion is refused; undefined: it is not. */
  readonly refusalOfDeletion: (oldObject: KubeObject, dryRun: boolean) => StatusError | undefined;
  /** `object` as mutating webhooks leave it; the same value if none changes it. */
  readonly mutate: (admission: Admission, object: KubeObject) => KubeObject;
  /** Lets what is about to be stored pass or not. */
  readonly validate: (admission: Admission) => void;
}
