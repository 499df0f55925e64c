// What the demo does next, as a function of what it knows. Asked again after every event.
import { isAtNewest, type DemoState } from './state.ts';

/** One thing to do. */
export type Move =
  | { readonly do: 'startOperator'; readonly release: number }
  | { readonly do: 'stopOperator' }
  /** Compare the objects in the cluster with a fresh install. */
  | { readonly do: 'check' }
  | { readonly do: 'planUpgrade' }
  | { readonly do: 'upgrade' }
  /** The newest version is reached, and what it made is right. */
  | { readonly do: 'finish' }
  | { readonly do: 'fail'; readonly why: string }
  | { readonly do: 'wait' };

/** When the demo goes on, and when it gives up. Milliseconds since its start. */
export interface Pace {
  readonly nowMs: number;
  /** Not Ready by then: the demo fails. Absent: it never gives up. */
  readonly deadlineMs: number | undefined;
  /** Whether the demo ends as soon as the upgrade is Ready. */
  readonly exitWhenReady: boolean;
}

/** The next move. At most one effect is under way at a time; `wait` means: until the next event. */
export function nextMove(state: DemoState, { nowMs, deadlineMs, exitWhenReady }: Pace): Move {
  const { operator, wantedRelease, object, checked, releases, upgradeAtMs } = state;
  if (state.ending !== undefined || operator.state === 'leaving') return { do: 'wait' };
  if (deadlineMs !== undefined && nowMs >= deadlineMs && !isAtNewest(state))
    return { do: 'fail', why: `not Ready after ${Math.round(deadlineMs / 1000)} s` };
  if (operator.state === 'ended') return { do: 'startOperator', release: wantedRelease };
  if (operator.release !== wantedRelease) return { do: 'stopOperator' };
  if (object === undefined || !object.isReady) return { do: 'wait' };
  if (object.phase === 'Steady' && checked?.resourceVersion !== object.resourceVersion) return { do: 'check' };
  if (exitWhenReady && state.wrong.length > 0)
    return { do: 'fail', why: `${state.wrong.length} objects are not as a fresh install makes them` };
  if (wantedRelease < releases.length - 1) {
    if (upgradeAtMs === undefined) return { do: 'planUpgrade' };
    return nowMs >= upgradeAtMs ? { do: 'upgrade' } : { do: 'wait' };
  }
  return exitWhenReady && isAtNewest(state) ? { do: 'finish' } : { do: 'wait' };
}
