// A limit that is a number of things or a share of them: `3` or `30%`.

export type Limit = { readonly count: number } | { readonly percent: number };

/** Undefined if it is neither a whole number from 0 nor a percentage up to 100. */
export function parseLimit(value: number | string): Limit | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? { count: value } : undefined;
  const [, digits, isPercent] = /^([0-9]{1,9})(%?)$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  if (isPercent === '') return { count: Number(digits) };
  return Number(digits) <= 100 ? { percent: Number(digits) } : undefined;
}

/** So many of `total` are allowed. A share is rounded down, but a share above 0 % allows at least one. */
export function allowedOf(limit: Limit, total: number): number {
  if ('count' in limit) return limit.count;
  return limit.percent === 0 ? 0 : Math.max(1, Math.floor((total * limit.percent) / 100));
}
