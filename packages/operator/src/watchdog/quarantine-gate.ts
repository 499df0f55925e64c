// In front of each pass: leaves out the objects in quarantine, and takes the mark off those that came to rest.
import type { Clock } from '@pawl/reconciler';
import { requestAnnotation, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { partsOf } from '../controller/custom-object.ts';
import { after, NOW, type Next } from '../controller/next.ts';
import type { StatusWriter } from '../controller/status-writer.ts';
import { markOf, quarantinedForMs, quarantinedStatus, type BlockedMark } from './quarantine.ts';

export interface QuarantineGateParts {
  readonly release: string;
  readonly clock: Clock;
  readonly status: Pick<StatusWriter, 'report'>;
  /** Nothing but the object that asks waits or is worked on. */
  readonly isCalm: () => boolean;
  /** Sets another mark, or takes it off; later reads see that. */
  readonly remark: (object: KubernetesObject, mark: BlockedMark | undefined) => Promise<void>;
}

/** An object whose hour is over waits so long for a moment in which no other work would be lost. */
const CALM_POLL_MS = 5_000;

export class QuarantineGate {
  readonly #parts: QuarantineGateParts;

  constructor(parts: QuarantineGateParts) {
    this.#parts = parts;
  }

  /** When an object that is left out comes up again; undefined if it is to be worked on now. */
  hold = async (object: KubernetesObject, signal: AbortSignal): Promise<Next | undefined> => {
    const { release, clock, status, isCalm, remark } = this.#parts;
    const mark = markOf(object);
    // A person asks for one more try: the request is used up by it, so the mark has to remember that.
    if (mark !== undefined && mark.times > 1 && object.metadata.annotations?.[requestAnnotation('retry')] !== undefined) {
      await remark(object, { ...mark, times: 1 });
      return NOW;
    }
    const ms = quarantinedForMs(object, { release, now: clock.now() });
    if (mark === undefined || ms === undefined) return undefined;
    if (ms === 0) return isCalm() ? undefined : after(CALM_POLL_MS);
    await status.report(object, quarantinedStatus(object, mark, clock.now()), signal);
    return after(ms);
  };

  /** The pass over an object has ended. */
  ended = async (object: KubernetesObject | undefined): Promise<void> => {
    if (object === undefined || markOf(object) === undefined) return;
    const { phase } = (partsOf(object).status['procedure'] ?? {}) as { readonly phase?: unknown };
    if (phase === 'Steady') await this.#parts.remark(object, undefined);
  };
}
