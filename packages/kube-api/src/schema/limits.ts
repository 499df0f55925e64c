// Limits of strings, numbers and lists.
import { invalidValue, tooLong } from '../causes.ts';
import { equalJson } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { knownFormat } from './formats.ts';
import { patternOf } from './patterns.ts';
import type { Report } from './report.ts';

/** Length, pattern and format; the first of length and pattern that fails ends it, as in the server. */
export function checkString(schema: JsonObject, value: string, path: string, report: Report): void {
  checkFormat(schema, value, path, report);
  const { minLength, maxLength, pattern } = schema;
  const length = typeof maxLength === 'number' || typeof minLength === 'number' ? Array.from(value).length : 0;
  if (typeof maxLength === 'number' && length > maxLength) {
    report.add(path, tooLong(path, maxLength));
  } else if (typeof minLength === 'number' && length < minLength) {
    report.add(path, invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`));
  } else if (typeof pattern === 'string' && pattern !== '') {
    const matcher = patternOf(pattern);
    if (matcher?.test(value) !== true) {
      const why = matcher === undefined ? `${pattern}, but pattern is invalid` : pattern;
      report.add(path, invalidValue(path, value, `${path} in body should match '${why}'`));
    }
  }
}

function checkFormat(schema: JsonObject, value: string, path: string, report: Report): void {
  const format = schema['format'];
  if (typeof format !== 'string') return;
  if (knownFormat(format)?.(value) !== false) return;
  const text = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
  report.add(path, { ...invalidValue(path, value, text), reason: 'FieldValueTypeInvalid' });
}

/** multipleOf, minimum and maximum. The server cuts the fraction off a limit before it holds a whole number against it. */
export function checkNumber(schema: JsonObject, value: number, path: string, report: Report): void {
  const whole = (limit: Json | undefined): number | undefined =>
    typeof limit !== 'number' ? undefined : Number.isInteger(value) ? Math.trunc(limit) : limit;
  const [multipleOf, maximum, minimum] = [
    whole(schema['multipleOf']),
    whole(schema['maximum']),
    whole(schema['minimum']),
  ];
  if (multipleOf !== undefined && multipleOf <= 0) {
    report.add(
      path,
      invalidValue(path, multipleOf, `factor MultipleOf declared for ${path} must be positive: ${multipleOf}`),
    );
  } else if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    report.add(path, invalidValue(path, value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  if (minimum !== undefined) {
    const exclusive = schema['exclusiveMinimum'] === true;
    if (exclusive ? value <= minimum : value < minimum) {
      const words = exclusive ? 'greater than' : 'greater than or equal to';
      report.add(path, invalidValue(path, value, `${path} in body should be ${words} ${minimum}`));
    }
  }
  if (maximum !== undefined) {
    const exclusive = schema['exclusiveMaximum'] === true;
    if (exclusive ? value >= maximum : value > maximum) {
      const words = exclusive ? 'less than' : 'less than or equal to';
      report.add(path, invalidValue(path, value, `${path} in body should be ${words} ${maximum}`));
    }
  }
}

function isMultiple(value: number, factor: number): boolean {
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Number of items, and uniqueItems. */
export function checkList(schema: JsonObject, items: readonly Json[], path: string, report: Report): void {
  const { minItems, maxItems } = schema;
  if (typeof minItems === 'number' && items.length < minItems) {
    report.add(path, invalidValue(path, items.length, `${path} in body should have at least ${minItems} items`));
  }
  if (typeof maxItems === 'number' && items.length > maxItems) {
    const noun = maxItems === 1 ? 'item' : 'items';
    report.add(path, {
      reason: 'FieldValueTooMany',
      message: `Too many: ${items.length}: must have at most ${maxItems} ${noun}`,
      field: path,
    });
  }
  if (
    schema['uniqueItems'] === true &&
    items.some((item, index) => items.findIndex((other) => equalJson(item, other)) < index)
  ) {
    report.add(path, invalidValue(path, '', `${path} in body shouldn't contain duplicates`));
  }
}
