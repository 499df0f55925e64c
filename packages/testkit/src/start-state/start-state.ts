// A state of a cluster as a file holds it: objects with their status, uids and managed fields, from which exploring begins.
import { canonicalJson } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';

/** The format that this code writes, and the only one that it reads. */
export const START_STATE_FORMAT = 1;

export interface StartState {
  /** Where it comes from, such as the name of its file. Plans and reports name it so. */
  readonly name: string;
  /** When it was so, RFC 3339: virtual time goes on from there. */
  readonly takenAt: string;
  /** The package whose operator left it, for people. */
  readonly package?: string;
  /** How it came to be, for people. */
  readonly says?: string;
  /** Secrets whose values are placeholders, as `namespace/name`: only the names of their values are compared. */
  readonly redacted?: readonly string[];
  /** The state of external systems, by key. */
  readonly externals?: Readonly<Record<string, object>>;
  readonly objects: readonly KubernetesObject[];
}

/** Every fault of a file with a state, each naming the file, the object, the field, what was found and what is allowed. */
export class StartStateError extends Error {
  override readonly name = 'StartStateError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

type Json = Readonly<Record<string, unknown>>;

/**
 * A state from the value of a YAML or JSON file.
 *
 * @param name what plans and reports call it
 * @throws {StartStateError} with every fault
 */
export function parseStartState(value: unknown, name: string): StartState {
  const document = isRecord(value) ? value : {};
  const { kind, formatVersion, takenAt, objects, redacted, externals } = document;
  const listed: readonly unknown[] = Array.isArray(objects) ? objects : [];
  const faults = [
    ...(kind === 'StartState' ? [] : [`kind: found ${shown(kind)}; allowed is StartState`]),
    ...(formatVersion === START_STATE_FORMAT ? [] : [`formatVersion: found ${shown(formatVersion)}; allowed is ${START_STATE_FORMAT}`]),
    ...(isTime(takenAt) ? [] : [`takenAt: found ${shown(takenAt)}; allowed is a time such as 2026-01-31T12:00:00Z`]),
    ...(listed.length > 0 ? [] : [`objects: found ${shown(objects)}; allowed is a list with one object at least`]),
    ...(redacted === undefined || isTexts(redacted) ? [] : [`redacted: found ${shown(redacted)}; allowed is a list of namespace/name of Secrets`]),
    ...(externals === undefined || isRecord(externals) ? [] : [`externals: found ${shown(externals)}; allowed are states by key`]),
    ...listed.flatMap(objectFaults),
    ...repeated(listed),
  ];
  if (faults.length > 0) throw new StartStateError(faults.map((fault) => `${name}: ${fault}`));
  return { ...(document as unknown as StartState), name };
}

/** The text of a file: JSON, with each object on a line of its own, so that a difference shows which object changed. */
export function formatStartState({ takenAt, package: of, says, redacted, externals, objects }: StartState): string {
  const head = { kind: 'StartState', formatVersion: START_STATE_FORMAT, takenAt, package: of, says, redacted, externals };
  const fields = Object.entries(head).flatMap(([field, value]) => (value === undefined ? [] : [`  "${field}": ${canonicalJson(value)},`]));
  return ['{', ...fields, '  "objects": [', objects.map((object) => `    ${canonicalJson(object)}`).join(',\n'), '  ]', '}', ''].join('\n');
}

/** `Kind namespace/name`, as messages name an object. */
export function titleOf({ kind, metadata: { namespace, name } }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function objectFaults(value: unknown, index: number): readonly string[] {
  const where = `objects[${index}]`;
  if (!isRecord(value)) return [`${where}: found ${shown(value)}; allowed is an object`];
  const { apiVersion, kind, metadata } = value;
  const { name, namespace, uid } = isRecord(metadata) ? metadata : ({} as Json);
  const text = (field: string, found: unknown, isOptional = false): readonly string[] =>
    (typeof found === 'string' && found !== '') || (isOptional && found === undefined)
      ? []
      : [`${where}${typeof kind === 'string' ? ` (${kind})` : ''}: ${field}: found ${shown(found)}; allowed is a text`];
  return [
    ...text('apiVersion', apiVersion),
    ...text('kind', kind),
    ...text('metadata.name', name),
    ...text('metadata.namespace', namespace, true),
    ...text('metadata.uid', uid, true),
  ];
}

/** Names and uids are there once. */
function repeated(values: readonly unknown[]): readonly string[] {
  const objects = values.filter((value, index) => objectFaults(value, index).length === 0) as readonly KubernetesObject[];
  const names = new Set<string>();
  const uids = new Map<string, string>();
  return objects.flatMap((object) => {
    const title = titleOf(object);
    const key = `${object.apiVersion} ${title}`;
    const { uid } = object.metadata as { readonly uid?: string };
    const other = uid === undefined ? undefined : uids.get(uid);
    const isKnown = names.has(key);
    names.add(key);
    if (uid !== undefined) uids.set(uid, title);
    if (isKnown) return [`${title}: found twice; allowed is once`];
    return other === undefined ? [] : [`${title}: metadata.uid: found ${shown(uid)}, which is that of ${other}; allowed is a uid of its own`];
  });
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
