// All checks of one kind's catalog.
import type { VersionCatalog } from '../versions/catalog.ts';
import { Findings, type Finding } from './finding.ts';
import { checkLock, type NowAtKind } from './lock-checks.ts';
import type { LockedKind } from './lock.ts';
import { checkPaths } from './path-checks.ts';
import { checkRanges, knownVersions } from './range-checks.ts';

export interface LintInput {
  readonly kind: string;
  readonly catalog: VersionCatalog;
  /** What was released of this kind. */
  readonly locked?: LockedKind | undefined;
  /** What the lock is compared with. */
  readonly now?: Omit<NowAtKind, 'catalog' | 'support'> | undefined;
  /** Range of released versions that objects may still be at; absent: all. */
  readonly support?: string | undefined;
}

/** Every finding, errors first, oldest version first within a severity. */
export function lintCatalog({ kind, catalog, locked, now, support }: LintInput): readonly Finding[] {
  const found = new Findings(kind);
  const known = knownVersions(catalog.procedures, locked?.versions.map(({ version }) => version) ?? []);
  checkRanges(catalog.procedures, known, found);
  checkPaths(catalog, known, support, found);
  if (locked !== undefined && now !== undefined) checkLock(locked, { ...now, catalog, support }, found);
  const rank = { error: 0, warning: 1, info: 2 } as const;
  return found.list.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
}
