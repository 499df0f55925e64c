// Durations as people write them in Kubernetes: `500ms`, `5s`, `1m30s`, `2h`.

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** For the schema of a duration field. */
export const DURATION_PATTERN = '^([0-9]+(ms|s|m|h))+$';

/** Milliseconds, or undefined if the text is no duration. */
export function parseDuration(text: string): number | undefined {
  if (!new RegExp(DURATION_PATTERN).test(text)) return undefined;
  return [...text.matchAll(/([0-9]+)(ms|s|m|h)/g)].reduce(
    (total, [, count, unit]) => total + Number(count) * (UNITS[unit ?? ''] ?? 0),
    0,
  );
}
