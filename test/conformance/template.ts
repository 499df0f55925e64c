// References in rows: `{ns}` or `{a.metadata.uid}` stand for values that only a run knows.
import { isRecord } from './matchers.ts';

const reference = /\{([A-Za-z][\w.-]*)\}/g;

/**
 * Replaces the references in all strings of `value`, keys included. A string that is one reference becomes the value itself.
 *
 * @throws when a reference names nothing.
 */
export function fill(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return fillText(value, known);
  if (Array.isArray(value)) return value.map((item) => fill(item, known));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [String(fillText(key, known)), fill(member, known)]),
  );
}

function fillText(value: string, known: ReadonlyMap<string, unknown>): unknown {
  const whole = /^\{([A-Za-z][\w.-]*)\}$/.exec(value)?.[1];
  if (whole !== undefined) return look(whole, known);
  return value.replace(reference, (_, path: string) => String(look(path, known)));
}

function look(path: string, known: ReadonlyMap<string, unknown>): unknown {
  const [name = '', ...members] = path.split('.');
  let value = known.get(name);
  for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member];
  if (value === undefined) throw new Error(`the row refers to {${path}}, which is not known here`);
  return value;
}
