// What may be printed of a value. Kubernetes objects shrink to their names, secrets vanish, errors keep what explains them.
// Pure, and total: no value makes it throw, and its answer is small.
import { isSensitive } from './sensitive.ts';

const HIDDEN = '[hidden]';
/** Deeper, longer or more than this tells nobody anything. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;
const MAX_TEXT = 8_192;

/** Names of fields whose values are never printed, compared without case and punctuation. */
const SECRET_NAMES =
  /^(data|stringdata|binarydata|.*token|authorization|.*password|passwd|.*secret|.*credentials?|.*apikey|.*privatekey|cookie|setcookie|clientkeydata|.*lastappliedconfiguration)$/;
/** Secrets that stand in the middle of a text. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(\.[\w-]*)?/g, HIDDEN],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(-----END \1-----|$)/g, HIDDEN],
];

type Json = Readonly<Record<string, unknown>>;

/** A text without the secrets that can be told from their form, cut to 8192 characters. */
export function printableText(text: string): string {
  let clean = text;
  for (const [pattern, instead] of SECRET_TEXTS) clean = clean.replace(pattern, instead);
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}...` : clean;
}

/** The fields of a log line as they may be printed. */
export function printable(bindings: object): Json {
  const fields = shown(bindings, 0, new Set());
  return isRecord(fields) ? fields : { value: fields };
}

function shown(value: unknown, depth: number, above: ReadonlySet<object>): unknown {
  if (typeof value === 'string') return printableText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (isSensitive(value)) return value.toJSON();
  if (above.has(value)) return '[circular]';
  const inner = new Set(above).add(value);
  if (value instanceof Error) return errorOf(value, depth, inner);
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value) || value instanceof Set) return listOf([...(value as Iterable<unknown>)], depth, inner);
  if (value instanceof Map) return fieldsOf(Object.fromEntries(value) as Json, depth, inner);
  const fields = value as Json;
  return isKubernetesObject(fields) ? nameOf(fields) : fieldsOf(fields, depth, inner);
}

function listOf(items: readonly unknown[], depth: number, above: ReadonlySet<object>): readonly unknown[] {
  const first = items.slice(0, MAX_ITEMS).map((item) => shown(item, depth + 1, above));
  return items.length > MAX_ITEMS ? [...first, `[${items.length - MAX_ITEMS} more]`] : first;
}

function fieldsOf(fields: Json, depth: number, above: ReadonlySet<object>): Json {
  const entries = namesOf(fields).map((name): readonly [string, unknown] => {
    const value = valueOf(fields, name);
    const isHidden = SECRET_NAMES.test(name.replace(/[^a-z0-9]/gi, '').toLowerCase()) && !isPlain(value);
    return [name, isHidden ? HIDDEN : shown(value, depth + 1, above)];
  });
  return Object.fromEntries(entries);
}

/** Of a field with a suspicious name these are still harmless: a count, a flag, nothing, a fingerprint. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean' || isSensitive(value);
}

function namesOf(fields: Json): readonly string[] {
  const names = Object.keys(fields);
  return names.length > MAX_ITEMS ? names.slice(0, MAX_ITEMS) : names;
}

function valueOf(fields: Json, name: string): unknown {
  try {
    return fields[name];
  } catch {
    return '[unreadable]';
  }
}

/** Items of a list carry no kind, but metadata all the same. */
function isKubernetesObject({ metadata, kind, apiVersion, spec, status, data }: Json): boolean {
  if (!isRecord(metadata)) return false;
  if (typeof kind === 'string' || typeof apiVersion === 'string') return true;
  return typeof metadata['name'] === 'string' && (spec ?? status ?? data ?? metadata['uid']) !== undefined;
}

function nameOf({ apiVersion, kind, metadata }: Json): Json {
  const { namespace, name, resourceVersion } = metadata as Json;
  const parts = Object.entries({ apiVersion, kind, namespace, name, resourceVersion });
  return Object.fromEntries(parts.filter(([, value]) => typeof value === 'string'));
}

/** The fields of an error that explain it, and its causes. What else hangs on it, such as requests, is left out. */
function errorOf(error: Error, depth: number, above: ReadonlySet<object>): Json {
  const { name, message, stack, cause } = error;
  const { code, reason, failure, errors } = error as Error & Readonly<Record<string, unknown>>;
  const inner = (value: unknown): unknown => (depth >= MAX_DEPTH ? '[deep]' : shown(value, depth + 1, above));
  return {
    type: name,
    message: printableText(message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof failure === 'string' ? { failure } : {}),
    ...(cause === undefined ? {} : { cause: inner(cause) }),
    ...(Array.isArray(errors) ? { errors: inner(errors) } : {}),
    ...(stack === undefined ? {} : { stack: printableText(stack) }),
  };
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
