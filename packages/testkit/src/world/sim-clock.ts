// Virtual time: it moves only when the scheduler finds that nothing else can happen.

/** A clock as operators and API servers take it. */
export interface SimClockPort {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly setTimer: (ms: number, callback: () => void) => () => void;
}

/** Whoever sets timers: a process, whose timers vanish with it. */
export interface TimerOwner {
  readonly isAlive: () => boolean;
  /** It stands still until then: what is due meanwhile comes afterwards. */
  readonly pausedUntil?: () => number;
}

interface Timer {
  at: number;
  readonly order: number;
  readonly owner: TimerOwner;
  callback: (() => void) | undefined;
}

/** Timers are called in the order of their moments, those of one moment in the order in which they were set. */
export class SimClock {
  #now: number;
  #order = 0;
  /** A binary heap: the earliest first. */
  readonly #heap: Timer[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  /** Milliseconds since the epoch. */
  now = (): number => this.#now;

  /**
   * The clock of one owner.
   * @param correctionMs what its wall clock shows besides the true time
   */
  portOf = (owner: TimerOwner, correctionMs: () => number = () => 0): SimClockPort => ({
    now: () => this.#now + correctionMs(),
    monotonic: () => this.#now,
    setTimer: (ms, callback) => this.#set(owner, ms, callback),
  });

  /** Moves to the next timer that is due until `end` and calls it; answers whether there was one. */
  advanceToNext = (end: number): boolean => {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > end) {
        return false;
      }
      this.#pop();
      const { callback } = next;
      if (callback === undefined || !next.owner.isAlive()) continue;
      const pausedUntil = next.owner.pausedUntil?.() ?? 0;
      if (pausedUntil > next.at) {
        next.at = pausedUntil;
        this.#push(next);
        continue;
      }
      this.#now = Math.max(this.#now, next.at);
      next.callback = undefined;
      callback();
      return true;
    }
  };

  /** How many timers of an owner are still to come. */
  pendingOf = (owner: TimerOwner): number => this.#heap.filter((timer) => timer.owner === owner && timer.callback !== undefined).length;

  /** Moves on without calling anything; nothing may be due before `to`. */
  moveTo = (to: number): void => {
    this.#now = Math.max(this.#now, to);
  };

  #set(owner: TimerOwner, ms: number, callback: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, owner, callback };
    this.#push(timer);
    return () => {
      timer.callback = undefined;
    };
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, timer)) break;
      heap[index] = above;
      heap[parent] = timer;
      index = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && isBefore(b, a) ? left + 1 : left;
      const below = heap[child];
      if (below === undefined || isBefore(last, below)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
  }
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
