// Members that a body had twice as text: the HTTP side, which alone sees the text, notes them here for who decodes the value.
const noted = new WeakMap<object, readonly string[]>();

/** Notes the paths of repeated members of a body. */
export function noteRepeated(body: object, paths: readonly string[]): void {
  noted.set(body, paths);
}

/** What was noted about a body; nothing about one that never was text. */
export function repeatedIn(body: unknown): readonly string[] {
  return typeof body === 'object' && body !== null ? (noted.get(body) ?? []) : [];
}
