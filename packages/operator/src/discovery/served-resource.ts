// Reading discovery documents. Pure functions over JSON that may hold anything.
import type { ResourcePath } from '../client/paths.ts';

/** One kind as the server serves it. */
export interface ServedResource extends ResourcePath {
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Such as `status` and `scale`. */
  readonly subresources: readonly string[];
}

/** The kinds of an `APIResourceList`. */
export function parseResources(apiVersion: string, body: unknown): ReadonlyMap<string, ServedResource> {
  const entries = itemsOf(body, 'resources');
  const names = entries.map(({ name }) => String(name));
  return new Map(
    entries.flatMap(({ name, kind, namespaced, verbs }) => {
      if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) return [];
      const prefix = `${name}/`;
      const resource: ServedResource = Object.freeze({
        apiVersion,
        kind,
        plural: name,
        namespaced: namespaced === true,
        verbs: Array.isArray(verbs) ? verbs.map(String) : [],
        subresources: names.filter((other) => other.startsWith(prefix)).map((other) => other.slice(prefix.length)),
      });
      return [[kind, resource] as const];
    }),
  );
}

/** The versions of an `APIGroup` (as `v1`), or of the core group's `APIVersions`. */
export function parseVersions(body: unknown): readonly string[] {
  if (isRecord(body) && body['kind'] === 'APIVersions' && Array.isArray(body['versions']))
    return body['versions'].map(String);
  const preferred = isRecord(body) && isRecord(body['preferredVersion']) ? body['preferredVersion']['version'] : '';
  const versions = itemsOf(body, 'versions').flatMap(({ version }) => (typeof version === 'string' ? [version] : []));
  return versions.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
}

type Item = Readonly<Record<string, unknown>>;

function itemsOf(body: unknown, field: string): readonly Item[] {
  const items = isRecord(body) ? body[field] : undefined;
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
