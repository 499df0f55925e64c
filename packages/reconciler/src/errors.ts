// The two errors an author may throw, and the one that the framework throws.

/** What kind of mistake a definition has: A of an action, V of a procedure or package, G of a catalog as a whole. */
export type FaultCode =
  'V001' | 'V002' | 'V003' | 'V004' | 'V010' | 'V011' | 'G038' | 'A001' | 'A002' | 'A003' | 'A004' | 'A005';

export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
}

/** Thrown at import time, with every fault found, so that one start shows them all. */
export class DefinitionError extends Error {
  readonly faults: readonly Fault[];

  constructor(subject: string, faults: readonly Fault[]) {
    super(`${subject}: ${faults.map(({ code, message }) => `${code} ${message}`).join('; ')}`);
    this.name = 'DefinitionError';
    this.faults = faults;
  }
}

/** Thrown by an author: retrying is useless until the object or the operator changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

/** Thrown by an author: try again after `afterMs` instead of the object's back-off. */
export class RetryError extends Error {
  override readonly name = 'RetryError';
  readonly afterMs: number;

  constructor(message: string, options: { readonly afterMs: number }) {
    super(message);
    this.afterMs = options.afterMs;
  }
}

/** Thrown by the clients that an action is given, when it uses them in a way that it did not declare. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
}

/** Thrown through a body by a plan, where only a real effect could give the answer. */
export class KnownAfter extends Error {
  override readonly name = 'KnownAfter';

  constructor(effect: string) {
    super(`known after ${effect}`);
  }
}

/** By name, not by class: two copies of this package may be loaded. */
export function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/** Throws if there are faults. */
export function assertSound(subject: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw new DefinitionError(subject, faults);
}
