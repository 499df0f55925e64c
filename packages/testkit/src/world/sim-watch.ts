// One watch of one process: its events pass unless the process is dead, is held up, or a fault hits the event.
import type { WatchEvent } from '@pawl/operator';
import type { WatchFailure } from './faults.ts';

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
const GONE: WatchEvent = Object.freeze({
  type: 'ERROR',
  object: Object.freeze({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: 'too old resource version: 1 (2)',
    reason: 'Expired',
    code: 410,
  }),
});

/** The events as the process sees them. */
export function simWatch(events: AsyncIterable<WatchEvent>, control: WatchControl): AsyncIterable<WatchEvent> & { readonly close: () => void } {
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
    for (let held = control.hold(); held !== undefined; held = control.hold()) await held;
    if (control.isDead()) return never();
    if (result.done === true) return result;
    const failure = control.failureOf(result.value);
    if (failure === undefined) return result;
    if (failure === 'half-open') return never();
    if (failure === 'delay') {
      await control.delayed();
      return control.isDead() ? never() : result;
    }
    over = true;
    close();
    return failure === 'drop' ? END : { done: false, value: GONE };
  };
  return {
    close,
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
