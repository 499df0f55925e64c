// Compares objects with those that a fresh install makes. Whatever differs from one install to the next is left out.

/** An object of the API as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Annotations and labels of the framework: they name versions and owners, not content. */
const FRAMEWORK = 'procedures.pawl.dev/';
/** Written by the Deployment controller: counts what happened before. */
const HISTORY = 'deployment.kubernetes.io/revision';
/** Given to each object anew by the server. */
const ASSIGNED = ['clusterIP', 'clusterIPs'];

/** One sentence for each object that is missing, left behind or different; empty if all are alike. */
export function differences(actual: readonly Json[], expected: readonly Json[]): readonly string[] {
  const found = new Map(actual.map((object) => [titleOf(object), normalised(object)]));
  const wanted = new Map(expected.map((object) => [titleOf(object), normalised(object)]));
  const missing = [...wanted.keys()].filter((title) => !found.has(title)).map((title) => `${title}: missing`);
  const leftovers = [...found.keys()].filter((title) => !wanted.has(title)).map((title) => `${title}: left behind`);
  const different = [...found].flatMap(([title, object]) => {
    const other = wanted.get(title);
    const path = other === undefined ? undefined : firstDifference(object, other, '');
    return path === undefined ? [] : [`${title}: ${path}`];
  });
  return [...missing, ...leftovers, ...different];
}

/** `ConfigMap default/hello`. */
export function titleOf(object: Json): string {
  const { kind, metadata } = object as {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
  const { name, namespace } = metadata;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** What of an object is the same in each install: no status, no identity, nothing that the server assigns. */
export function normalised(object: Json): Json {
  const { status: _status, ...rest } = object;
  const metadata = part(object, 'metadata');
  const spec = part(object, 'spec');
  return {
    ...rest,
    metadata: {
      name: metadata['name'],
      namespace: metadata['namespace'],
      labels: withoutOurs(part(metadata, 'labels')),
      annotations: withoutOurs(part(metadata, 'annotations')),
      finalizers: metadata['finalizers'] ?? [],
    },
    spec: Object.fromEntries(Object.entries(spec).filter(([field]) => !ASSIGNED.includes(field))),
  };
}

function withoutOurs(names: Json): Json {
  return Object.fromEntries(Object.entries(names).filter(([name]) => !name.startsWith(FRAMEWORK) && name !== HISTORY));
}

/** `spec.replicas is 2, expected 3`, for the first field that differs. */
function firstDifference(found: unknown, wanted: unknown, path: string): string | undefined {
  if (isRecord(found) && isRecord(wanted)) {
    for (const field of new Set([...Object.keys(found), ...Object.keys(wanted)])) {
      const inner = firstDifference(found[field], wanted[field], path === '' ? field : `${path}.${field}`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (Array.isArray(found) && Array.isArray(wanted) && found.length === wanted.length) {
    for (const [index, value] of found.entries()) {
      const inner = firstDifference(value, wanted[index], `${path}[${index}]`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  return Object.is(found, wanted) ? undefined : `${path} is ${shown(found)}, expected ${shown(wanted)}`;
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function part(object: Json, field: string): Json {
  const found = object[field];
  return isRecord(found) ? found : {};
}
