// What a demo can be told.

/** Durations in milliseconds. */
export interface DemoOptions {
  /** Port of the API; another one is taken if it is busy. */
  readonly port: number;
  /** End as soon as the upgrade is Ready. */
  readonly exitWhenReady: boolean;
  /** Give up if the upgrade is not Ready by then, when the demo is to end by itself. */
  readonly timeoutMs: number;
  /** How long the first release stays before the next one is started by itself. */
  readonly upgradeAfterMs: number;
  /** Pods take up to so long to become ready. */
  readonly podsReadyWithinMs: number;
  /** Folder of the example, absolute. */
  readonly example: string;
  /** What the clock showed when the command was started. */
  readonly startedAtMs: number;
}
