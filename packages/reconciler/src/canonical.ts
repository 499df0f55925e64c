// A stable text of JSON values, for comparing and for fingerprints.

interface Printed {
  readonly toJSON: () => unknown;
}

/** Keys sorted, fields that are undefined left out, `toJSON` honoured; equal texts mean equal values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (isPrinted(value)) return canonicalJson(value.toJSON());
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const field = (value as Fields)[name];
    if (field !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b) || isPrinted(a) || isPrinted(b)) return canonicalJson(a) === canonicalJson(b);
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqualJson(item ?? null, b[index] ?? null));
  return hasFieldsOf(a, b) && Object.keys(b).every((name) => b[name] === undefined || a[name] !== undefined);
}

/** Whether every field of `a` has its equal in `b`. */
function hasFieldsOf(a: Fields, b: Fields): boolean {
  for (const name of Object.keys(a)) {
    const value = a[name];
    if (value !== undefined && (b[name] === undefined || !isEqualJson(value, b[name]))) return false;
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;
const isContainer = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isPrinted = (value: object): value is Printed => 'toJSON' in value && typeof value.toJSON === 'function';
