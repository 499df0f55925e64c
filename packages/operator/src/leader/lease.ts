// The Lease object: what a read of it means, and what is written into it. Pure.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';

/** The kind, addressed without discovery. */
export const LEASES = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true } as const;

/** What a read of the Lease found. */
export type LeaseState =
  | { readonly is: 'missing' }
  /** Its holder let go of it and vouched that no request of its own can still take effect. */
  | { readonly is: 'released'; readonly transitions: number }
  /** Nobody holds it, and nobody said why. */
  | { readonly is: 'vacant'; readonly transitions: number }
  /** `fingerprint` changes with every renewal and with every change of the holder. */
  | {
      readonly is: 'held';
      readonly holder: string;
      readonly durationMs: number;
      readonly transitions: number;
      readonly fingerprint: string;
    }
  /** Not written by any version of this program: whoever uses it so, it is not ours to take. */
  | { readonly is: 'foreign'; readonly why: string };

type Json = Readonly<Record<string, unknown>>;

/** Reads a Lease; never throws. */
export function readLease(object: KubernetesObject | undefined): LeaseState {
  if (object === undefined) return { is: 'missing' };
  const { spec = {} } = object as KubernetesObject & { readonly spec?: unknown };
  if (typeof spec !== 'object' || spec === null) return foreign('spec', spec, 'an object');
  const { holderIdentity: holder, leaseTransitions = 0, renewTime, acquireTime, ...rest } = spec as Json;
  const { leaseDurationSeconds, strategy, preferredHolder } = rest;
  if (strategy !== undefined || preferredHolder !== undefined)
    return foreign('spec.strategy', strategy ?? preferredHolder, 'nothing, for the API server would choose the holder');
  if (!isCount(leaseTransitions)) return foreign('spec.leaseTransitions', leaseTransitions, 'a whole number');
  if (holder === undefined || holder === null) return { is: 'vacant', transitions: leaseTransitions };
  if (typeof holder !== 'string') return foreign('spec.holderIdentity', holder, 'a text');
  if (holder === '') return { is: 'released', transitions: leaseTransitions };
  if (!isCount(leaseDurationSeconds) || leaseDurationSeconds === 0)
    return foreign('spec.leaseDurationSeconds', leaseDurationSeconds, 'a whole number above 0');
  if (typeof renewTime !== 'string') return foreign('spec.renewTime', renewTime, 'a time');
  return {
    is: 'held',
    holder,
    durationMs: leaseDurationSeconds * 1000,
    transitions: leaseTransitions,
    fingerprint: JSON.stringify([object.metadata.uid, holder, renewTime, acquireTime, leaseTransitions]),
  };
}

function foreign(field: string, found: unknown, allowed: string): LeaseState {
  return { is: 'foreign', why: `${field}: found ${JSON.stringify(found) ?? 'nothing'}; allowed is ${allowed}` };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/**
 * A time as a Lease holds it: RFC 3339 with six digits of a second, which the API server insists on.
 *
 * @param micros from 0 to 999
 */
export function microTime(ms: number, micros = 0): string {
  return `${new Date(ms).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
}

/** The spec of a Lease that somebody takes. */
export function claimSpec(claim: {
  readonly identity: string;
  readonly durationMs: number;
  readonly now: number;
  /** What is taken over. */
  readonly state: LeaseState;
}): Json {
  const { identity, durationMs, now, state } = claim;
  const time = microTime(now);
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: time,
    renewTime: time,
    leaseTransitions: 'transitions' in state ? state.transitions + 1 : 0,
  };
}

/** A change that succeeds only on exactly the object that was read. */
export function changeOf({ metadata }: KubernetesObject, spec: Json): Json {
  const { uid, resourceVersion } = metadata;
  return { metadata: { uid, resourceVersion }, spec };
}
