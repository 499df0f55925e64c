// Bad input from outside: told to people without a stack trace.

/** Every fault of an input, each naming the field, what was found and what is allowed. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** The faults of an error about input, whichever package raised it; undefined if it is another error. */
export function faultsOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof Error) || !('faults' in error) || !Array.isArray(error.faults)) return undefined;
  return error.faults.map((fault: unknown) =>
    typeof fault === 'object' && fault !== null && 'message' in fault ? String(fault.message) : String(fault),
  );
}
