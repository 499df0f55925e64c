// Order of resource versions. They are opaque to most clients, but increasing numbers within one kind.

/** True if `a` is newer than `b`. What is not a number is taken as newer, so that nothing is lost. */
export function isNewer(a: string, b: string): boolean {
  if (a === b) return false;
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return true;
  return a.length === b.length ? a > b : a.length > b.length;
}
