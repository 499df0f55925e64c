// Collects what is wrong with an object of a built-in kind.
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { isList, isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { NameRule } from '../../server/names.ts';

/** The causes so far. Paths are those of the object, such as `spec.ports[0].name`. */
export class Faults {
  readonly causes: Cause[] = [];

  required(path: string, detail = ''): void {
    this.causes.push(required(path, detail));
  }

  invalid(path: string, value: Json | undefined, detail: string): void {
    this.causes.push(invalidValue(path, value, detail));
  }

  unsupported(path: string, value: Json | undefined, allowed: readonly string[]): void {
    this.causes.push(notSupported(path, value, allowed));
  }

  forbidden(path: string, detail: string): void {
    this.causes.push(forbiddenField(path, detail));
  }

  duplicate(path: string, value: Json): void {
    this.causes.push(duplicate(path, value));
  }

  notFound(path: string, value: string): void {
    this.causes.push({ reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(value)}`, field: path });
  }

  /** A name that must be there and follow `rule`. */
  name(path: string, value: string, rule: NameRule): void {
    if (value === '') this.required(path);
    else this.text(path, value, rule);
  }

  /** A text that must follow `rule`. */
  text(path: string, value: string, rule: NameRule): void {
    for (const fault of rule(value)) this.invalid(path, value, fault);
  }

  /** One of a closed list; an absent value is left alone. */
  oneOf(path: string, value: Json | undefined, allowed: readonly string[]): void {
    if (value !== undefined && !(typeof value === 'string' && allowed.includes(value)))
      this.unsupported(path, value, allowed);
  }

  /** A number that is not negative; an absent value is left alone. */
  notNegative(path: string, value: Json | undefined): void {
    if (typeof value === 'number' && value < 0) this.invalid(path, value, NOT_NEGATIVE);
  }

  /** All `keys` of `object` that are negative. */
  notNegatives(path: string, object: JsonObject, ...keys: readonly string[]): void {
    for (const key of keys) this.notNegative(`${path}.${key}`, object[key]);
  }

  /** A port number. */
  port(path: string, value: Json | undefined): void {
    const number = typeof value === 'number' ? value : 0;
    if (number < 1 || number > 65_535) this.invalid(path, number, PORT_RANGE);
  }
}

export const NOT_NEGATIVE = 'must be greater than or equal to 0';
export const PORT_RANGE = 'must be between 1 and 65535, inclusive';

/** The text of a field; empty if it is absent. */
export function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

/** The object in a field; empty if it is absent. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : NOTHING;
}

/** The items of a list in a field; none if it is absent. */
export function listAt(object: JsonObject, key: string): readonly Json[] {
  const value = object[key];
  return isList(value) ? value : [];
}

/** The objects of a list with their paths. */
export function entriesAt(object: JsonObject, key: string, path: string): readonly (readonly [JsonObject, string])[] {
  return listAt(object, key).map(
    (item, index) => [isObject(item) ? item : NOTHING, `${path}.${key}[${index}]`] as const,
  );
}

const NOTHING: JsonObject = Object.freeze({});
