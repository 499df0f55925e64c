// Reads and writes of the one Lease. Every write is bound to the copy it was made from, so two processes cannot both succeed.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { isNotFound } from '../client/error-kinds.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { changeOf, claimSpec, LEASES, microTime, type LeaseState } from './lease.ts';

export interface LeaseStoreParts {
  /** A client of its own: one whose changes need no permit. */
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly durationMs: number;
  readonly requestTimeoutMs: number;
  /** The wall clock, in milliseconds since the epoch: for the times that people read. */
  readonly now: () => number;
}

/** All methods throw what the client throws; a write that met a newer copy throws a conflict. */
export class LeaseStore {
  readonly #parts: LeaseStoreParts;
  #renewals = 0;

  constructor(parts: LeaseStoreParts) {
    this.#parts = parts;
  }

  read = (signal: AbortSignal | undefined): Promise<KubernetesObject | undefined> =>
    this.#parts.client.find(LEASES, this.#parts, this.#bounds(signal));

  /** Takes the Lease; creates it if it was not there. */
  claim = (object: KubernetesObject | undefined, state: LeaseState, signal: AbortSignal): Promise<KubernetesObject> => {
    const { client, namespace, name, identity, durationMs, now } = this.#parts;
    const spec = claimSpec({ identity, durationMs, now: now(), state });
    if (object !== undefined) return this.#change(object, spec, signal);
    return client.create(LEASES, { metadata: { namespace, name }, spec }, this.#bounds(signal));
  };

  renew = (object: KubernetesObject, signal: AbortSignal): Promise<KubernetesObject> => {
    const leaseDurationSeconds = Math.ceil(this.#parts.durationMs / 1000);
    return this.#change(object, { renewTime: this.#renewTime(), leaseDurationSeconds }, signal);
  };

  /** Empties the holder, which tells the successor that nothing is left to wait for. */
  release = async (object: KubernetesObject): Promise<void> => {
    try {
      await this.#change(object, { holderIdentity: '', renewTime: this.#renewTime() }, undefined);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };

  /** Counts on in the last digits: a renewal under a clock that stands, or was set back, must be seen as one as well. */
  #renewTime(): string {
    this.#renewals = (this.#renewals + 1) % 1000;
    return microTime(this.#parts.now(), this.#renewals);
  }

  #change(
    object: KubernetesObject,
    spec: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<KubernetesObject> {
    return this.#parts.client.mergePatch(LEASES, this.#parts, changeOf(object, spec), this.#bounds(signal));
  }

  #bounds(signal: AbortSignal | undefined): { readonly signal: AbortSignal | undefined; readonly timeoutMs: number } {
    return { signal, timeoutMs: this.#parts.requestTimeoutMs };
  }
}
