// How time goes by in a cluster, and when nothing happens any more at a moment.
import { setImmediate } from 'node:timers/promises';
import type { Actors } from '../actors/index.ts';
import { systemClock, type Clock } from '../ports.ts';
import type { RequestLog } from '../server/request-log.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Turns of the event loop without a request after which everybody in the process has had his say. */
const QUIET_TURNS = 4;
/** Clients over HTTP need real time between an answer and their next request. */
const QUIET_OVER_HTTP_MS = 30;
const POLL_MS = 10;
const STUCK_AFTER_MS = 500;
const DEFAULT_WITHIN_MS = 600_000;

interface Parts {
  readonly clock: Clock;
  readonly actors: Actors | undefined;
  readonly log: RequestLog;
  readonly overHttp: boolean;
}

/** The time of one cluster. */
export class Time {
  readonly #parts: Parts;
  #answered: number;
  /** How many requests were open too long to be waited for. */
  #stuck = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#answered = parts.log.count();
    parts.log.onRequest(() => {
      this.#answered += 1;
    });
  }

  readonly settle = async (): Promise<void> => {
    do await this.#quiet();
    while (this.#parts.overHttp && (await this.#hearsAnything()));
  };

  readonly advance = async (ms: number): Promise<void> => {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`ms: found ${ms}, allowed are numbers from 0`);
    const { clock } = this.#parts;
    await this.settle();
    if (!(clock instanceof VirtualClock)) {
      await pause(ms);
      await this.settle();
      return;
    }
    const end = clock.now() + ms;
    while (clock.now() < end || (clock.next() ?? Infinity) <= end) {
      clock.moveTo(Math.min(clock.next() ?? end, end));
      await this.settle();
    }
  };

  readonly until = async (isSo: () => boolean | Promise<boolean>, withinMs = DEFAULT_WITHIN_MS): Promise<void> => {
    const { clock } = this.#parts;
    const end = clock.now() + withinMs;
    await this.settle();
    while (!(await isSo())) {
      const now = clock.now();
      if (now >= end) throw new Error(`it is not so after ${withinMs} ms`);
      if (clock instanceof VirtualClock) await this.advance(Math.min(clock.next() ?? end, end) - now);
      else await this.advance(POLL_MS);
    }
  };

  async #quiet(): Promise<void> {
    const { actors, log } = this.#parts;
    for (let quiet = 0, count = log.count(); quiet < QUIET_TURNS; quiet++) {
      await actors?.idle();
      await setImmediate();
      if (log.count() === count && !(await this.#waitsForWebhooks())) continue;
      count = log.count();
      quiet = -1;
    }
  }

  /** Webhooks answer in real time. Requests that stay open for long wait for time to go on, and are not waited for. */
  async #waitsForWebhooks(): Promise<boolean> {
    const open = this.#open;
    if (open <= this.#stuck) {
      this.#stuck = open;
      return false;
    }
    for (let waited = 0; waited < STUCK_AFTER_MS && this.#open >= open; waited += POLL_MS) await pause(POLL_MS);
    if (this.#open >= open) this.#stuck = this.#open;
    return true;
  }

  get #open(): number {
    return this.#parts.log.count() - this.#answered;
  }

  async #hearsAnything(): Promise<boolean> {
    const { log } = this.#parts;
    const before = log.count();
    await pause(QUIET_OVER_HTTP_MS);
    return log.count() !== before;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.setTimer(ms, resolve));
}
