// What differs between an object as it is and as it would be, field by field, without what the server keeps for itself.
// Of secrets it tells that a value changes, not the value.
import { Sensitive } from '@pawl/reconciler/kubernetes';

type Json = Readonly<Record<string, unknown>>;

/** One field. `before` or `after` is undefined where the field is absent. */
export interface FieldChange {
  /** Such as `spec.template.spec.containers[web].image`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const SERVER_METADATA = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);
const SERVER_FIELDS = new Set(['status', 'apiVersion', 'kind']);
/** Keys by which items of lists are told apart, the first that all items have. */
const ITEM_KEYS = ['name', 'containerPort', 'port', 'mountPath', 'key', 'type', 'ip'] as const;

/** The differences, in the order of the fields of `after`, those that are gone last. */
export function fieldChanges(before: Json | undefined, after: Json): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  compare(visible(before ?? {}), visible(after), '', changes);
  return changes;
}

function visible(object: Json): Json {
  const { metadata, ...rest } = object['kind'] === 'Secret' ? withoutSecrets(object) : object;
  const kept = Object.entries(isObject(metadata) ? metadata : {}).filter(([name]) => !SERVER_METADATA.has(name));
  const fields = Object.entries(rest).filter(([name]) => !SERVER_FIELDS.has(name));
  return { metadata: Object.fromEntries(kept), ...Object.fromEntries(fields) };
}

function withoutSecrets({ data, stringData, ...rest }: Json): Json {
  return { ...rest, data: fingerprints(data), stringData: fingerprints(stringData) };
}

/** A value in each place that is the same for equal values. */
function fingerprints(values: unknown): unknown {
  if (!isObject(values)) return undefined;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Sensitive(String(value)).fingerprint]));
}

function compare(before: unknown, after: unknown, path: string, changes: FieldChange[]): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(after), ...Object.keys(before)]))
      compare(before[name], after[name], joined(path, name), changes);
  } else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, changes);
  else if (!isEqual(before, after)) changes.push({ path, before, after });
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string, changes: FieldChange[]): void {
  const key = ITEM_KEYS.find((name) => [...before, ...after].every((item) => isObject(item) && item[name] !== undefined));
  if (key === undefined) {
    if (!isEqual(before, after)) changes.push({ path, before, after });
    return;
  }
  const byKey = (items: readonly unknown[]): ReadonlyMap<string, unknown> =>
    new Map(items.map((item) => [String((item as Json)[key]), item]));
  const [old, now] = [byKey(before), byKey(after)];
  for (const name of new Set([...now.keys(), ...old.keys()])) compare(old.get(name), now.get(name), `${path}[${name}]`, changes);
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A name with dots or slashes is put in brackets, so that the path reads one way only. */
function joined(path: string, name: string): string {
  if (/[./[\]]/.test(name)) return `${path}["${name}"]`;
  return path === '' ? name : `${path}.${name}`;
}
