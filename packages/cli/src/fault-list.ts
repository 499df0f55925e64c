// Collects faults of an input from several sources, so that they are told all at once.
import { faultsOf, InputError } from './input-error.ts';

/** Faults found so far. */
export class FaultList {
  readonly #faults: string[] = [];

  add = (...faults: readonly string[]): void => {
    this.#faults.push(...faults.filter((fault) => !this.#faults.includes(fault)));
  };

  /** What `read` answers; undefined if it threw: then its faults, or its message, are added. */
  during = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      this.add(...(faultsOf(error) ?? [error instanceof Error ? error.message : String(error)]));
      return undefined;
    }
  };

  /** @throws {InputError} with all of them, if there is one */
  throwIfAny = (): void => {
    if (this.#faults.length > 0) throw new InputError(this.#faults);
  };
}
