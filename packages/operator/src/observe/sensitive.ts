// A value that must not be shown. Wherever it is printed there is a fingerprint instead: equal for equal values.
import { inspect } from 'node:util';
import { shortHash } from '@pawl/reconciler';

/** By this symbol a value of any copy of this class is known. */
const BRAND = Symbol.for('@pawl/sensitive');

/** Wraps a secret text. Only {@link Sensitive.reveal} gives it back; text, JSON, templates and inspection show a fingerprint. */
export class Sensitive {
  readonly [BRAND] = true;
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, for the one place that needs it. */
  reveal = (): string => this.#value;

  /** Short, and the same for equal values; nobody can work the value out of it unless it is easy to guess. */
  get fingerprint(): string {
    return `sensitive:${shortHash(this.#value, 12)}`;
  }

  toString(): string {
    return this.fingerprint;
  }

  toJSON(): string {
    return this.fingerprint;
  }

  [inspect.custom](): string {
    return this.fingerprint;
  }
}

/** Whether something is a sensitive value, of this copy of the class or of another. */
export function isSensitive(value: unknown): value is Sensitive {
  return typeof value === 'object' && value !== null && (value as Readonly<Record<symbol, unknown>>)[BRAND] === true;
}
