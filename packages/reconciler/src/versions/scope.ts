// Arithmetic of scopes: kinds and namespaces where owned objects may be.
import type { ScopeEntry } from './record.ts';

const keyOf = ({ group, kind }: ScopeEntry): string => `${group}/${kind}`;

/** All that any of the scopes covers, each kind once, sorted. No namespaces means everywhere, and stays so. */
export function uniteScopes(...scopes: readonly (readonly ScopeEntry[] | undefined)[]): readonly ScopeEntry[] {
  const united = new Map<string, ScopeEntry>();
  for (const entry of scopes.flatMap((scope) => scope ?? [])) {
    const known = united.get(keyOf(entry));
    const everywhere = entry.namespaces.length === 0 || known?.namespaces.length === 0;
    const namespaces = everywhere ? [] : [...new Set([...(known?.namespaces ?? []), ...entry.namespaces])].sort();
    united.set(keyOf(entry), { ...known, ...entry, namespaces });
  }
  return [...united.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Whether a scope already contains all of another. */
export function coversScope(scope: readonly ScopeEntry[], wanted: readonly ScopeEntry[]): boolean {
  return wanted.every((entry) =>
    scope.some(
      (known) =>
        keyOf(known) === keyOf(entry) &&
        (known.namespaces.length === 0 ||
          (entry.namespaces.length > 0 && entry.namespaces.every((name) => known.namespaces.includes(name)))),
    ),
  );
}
