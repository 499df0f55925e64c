// Taking secrets out of objects that are to be written into a file: values become placeholders, the same value always the
// same one, and whatever else holds such a value gets the placeholder, too.
import { ANNOTATIONS, DOMAIN, type KubernetesObject } from '@pawl/reconciler/kubernetes';

export interface Redacted {
  readonly objects: readonly KubernetesObject[];
  /** Secrets, as `namespace/name`. */
  readonly secrets: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;
type SecretObject = KubernetesObject & { readonly data?: Readonly<Record<string, string>>; readonly stringData?: Readonly<Record<string, string>> };

export const isSecret = ({ apiVersion, kind }: KubernetesObject): boolean => apiVersion === 'v1' && kind === 'Secret';

/** `last-applied-configuration` repeats the object, values and all, and means nothing to an operator. */
export function withoutLastApplied(object: KubernetesObject): KubernetesObject {
  const { annotations } = object.metadata;
  if (annotations === undefined) return object;
  const kept = Object.entries(annotations).filter(([name]) => name !== 'kubectl.kubernetes.io/last-applied-configuration');
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(kept) } };
}

/** Placeholders are counted, not computed from values: a short value could be found again by trying. */
export function redact(objects: readonly KubernetesObject[]): Redacted {
  const secrets = objects.filter(isSecret) as readonly SecretObject[];
  const placeholders = new Map<string, string>();
  for (const value of secrets.flatMap(valuesOf)) {
    if (value !== '' && !placeholders.has(value)) placeholders.set(value, placeholder(placeholders.size + 1, value.length));
  }
  const replacements = replacementsOf(placeholders);
  return {
    objects: objects.map((object) => (isSecret(object) ? withPlaceholders(object, placeholders, replacements) : cleaned(object, replacements))),
    secrets: secrets.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`),
  };
}

/** As long as the next power of two: that tells a password from a certificate, and no more. */
function placeholder(number: number, length: number): string {
  const size = 2 ** Math.min(12, Math.max(4, Math.ceil(Math.log2(length))));
  return `redacted-${number}-`.padEnd(size, 'x');
}

function valuesOf({ data = {}, stringData = {} }: SecretObject): readonly string[] {
  return [...Object.values(data).map(decoded), ...Object.values(stringData)];
}

/** Bytes as one character each if they are no text: only equality matters. */
function decoded(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : bytes.toString('latin1');
}

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Each spelling of a value that another object may hold, the longest first, for one may be a part of another. */
function replacementsOf(placeholders: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const spellings = [...placeholders].flatMap(([value, instead]): readonly (readonly [string, string])[] => [
    [value, instead],
    [value.trim(), instead],
    [JSON.stringify(value).slice(1, -1), instead],
    [encoded(value), encoded(instead)],
    [encoded(value.trim()), encoded(instead)],
    [Buffer.from(value, 'latin1').toString('base64'), encoded(instead)],
  ]);
  return [...new Map(spellings.filter(([spelling]) => spelling !== '').toReversed()).entries()].toSorted(([a], [b]) => b.length - a.length);
}

type Replacements = readonly (readonly [string, string])[];

function withPlaceholders(object: SecretObject, placeholders: ReadonlyMap<string, string>, replacements: Replacements): KubernetesObject {
  const { data, stringData, ...rest } = object;
  const instead = (value: string): string => placeholders.get(value) ?? '';
  const { [ANNOTATIONS.applied]: _, ...annotations } = rest.metadata.annotations ?? {};
  const kept = cleaned({ ...rest, metadata: { ...rest.metadata, annotations } }, replacements);
  return {
    ...kept,
    ...(data === undefined ? {} : { data: mapped(data, (value) => encoded(instead(decoded(value)))) }),
    ...(stringData === undefined ? {} : { stringData: mapped(stringData, instead) }),
  } as KubernetesObject;
}

const mapped = (values: Readonly<Record<string, string>>, change: (value: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** Names, kinds and references are no secrets, and a state without them is none. */
const KEPT_METADATA: ReadonlySet<string> = new Set([
  'name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'ownerReferences', 'finalizers',
]);
const TELLS_A_SECRET = /token|passw|credential|secret|api-?key/i;
/** Anything shorter may be a part of other words: it is only taken out where it stands alone. */
const LEAST_PART = 6;

function cleaned(object: KubernetesObject, replacements: Replacements): KubernetesObject {
  const { apiVersion, kind, metadata, ...rest } = object as KubernetesObject & Json;
  const { annotations, ...others } = metadata as KubernetesObject['metadata'] & Json;
  const meta = Object.entries(others).map(([field, value]) => [field, KEPT_METADATA.has(field) ? value : field === 'managedFields' ? fieldNames(value, replacements) : replaced(value, replacements)] as const);
  const notes = Object.entries(annotations ?? {})
    .filter(([name]) => isOurs(name) || !TELLS_A_SECRET.test(name))
    .map(([name, value]) => [name, isOurs(name) ? value : replaced(value, replacements)] as const);
  return {
    apiVersion,
    kind,
    metadata: { ...Object.fromEntries(meta), ...(annotations === undefined ? {} : { annotations: Object.fromEntries(notes) }) },
    ...(replaced(rest, replacements) as Json),
  } as KubernetesObject;
}

/** The names of managed fields hold the items of sets. */
function fieldNames(value: unknown, replacements: Replacements): unknown {
  const long = replacements.filter(([spelling]) => spelling.length >= LEAST_PART);
  return JSON.parse(long.reduce((text, [spelling, instead]) => text.replaceAll(spelling, instead), JSON.stringify(value))) as unknown;
}

const isOurs = (annotation: string): boolean => annotation.startsWith(`procedures.${DOMAIN}/`);

function replaced(value: unknown, replacements: Replacements): unknown {
  if (typeof value === 'string') return replacedText(value, replacements);
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, replacements));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, replacements)]));
}

function replacedText(text: string, replacements: Replacements): string {
  for (const [value, instead] of replacements) if (text === value) return instead;
  return replacements.reduce((changed, [value, instead]) => (value.length >= LEAST_PART ? changed.replaceAll(value, instead) : changed), text);
}
