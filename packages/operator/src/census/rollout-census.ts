// The count before a release rolls out: a process is not ready while objects that are fine now would stand still under it.
// Then the pods of the former release stay, and go on with their work.
import type { Clock, Logger } from '@pawl/reconciler';
import { subjectOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { HealthCheck } from '../observe/health.ts';
import { pause } from '../waiting.ts';
import type { Stranded } from './stranded.ts';

/** What is done about objects that would be stranded: the release is held back, or only a warning is given. */
export type OnStranded = 'hold' | 'warn';

/** A release that is held back, and because of what. */
export interface HeldRollout {
  /** Objects that are fine now and would stand still. */
  readonly count: number;
  readonly first: KubernetesObject;
  /** Says all of it, and what would help. */
  readonly text: string;
}

export interface RolloutCensusParts {
  /** All objects that this operator reconciles, as its caches know them. */
  readonly objects: () => Iterable<KubernetesObject>;
  /** @param isKnown whether the object was found to be stranded before */
  readonly strandedBy: (object: KubernetesObject, isKnown: boolean) => Stranded | undefined;
  readonly onStranded: OnStranded;
  /** Told after each count whether the release is held back. */
  readonly onCounted?: ((held: HeldRollout | undefined) => void) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** So many objects are looked at before others in the process may go on. */
const AT_A_TIME = 200;
/** While a release is held back, people may bring its objects to where it can act. */
const RECOUNT_MS = 15_000;

type Outcome = 'open' | 'passed' | { readonly held: string };

/** Counts until nothing is stranded. Once passed it stays so: what is blocked later is told by the objects themselves. */
export class RolloutCensus {
  readonly #parts: RolloutCensusParts;
  /** Uids of the objects that the last count found. */
  #stranded: ReadonlySet<string> = new Set();
  #outcome: Outcome = 'open';

  constructor(parts: RolloutCensusParts) {
    this.#parts = parts;
  }

  get isPassed(): boolean {
    return this.#outcome === 'passed';
  }

  /** For readiness. */
  get check(): HealthCheck {
    return {
      name: 'rollout',
      check: () => {
        if (this.#outcome === 'passed') return undefined;
        return this.#outcome === 'open' ? 'the objects have not been counted yet' : this.#outcome.held;
      },
    };
  }

  /**
   * Resolves when the release may roll out. To be called when the caches are complete.
   * @throws the reason of the signal when that is aborted before
   */
  passed = async (signal: AbortSignal): Promise<void> => {
    const { onStranded, onCounted, clock, log } = this.#parts;
    for (;;) {
      const stranded = await this.#count(signal);
      const text = stranded?.text;
      onCounted?.(onStranded === 'warn' ? undefined : stranded);
      if (text === undefined || onStranded === 'warn') {
        if (text !== undefined) log.warn({ text }, 'objects will stand still under this release, which rolls out all the same');
        else if (this.#outcome !== 'open') log.info({}, 'no object would be stranded any more: the release rolls out');
        this.#outcome = 'passed';
        return;
      }
      const isNews = typeof this.#outcome === 'string' || this.#outcome.held !== text;
      this.#outcome = { held: text };
      if (isNews) log.error({ text }, 'this release is held back');
      await pause(clock, RECOUNT_MS, signal);
    }
  };

  /** What to tell people; undefined if no object would be stranded. */
  async #count(signal: AbortSignal): Promise<HeldRollout | undefined> {
    const { objects, strandedBy, clock } = this.#parts;
    let seen = 0;
    const found = new Set<string>();
    let first: { readonly object: KubernetesObject; readonly why: Stranded } | undefined;
    for (const object of objects()) {
      const why = strandedBy(object, this.#stranded.has(object.metadata.uid));
      if (why !== undefined) {
        found.add(object.metadata.uid);
        if (first === undefined || nameOf(object) < nameOf(first.object)) first = { object, why };
      }
      seen += 1;
      if (seen % AT_A_TIME === 0) await pause(clock, 0, signal);
    }
    this.#stranded = found;
    if (first === undefined) return undefined;
    return { count: found.size, first: first.object, text: heldText(found.size, first.object, first.why) };
  }
}

function heldText(count: number, object: KubernetesObject, { reason, message }: Stranded): string {
  const many = count === 1 ? '1 object that is fine now' : `${count} objects that are fine now`;
  const named = count === 1 ? nameOf(object) : `the first is ${nameOf(object)}`;
  return `RolloutHeld: ${many} would stand still under this release; ${named} (${reason}): ${message} To roll out all the same, start with --on-stranded warn.`;
}

const nameOf = (object: KubernetesObject): string => subjectOf({ ...object, ...object.metadata });
