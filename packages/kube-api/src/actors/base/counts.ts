// Numbers that may be given as a share.

/** `25%` of `total`, or the number itself; shares are rounded up for a surge and down for what may be missing. */
export function resolveShare(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const percent = Number.parseInt(value ?? '0', 10);
  if (Number.isNaN(percent)) return 0;
  if (!value?.endsWith('%')) return percent;
  return round === 'up' ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}

/** The smallest of the delays that are given; undefined if none is. */
export function earliest(...delaysMs: readonly (number | undefined)[]): number | undefined {
  const given = delaysMs.filter((ms) => ms !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}
