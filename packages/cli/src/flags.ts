// How the text of a flag becomes its value.
import { InvalidArgumentError } from 'commander';

/** Reads a whole number within limits. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`Allowed is a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** Gathers the values of a flag that may be repeated. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
