// A short, stable name for a JSON value, safe in object names and labels.
import type { Json } from '../../json.ts';
import { isList, isObject } from '../../json.ts';

/** Without vowels and look-alikes, so that no word can arise. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Ten letters that depend on the value, not on the order of keys. */
export function shortHash(value: Json | undefined): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (const character of canonical(value)) {
    const code = character.codePointAt(0) ?? 0;
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + 0x9e37), 0x85ebca6b);
  }
  return letters(low >>> 0) + letters(high >>> 0);
}

function letters(value: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < 5; i++) {
    text += LETTERS[rest % LETTERS.length];
    rest = Math.floor(rest / LETTERS.length);
  }
  return text;
}

function canonical(value: Json | undefined): string {
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`;
}
