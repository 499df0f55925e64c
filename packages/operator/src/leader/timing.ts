// How long a Lease lasts and how long its holder may rely on it, and which durations fit together.

/** The durations of an election, in milliseconds. */
export interface LeaseTiming {
  /** Others may take the Lease when they have seen it unchanged for so long. */
  readonly leaseDurationMs: number;
  /** The holder sends no change later than this after it sent the last renewal that succeeded. */
  readonly renewDeadlineMs: number;
  /** The holder renews, and others look, about so often. */
  readonly retryPeriodMs: number;
  /** A request takes effect within this time after it was sent, or never. */
  readonly requestTimeoutMs: number;
  /** By so much clocks may run apart within one Lease, and a request may be late beyond its time-out. */
  readonly skewMs: number;
}

export const LEASE_TIMING: LeaseTiming = Object.freeze({
  leaseDurationMs: 60_000,
  renewDeadlineMs: 40_000,
  retryPeriodMs: 10_000,
  requestTimeoutMs: 15_000,
  skewMs: 5_000,
});

/** After so long no request of a predecessor can take effect any more. */
export function settleMsOf({ requestTimeoutMs, skewMs }: LeaseTiming): number {
  return requestTimeoutMs + skewMs;
}

/**
 * What is wrong with the durations, each fault naming its fields; empty if they are safe.
 *
 * The last change of a holder is sent at its deadline and takes effect a request time-out later at most; only then may
 * the Lease run out.
 */
export function timingFaults(timing: LeaseTiming): readonly string[] {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, requestTimeoutMs, skewMs } = timing;
  const faults = Object.entries({ leaseDurationMs, renewDeadlineMs, retryPeriodMs, requestTimeoutMs, skewMs }).flatMap(
    ([field, value]) => {
      const least = field === 'skewMs' ? 0 : 1;
      const isAllowed = Number.isSafeInteger(value) && value >= least;
      return isAllowed ? [] : [`${field}: found ${value}; allowed is a whole number of milliseconds ${least === 0 ? 'from' : 'above'} 0`];
    },
  );
  if (faults.length > 0) return faults;
  if (leaseDurationMs % 1000 !== 0)
    faults.push(`leaseDurationMs: found ${leaseDurationMs}; allowed are whole seconds, for a Lease counts in seconds`);
  const rest = leaseDurationMs - renewDeadlineMs;
  if (requestTimeoutMs + skewMs > rest)
    faults.push(
      `requestTimeoutMs + skewMs: found ${requestTimeoutMs} + ${skewMs}; allowed is at most ` +
        `leaseDurationMs - renewDeadlineMs, which is ${rest}`,
    );
  if (retryPeriodMs * 2 > renewDeadlineMs)
    faults.push(
      `retryPeriodMs: found ${retryPeriodMs}; allowed is at most half of renewDeadlineMs (${renewDeadlineMs}), ` +
        `or one failed renewal ends the leadership`,
    );
  return faults;
}
