// Collects the causes of one validation; fields are relative to the value that is validated until they are added.
import type { Cause } from '../errors.ts';

/** Causes so far, and how many checks passed: among failed alternatives, the one with most passed checks is reported. */
export class Report {
  readonly causes: Cause[] = [];
  /** Checks that passed. */
  matches = 0;
  readonly #prefix: string;

  /** `prefix`: the field that holds the value, such as `status`; empty for a whole object. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get failed(): boolean {
    return this.causes.length > 0;
  }

  /** Notes a check that passed. */
  passed(): void {
    this.matches++;
  }

  /** Adds a fault of the value at `path`. Messages keep the path inside the value, the field gets the prefix. */
  add(path: string, cause: Cause): void {
    this.causes.push({ ...cause, field: this.#field(path) });
  }

  /** Adds a fault that the server reports without a field. */
  addUnplaced(text: string): void {
    const field = this.#prefix === '' ? '<nil>' : this.#prefix;
    this.causes.push({ reason: 'FieldValueInvalid', message: `Invalid value: "": ${text}`, field });
  }

  /** A report for an alternative; `take` merges it. */
  branch(): Report {
    return new Report(this.#prefix);
  }

  /** Takes over the causes and counts of another report. */
  take(other: Report): void {
    this.causes.push(...other.causes);
    this.matches += other.matches;
  }

  #field(path: string): string {
    if (this.#prefix === '') return path === '' ? '<nil>' : path;
    if (path === '') return this.#prefix;
    return path.startsWith('[') ? `${this.#prefix}${path}` : `${this.#prefix}.${path}`;
  }
}
