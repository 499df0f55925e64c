// Compares an answer with what a row expects of it. Everything here is pure.

/** A requirement that is more than a literal value; plain data, so that rows stay data. */
export interface Matcher {
  readonly $: 'absent' | 'present' | 'text' | 'like' | 'newer' | 'other' | 'containing' | 'exactly' | 'size' | 'from';
  readonly value?: unknown;
}

/** The member must not be there. */
export const absent: Matcher = { $: 'absent' };
/** The member must be there; any value but null. */
export const present: Matcher = { $: 'present' };
/** A text that matches the regular expression, and is the same on every server but for its numbers. */
export const text = (pattern: string): Matcher => ({ $: 'text', value: pattern });
/** A text that matches the regular expression, and is otherwise a matter of chance or of the server. */
export const like = (pattern: string): Matcher => ({ $: 'like', value: pattern });
/** A time as the API writes it: UTC, whole seconds. */
export const time: Matcher = text('^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$');
/** A resourceVersion greater than `reference`, such as `{a.metadata.resourceVersion}`. */
export const newer = (reference: string): Matcher => ({ $: 'newer', value: reference });
/** Anything but this value. */
export const other = (value: unknown): Matcher => ({ $: 'other', value });
/** A list that has a match for each of the items, in any order. */
export const containing = (...items: readonly unknown[]): Matcher => ({ $: 'containing', value: items });
/** This value and nothing more. */
export const exactly = (value: unknown): Matcher => ({ $: 'exactly', value });
/** A list or an object of so many members. */
export const size = (count: number): Matcher => ({ $: 'size', value: count });
/** A number of at least `minimum`. */
export const from = (minimum: number): Matcher => ({ $: 'from', value: minimum });

/** Where `actual` is not as expected: one line each, beginning with the path; none if it is. */
export function mismatches(expected: unknown, actual: unknown, path: string): readonly string[] {
  if (isMatcher(expected)) {
    const wanted = unmet(expected, actual);
    return wanted === undefined ? [] : [`${path}: expected ${wanted}, found ${show(actual)}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return [`${path}: expected ${String(expected.length)} items ${show(expected)}, found ${show(actual)}`];
    }
    return expected.flatMap((item, i) => mismatches(item, actual[i], `${path}[${String(i)}]`));
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return [`${path}: expected an object ${show(expected)}, found ${show(actual)}`];
    return Object.entries(expected).flatMap(([key, value]) => mismatches(value, actual[key], `${path}.${key}`));
  }
  return Object.is(expected, actual) ? [] : [`${path}: expected ${show(expected)}, found ${show(actual)}`];
}

/** What is wanted, in words, if it is not met. */
function unmet(matcher: Matcher, actual: unknown): string | undefined {
  const { value } = matcher;
  switch (matcher.$) {
    case 'absent':
      return actual === undefined ? undefined : 'nothing';
    case 'present':
      return actual === undefined || actual === null ? 'some value' : undefined;
    case 'text':
    case 'like':
      return typeof actual === 'string' && new RegExp(String(value), 's').test(actual)
        ? undefined
        : `text like /${String(value)}/`;
    case 'newer':
      return isVersion(actual) && isVersion(value) && BigInt(actual) > BigInt(value)
        ? undefined
        : `a resourceVersion after ${String(value)}`;
    case 'other':
      return actual === undefined || equal(value, actual) ? `something other than ${show(value)}` : undefined;
    case 'exactly':
      return equal(value, actual) ? undefined : `exactly ${show(value)}`;
    case 'size':
      return count(actual) === value ? undefined : `${String(value)} members`;
    case 'from':
      return typeof actual === 'number' && actual >= Number(value) ? undefined : `a number from ${String(value)}`;
    case 'containing': {
      if (!Array.isArray(actual)) return `a list with ${show(value)}`;
      const missing = (value as readonly unknown[]).find(
        (item) => !actual.some((one) => mismatches(item, one, '').length === 0),
      );
      return missing === undefined ? undefined : `an item like ${show(missing)}`;
    }
  }
}

/** Deep equality of JSON values; the order of members does not matter. */
export function equal(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** JSON text with sorted members. */
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  ) as string | undefined;
}

export function isMatcher(value: unknown): value is Matcher {
  return isRecord(value) && typeof value['$'] === 'string';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value on one line, cut where it gets long. */
export function show(value: unknown): string {
  const line = value === undefined ? 'nothing' : JSON.stringify(value);
  return line.length > 400 ? `${line.slice(0, 400)}...` : line;
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value);
}

function count(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : undefined;
}
