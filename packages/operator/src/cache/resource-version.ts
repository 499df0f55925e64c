// Comparing revisions. They are decimal numbers of any length; anything else can only be equal or unknown.

const DECIMAL = /^\d+$/;

/** Negative if `a` is older, positive if it is newer, 0 if equal; undefined if the two cannot be compared. */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether `a` is known to be older than `b`. */
export function isOlder(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 0) < 0;
}

/** Whether `a` is known to be as new as `b` or newer. */
export function hasReached(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? -1) >= 0;
}

/** The newer of two; `b` if they cannot be compared. */
export function newerOf(a: string | undefined, b: string): string {
  return a !== undefined && isOlder(b, a) ? a : b;
}
