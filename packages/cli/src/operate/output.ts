// Output that all operating verbs share: tables for people, JSON for machines.

/** Columns as wide as their widest cell; no trailing spaces. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = header.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)));
  return [header, ...rows].map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ').trimEnd());
}

/** JSON with maps as objects, two spaces deep, ending in a line break. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, (_key, part: unknown) => (part instanceof Map ? Object.fromEntries(part) : part), 2)}\n`;
}
