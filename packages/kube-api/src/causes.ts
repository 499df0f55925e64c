// The causes of a validation error, worded as the API server words them.
import type { Cause } from './errors.ts';
import type { Json } from './json.ts';

/** How a value is shown in a message: strings quoted, everything else as compact JSON. */
export function shown(value: Json | undefined): string {
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** A field that must be there and is not. */
export function required(field: string, detail = ''): Cause {
  return {
    reason: 'FieldValueRequired',
    message: detail === '' ? 'Required value' : `Required value: ${detail}`,
    field,
  };
}

/** A value that breaks a rule. */
export function invalidValue(field: string, value: Json | undefined, detail: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}: ${detail}`, field };
}

/** A value outside a closed list. */
export function notSupported(field: string, value: Json | undefined, allowed: readonly string[]): Cause {
  const list = allowed.map((one) => JSON.stringify(one)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${shown(value)}: supported values: ${list}`,
    field,
  };
}

/** Something that may not be done here. */
export function forbiddenField(field: string, detail: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field };
}

/** A value that appears twice where it may appear once. */
export function duplicate(field: string, value: Json): Cause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${shown(value)}`, field };
}

/** A text or set of bytes above its limit. */
export function tooLong(field: string, limit: number): Cause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${limit} bytes`, field };
}
