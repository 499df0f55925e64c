// Versions and ranges: comparison that never throws, whatever text stands in a record or a request.
import semver from 'semver';

/** The version of a single procedure whose author says nothing about versions. */
export const UNVERSIONED = '0.0.0';
/** Stands for the version of owned objects that carry no stamp. It is below every version and in no range. */
export const UNKNOWN_VERSION = 'unknown';

/** More answers than three hundred versions need about each other; junk cannot make the memory of them grow for ever. */
const MOST_KEPT = 100_000;

/** Answers are kept, for the same few versions are looked at for thousands of objects. */
function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MOST_KEPT) known.clear();
    const answer = compute(text);
    known.set(text, answer);
    return answer;
  };
}

/** The same for two texts. */
function rememberingPairs<T>(compute: (a: string, b: string) => T): (a: string, b: string) => T {
  const known = new Map<string, Map<string, T>>();
  let size = 0;
  return (a, b) => {
    const found = known.get(a)?.get(b);
    if (found !== undefined) return found;
    if (size >= MOST_KEPT) {
      known.clear();
      size = 0;
    }
    const answer = compute(a, b);
    const answers = known.get(a) ?? new Map<string, T>();
    known.set(a, answers.set(b, answer));
    size += 1;
    return answer;
  };
}

const order = rememberingPairs((a, b) => {
  try {
    return semver.compare(a, b);
  } catch {
    return a < b ? -2 : 2;
  }
});

const satisfies = rememberingPairs((version, range) => {
  try {
    return semver.satisfies(version, range, { includePrerelease: true });
  } catch {
    return false;
  }
});

const isStrict = remembering((text) => {
  const parsed = semver.valid(text);
  return parsed !== null && parsed === text.split('+')[0];
});

const hasPrerelease = remembering((text) => (semver.prerelease(text) ?? []).length > 0);

/**
 * Orders by precedence: below, at or above zero. Build metadata does not count; `unknown` is below everything; text that
 * is no version equals only itself.
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  if (a === UNKNOWN_VERSION) return -1;
  if (b === UNKNOWN_VERSION) return 1;
  return order(a, b);
}

/** Whether both are the same version by precedence. */
export const isSame = (a: string, b: string): boolean => compareVersions(a, b) === 0;
/** Whether `a` is older than `b`. */
export const isOlder = (a: string, b: string): boolean => compareVersions(a, b) < 0;
/** Whether `a` is newer than `b`. */
export const isNewer = (a: string, b: string): boolean => compareVersions(a, b) > 0;

/** Whether a range admits a version. Prereleases count; `none`, no range and a bad range admit nothing. */
export function isInRange(version: string, range: string | undefined): boolean {
  if (typeof range !== 'string' || range === '' || range === 'none' || version === UNKNOWN_VERSION) return false;
  return satisfies(version, range);
}

/** Whether a value is a strict semantic version: no `v`, no two parts, no spaces; build metadata is allowed. */
export const isVersion = (value: unknown): boolean => typeof value === 'string' && isStrict(value);

/** Whether a version is a prerelease; false for text that is no version. */
export const isPrerelease = (version: string): boolean => hasPrerelease(version);

/** The newest of some versions; undefined if there is none. */
export function highest(versions: Iterable<string>): string | undefined {
  let found: string | undefined;
  for (const version of versions) if (found === undefined || isNewer(version, found)) found = version;
  return found;
}
