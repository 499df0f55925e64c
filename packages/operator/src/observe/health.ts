// What the process says about itself: a named check is fine, or says what is wrong.

export interface HealthCheck {
  /** Such as `cache/Deployment`. */
  readonly name: string;
  /** What is wrong, in a sentence; undefined if nothing is. Returns at once. */
  readonly check: () => string | undefined;
}

export interface HealthReport {
  readonly isFine: boolean;
  /** One line for each check that is not fine; `ok` if all are. */
  readonly text: string;
}

/** Runs all checks. One that throws is one that is not fine. */
export function healthOf(checks: Iterable<HealthCheck>): HealthReport {
  const faults = [...checks].flatMap(({ name, check }) => {
    const fault = faultOf(check);
    return fault === undefined ? [] : [`${name}: ${fault}\n`];
  });
  return { isFine: faults.length === 0, text: faults.length === 0 ? 'ok\n' : faults.join('') };
}

function faultOf(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
