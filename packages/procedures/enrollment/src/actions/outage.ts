// A list that could not be read: nothing is known, so nothing is done, and the next attempt waits longer each time.
import { pending, type NotDone } from '@pawl/reconciler';
import type { Enrollment } from '../api.ts';
import type { Context } from '../context.ts';
import { outageDelayMs } from '../delta/back-off.ts';

type WithActions = Enrollment & {
  readonly status?: {
    readonly actions?: readonly {
      readonly name: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
  };
};

/** False, with the cause; asked again after as long as the outage lasts already. */
export function unavailable(
  action: string,
  reason: string,
  error: unknown,
  { object, clock }: Pick<Context, 'object' | 'clock'>,
): NotDone {
  const row = (object as WithActions).status?.actions?.find(({ name }) => name === action);
  const since = row === undefined || row.status === 'True' ? undefined : Date.parse(row.lastTransitionTime);
  const message = error instanceof Error ? error.message : String(error);
  return pending(reason, message, { requeueAfterMs: outageDelayMs(since, clock.now()) });
}
