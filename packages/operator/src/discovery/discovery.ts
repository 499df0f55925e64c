// What the server serves: plural, scope and verbs of each kind, asked once per group version and kept.
import type { ResourceType } from '@pawl/reconciler/kubernetes';
import type { Caller } from '../client/caller.ts';
import { isNotFound } from '../client/error-kinds.ts';
import { groupOf, groupVersionPath } from '../client/paths.ts';
import type { MonotonicClock } from '@pawl/reconciler';
import { KindNotServedError } from './kind-not-served.ts';
import { parseResources, parseVersions, type ServedResource } from './served-resource.ts';

export interface DiscoveryOptions {
  readonly caller: Caller;
  readonly clock: MonotonicClock;
  /** A kind that was missing is asked for again after this time at the earliest. Default 5,000. */
  readonly refreshAfterMs?: number;
}

interface Answer {
  readonly at: number;
  /** By kind; undefined if the server does not know the group version. */
  readonly resources: ReadonlyMap<string, ServedResource> | undefined;
}

/**
 * A cache of what the server serves. What was found is never asked for again, what was not found is, at most once per
 * `refreshAfterMs` and group version. Several callers share one request.
 */
export class Discovery {
  readonly #caller: Caller;
  readonly #clock: MonotonicClock;
  readonly #refreshAfterMs: number;
  readonly #answers = new Map<string, Answer>();
  readonly #pending = new Map<string, Promise<Answer>>();
  readonly #versions = new Map<string, { readonly at: number; readonly versions: readonly string[] }>();

  constructor({ caller, clock, refreshAfterMs = 5_000 }: DiscoveryOptions) {
    this.#caller = caller;
    this.#clock = clock;
    this.#refreshAfterMs = refreshAfterMs;
  }

  /**
   * How the server serves a kind.
   *
   * @throws {KindNotServedError} if it does not, {KubeError} if it cannot be asked
   */
  async resolve(type: ResourceType): Promise<ServedResource> {
    const found = this.known(type) ?? (await this.#ask(type.apiVersion)).resources?.get(type.kind);
    if (found === undefined) throw new KindNotServedError(type, await this.servedVersions(groupOf(type.apiVersion)));
    return found;
  }

  /** What is known without a request. */
  known({ apiVersion, kind }: ResourceType): ServedResource | undefined {
    return this.#answers.get(apiVersion)?.resources?.get(kind);
  }

  /** Whether the server serves a kind. @throws {KubeError} if it cannot be asked */
  async serves(type: ResourceType): Promise<boolean> {
    return this.known(type) !== undefined || (await this.#ask(type.apiVersion)).resources?.get(type.kind) !== undefined;
  }

  /** The versions of a group, the preferred one first; none if the group is not there. */
  async servedVersions(group: string): Promise<readonly string[]> {
    const known = this.#versions.get(group);
    if (known !== undefined && this.#isFresh(known)) return known.versions;
    const path = group === '' ? '/api' : `/apis/${encodeURIComponent(group)}`;
    const versions = parseVersions(await this.#read(path));
    this.#versions.set(group, { at: this.#clock.monotonic(), versions });
    return versions;
  }

  /** Forgets a group version, as after a change of its CRD. */
  forget(apiVersion: string): void {
    this.#answers.delete(apiVersion);
  }

  async #ask(apiVersion: string): Promise<Answer> {
    const known = this.#answers.get(apiVersion);
    if (known !== undefined && this.#isFresh(known)) return known;
    const pending = this.#pending.get(apiVersion) ?? this.#fetch(apiVersion);
    this.#pending.set(apiVersion, pending);
    try {
      return await pending;
    } finally {
      this.#pending.delete(apiVersion);
    }
  }

  async #fetch(apiVersion: string): Promise<Answer> {
    const body = await this.#read(groupVersionPath(apiVersion));
    const resources = body === undefined ? undefined : parseResources(apiVersion, body);
    const answer = { at: this.#clock.monotonic(), resources };
    this.#answers.set(apiVersion, answer);
    return answer;
  }

  #isFresh({ at }: { readonly at: number }): boolean {
    return this.#clock.monotonic() - at < this.#refreshAfterMs;
  }

  /** The document at a path, or undefined if there is none. */
  async #read(path: string): Promise<unknown> {
    try {
      return (await this.#caller.send({ method: 'GET', path })).body;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
