// One watch of one process: its events pass unless the process is dead, is held up, or a fault hits the event.
import type { WatchEvent } from '@pawl/operator';
import type { WatchFailure } from './faults.ts';
import { statusOf } from './refusals.ts';

export interface WatchControl {
  readonly isDead: () => boolean;
  /** Resolves when events may pass; undefined: now. */
  readonly hold: () => Promise<void> | undefined;
  /** Counts the event; answers what goes wrong with it. */
  readonly failureOf: (event: WatchEvent) => WatchFailure | undefined;
  /** Resolves when a delayed event may arrive. */
  readonly delayed: () => Promise<void>;
  readonly closed: () => void;
}

type Next = IteratorResult<WatchEvent>;

const END: Next = { done: true, value: undefined };
const never = (): Promise<never> => new Promise(() => {});
const GONE: WatchEvent = { type: 'ERROR', object: statusOf(410, 'Expired', 'too old resource version: 1 (2)').body };
const FAILED: WatchEvent = { type: 'ERROR', object: statusOf(500, 'InternalError', 'the watch cache is not well').body };

export interface FaultyWatch extends AsyncIterable<WatchEvent> {
  /** Nobody listens any more. */
  readonly close: () => void;
  /** The connection ends; whoever listens sees the end at once. */
  readonly break: () => void;
}

/** The events as the process sees them. */
export function faultyWatch(events: AsyncIterable<WatchEvent>, control: WatchControl): FaultyWatch {
  const inner = events[Symbol.asyncIterator]();
  let over = false;
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    control.closed();
    void inner.return?.();
  };
  const next = async (): Promise<Next> => {
    if (over) return END;
    const result = await inner.next();
    if (over) return END;
    for (let held = control.hold(); held !== undefined; held = control.hold()) await held;
    if (control.isDead()) return never();
    if (result.done === true) {
      over = true;
      close();
      return END;
    }
    const failure = control.failureOf(result.value);
    if (failure === undefined) return result;
    if (failure === 'half-open') return never();
    if (failure === 'delay') {
      await control.delayed();
      return control.isDead() ? never() : result;
    }
    over = true;
    close();
    return failure === 'drop' ? END : { done: false, value: failure === '410' ? GONE : FAILED };
  };
  return {
    close,
    break: () => {
      over = true;
      // What waits for an event learns of the end by this.
      close();
    },
    [Symbol.asyncIterator]: () => ({
      next,
      return: () => {
        over = true;
        close();
        return Promise.resolve(END);
      },
    }),
  };
}
