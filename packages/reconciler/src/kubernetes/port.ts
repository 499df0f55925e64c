// The one way from the framework to the cluster. Actions never see it: they see the clients made from it.
import type { KubernetesObject } from './model.ts';
import type { RemoveOptions, ResourceType, Selector } from './resource.ts';

export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** What the framework writes on an owned object beside what its Action wants; all of it stands in the body too. */
export interface Stamp {
  /** The version that acts. While a hop is open the port brings every object to it; else it is not compared. */
  readonly version: string;
  readonly ownerUid: string;
  readonly action: string;
}

/**
 * Server-side apply of one object. `whole`: an owned object, which is created if it is not there. `fields`: part of an
 * object that exists and that somebody else owns; an empty body gives the fields back.
 *
 * The request is complete: the port adds nothing to the body. It decides whether anything has to be sent. Nothing has,
 * if the object is known under the same owner uid, its `applied` annotation equals `appliedHash`, every desired field is
 * still held by `fieldManager`, and, while a hop is open, its stamp is the version that acts.
 */
export interface ApplyRequest extends ObjectRef {
  readonly type: ResourceType;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whole objects: one manager per package and kind. Fields: one per package and claim. */
  readonly fieldManager: string;
  readonly mode: 'whole' | 'fields';
  /** What to do about an immutable field; default refuse. */
  readonly immutable?: string | undefined;
  readonly dryRun: boolean;
  /** Fingerprint of what the Action wants, without what the framework adds. For whole objects. */
  readonly appliedHash?: string;
  readonly stamp?: Stamp;
}

export interface Applied {
  readonly operation: 'create' | 'update' | 'none';
  readonly object: KubernetesObject;
}

/**
 * The cluster as one cycle sees it.
 *
 * One port serves one cycle, and how it reads is the runtime's choice: a steady cycle reads caches that its own writes
 * are visible in, and checks the reconciled object live before the first write; a cycle that verifies is given a port
 * whose reads are live lists that began after the verification did. `live` always asks the server. Every call that
 * writes may be refused when the cycle has ended, the lease is lost, or the recorded scope does not cover the object.
 */
export interface ClusterPort {
  readonly get: (type: ResourceType, ref: ObjectRef) => Promise<KubernetesObject | undefined>;
  readonly list: (type: ResourceType, selector: Selector) => Promise<readonly KubernetesObject[]>;
  readonly live: (type: ResourceType, ref: ObjectRef) => Promise<KubernetesObject | undefined>;
  readonly apply: (request: ApplyRequest) => Promise<Applied>;
  /** With uid and resourceVersion of what was observed as preconditions. */
  readonly remove: (type: ResourceType, observed: KubernetesObject, options: RemoveOptions) => Promise<void>;
  readonly evict: (pod: KubernetesObject) => Promise<'evicted' | 'refused'>;
}

/** By this symbol an error of any copy of the class is known. */
const BRAND = Symbol.for('@pawl/api-error');

/** An answer of the server that is not success. `causes` names fields. */
export class ApiError extends Error {
  /** Procedures that were released bring their own copy of this class, and meet the errors of another one. */
  static override [Symbol.hasInstance](this: unknown, value: unknown): boolean {
    if (this !== ApiError) return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly string[];

  constructor(code: number, reason: string, message: string, causes: readonly string[] = []) {
    super(message);
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.reason = reason;
    this.causes = causes;
  }
}
