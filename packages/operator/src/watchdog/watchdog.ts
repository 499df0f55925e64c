// Watches over the event loop of this process: an Action that never gives it back is named, and the process ended, so that a
// loop in one Action does not stop the work for all objects.
import { readFile, rm } from 'node:fs/promises';
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Clock } from '@pawl/reconciler';
import { ActionTracker } from './action-tracker.ts';
import type { ReportFile } from './block-recorder.ts';
import { SharedBeat } from './shared-beat.ts';
import { ACTIVE_ACTION, type WatchdogSettings } from './watchdog-settings.ts';

export interface WatchdogOptions extends Omit<WatchdogSettings, 'memory'> {
  readonly clock: Clock;
}

/** Started once. While a debugger is attached it does not watch: a breakpoint is no fault. */
export class Watchdog {
  readonly tracker: ActionTracker;
  /** What the process before this one left. */
  readonly report: ReportFile;
  readonly #options: WatchdogOptions;
  readonly #beat = new SharedBeat();
  #thread: Worker | undefined;
  #cancel = (): void => {};

  constructor(options: WatchdogOptions) {
    this.#options = options;
    const { reportFile } = options;
    this.report = {
      read: () => readFile(reportFile, 'utf8').catch(() => undefined),
      remove: () => rm(reportFile, { force: true }),
    };
    this.tracker = new ActionTracker((active) => {
      this.#beat.last = JSON.stringify(active);
    });
  }

  start = (): void => {
    if (debuggerUrl() !== undefined) return;
    const { clock, ...settings } = this.#options;
    const { memory } = this.#beat;
    const workerData: WatchdogSettings = { ...settings, memory };
    const file = import.meta.url.endsWith('.ts') ? './watchdog-thread.ts' : './watchdog-thread.js';
    this.#thread = new Worker(new URL(file, import.meta.url), { workerData, name: 'watchdog' });
    this.#thread.unref();
    Object.assign(globalThis, { [Symbol.for(ACTIVE_ACTION)]: () => this.tracker.current });
    const everyMs = Math.max(10, Math.min(1_000, settings.limitMs / 20));
    const beat = (): void => {
      this.#beat.beat();
      this.#cancel = clock.setTimer(everyMs, beat);
    };
    beat();
  };

  stop = async (): Promise<void> => {
    this.#cancel();
    Reflect.deleteProperty(globalThis, Symbol.for(ACTIVE_ACTION));
    await this.#thread?.terminate();
  };
}
