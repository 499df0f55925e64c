// `procedures.lock`: what was released, as a committed file that only grows. It is the memory of a project about its past.
import { canonicalJson } from '../canonical.ts';
import type { NormalizedProcedure } from '../versions/catalog.ts';
import { shortHash } from '../versions/digest.ts';
import { compareVersions, isSame } from '../versions/version.ts';

/** The permissions of a released version, which are not part of its content. */
export interface LockedPermissions {
  readonly from: string;
  readonly fromPartial: string;
  readonly rollbackTo: string;
}

/** One released version of one kind. */
export interface LockedVersion extends LockedPermissions {
  readonly version: string;
  readonly content: string;
  readonly permissions: string;
  /** Releases of the operator that carried it, for messages to people. */
  readonly firstRelease: string;
  readonly lastRelease: string;
  /** Kinds that it owns, as `group/Kind`. */
  readonly owns: readonly string[];
  /** Example to the hash of the objects that it renders. */
  readonly rendered: Readonly<Record<string, string>>;
}

export interface LockedKind {
  readonly kind: string;
  /** Names that old objects carry for ever. */
  readonly names: Readonly<Record<string, string>>;
  /** Oldest first. */
  readonly versions: readonly LockedVersion[];
}

export interface ProceduresLock {
  readonly lockVersion: 1;
  readonly package: string;
  readonly kinds: readonly LockedKind[];
}

/** Fingerprint of what a version permits. */
export function permissionsDigest({ from, fromPartial, rollbackTo }: LockedPermissions): string {
  return shortHash(canonicalJson({ from, fromPartial, rollbackTo }));
}

/** The row of a version that is released now. */
export function lockedVersion(
  procedure: NormalizedProcedure,
  parts: Pick<LockedVersion, 'firstRelease' | 'lastRelease' | 'owns' | 'rendered'>,
): LockedVersion {
  const { version, digest, from, fromPartial, rollbackTo } = procedure;
  const permissions = permissionsDigest(procedure);
  return { version, content: digest, permissions, from, fromPartial, rollbackTo, ...parts };
}

/** The rows of a kind after a release: known ones keep their first release, none is removed. */
export function mergedVersions(
  known: readonly LockedVersion[],
  released: readonly LockedVersion[],
): readonly LockedVersion[] {
  const kept = known.filter((old) => !released.some(({ version }) => isSame(version, old.version)));
  const renewed = released.map((now) => {
    const old = known.find(({ version }) => isSame(version, now.version));
    return old === undefined ? now : { ...now, firstRelease: old.firstRelease };
  });
  return [...kept, ...renewed].toSorted((a, b) => compareVersions(a.version, b.version));
}

/** The text of a lock: stable, so that a diff shows what a release added. */
export function formatLock(lock: ProceduresLock): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/**
 * Reads a lock.
 * @throws {Error} naming the place that cannot be read
 */
export function parseLock(text: string): ProceduresLock {
  const value = JSON.parse(text) as Partial<ProceduresLock> | null;
  if (value?.lockVersion !== 1)
    throw new Error(`lockVersion: found ${JSON.stringify(value?.lockVersion) ?? 'nothing'}; allowed is 1`);
  if (typeof value.package !== 'string') throw new Error('package: found no name');
  if (!Array.isArray(value.kinds)) throw new Error('kinds: found no list');
  for (const [index, kind] of (value.kinds as readonly Partial<LockedKind>[]).entries())
    if (typeof kind.kind !== 'string' || !Array.isArray(kind.versions))
      throw new Error(`kinds[${index}]: found no kind or no versions`);
  return value as ProceduresLock;
}
