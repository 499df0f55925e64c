// Checks of a catalog against what was released: released content never changes, released names never change.
import type { VersionCatalog } from '../versions/catalog.ts';
import { compareVersions, isInRange, isSame } from '../versions/version.ts';
import type { Findings } from './finding.ts';
import { permissionsDigest, type LockedKind, type LockedVersion } from './lock.ts';

export interface NowAtKind {
  readonly catalog: VersionCatalog;
  readonly names: Readonly<Record<string, string>>;
  /** Kinds that any version owns, as `group/Kind`. */
  readonly owns: ReadonlySet<string>;
  /** Version to example to the hash of what it renders now. */
  readonly rendered: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly support: string | undefined;
}

export function checkLock(locked: LockedKind, now: NowAtKind, found: Findings): void {
  for (const [name, value] of Object.entries(locked.names))
    if (now.names[name] !== value)
      found.add(
        'error',
        'L042',
        undefined,
        `the name ${name} was "${value}" and is "${now.names[name] ?? 'gone'}": objects of released versions carry the old one; keep it`,
      );
  for (const old of locked.versions) {
    const isSupported = now.support === undefined || isInRange(old.version, now.support);
    const procedure = now.catalog.procedures.find(({ version }) => isSame(version, old.version));
    if (procedure === undefined) {
      if (isSupported)
        found.add(
          'warning',
          'L041',
          old.version,
          `${old.version} was released (${releases(old)}) and left the catalog; objects may be at it`,
        );
    } else {
      if (procedure.digest !== old.content)
        found.add(
          'error',
          'L040',
          old.version,
          `the content of ${old.version} has changed since it was released (${releases(old)}); make a new version of it`,
        );
      checkPermissions(old, procedure, locked, found);
      checkRendering(old, now, found);
    }
    const lost = isSupported ? old.owns.filter((kind) => !now.owns.has(kind)) : [];
    if (lost.length > 0)
      found.add(
        'error',
        'K050',
        old.version,
        `${old.version} owned ${lost.join(', ')}, which no version owns any more: what it left could not be found or deleted; keep a version that owns it`,
      );
  }
}

const releases = ({ firstRelease, lastRelease }: LockedVersion): string =>
  firstRelease === lastRelease ? `in ${firstRelease}` : `in ${firstRelease} to ${lastRelease}`;

/** Wider is a promise more; narrower breaks one, for objects carry what was permitted when they were written. */
function checkPermissions(
  old: LockedVersion,
  now: { readonly from: string; readonly fromPartial: string; readonly rollbackTo: string },
  { versions }: LockedKind,
  found: Findings,
): void {
  if (permissionsDigest(now) === old.permissions) return;
  for (const field of ['from', 'fromPartial', 'rollbackTo'] as const) {
    if (now[field] === old[field]) continue;
    const lost = versions
      .filter(
        ({ version }) =>
          compareVersions(version, old.version) < 0 &&
          isInRange(version, old[field]) &&
          !isInRange(version, now[field]),
      )
      .map(({ version }) => version);
    if (lost.length > 0)
      found.add(
        'error',
        'L043',
        old.version,
        `${field} of ${old.version} no longer admits ${lost.join(', ')}: it was "${old[field]}" and is "${now[field]}"; widen it again`,
      );
    else
      found.add('info', 'L043', old.version, `${field} of ${old.version} was "${old[field]}" and is "${now[field]}"`);
  }
}

/** A shared action can change the past: the graph is the same, what it makes is not. */
function checkRendering({ version, rendered: before }: LockedVersion, { rendered }: NowAtKind, found: Findings): void {
  const after = rendered.get(version) ?? {};
  const changed = Object.keys(before).filter(
    (example) => after[example] !== undefined && after[example] !== before[example],
  );
  if (changed.length > 0)
    found.add(
      'error',
      'L044',
      version,
      `released ${version} renders other objects for ${changed.join(', ')} than it did; give the old and the new way two actions`,
    );
}
