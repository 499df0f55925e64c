// Finds members that appear twice in JSON text, which parsing silently loses.

/** The paths of repeated members, such as `spec.replicas`. The text must be valid JSON. */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const scopes: { readonly path: string; readonly keys: Set<string> | undefined; index: number; key: string }[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const scope = scopes.at(-1);
    if (character === '"') {
      const end = endOfString(text, at);
      if (scope?.keys !== undefined && isKey(text, end)) {
        scope.key = JSON.parse(text.slice(at, end)) as string;
        if (scope.keys.has(scope.key)) found.push(join(scope.path, scope.key));
        scope.keys.add(scope.key);
      }
      at = end;
      continue;
    }
    if (character === '{' || character === '[') {
      const path =
        scope === undefined
          ? ''
          : scope.keys === undefined
            ? `${scope.path}[${scope.index}]`
            : join(scope.path, scope.key);
      scopes.push({ path, keys: character === '{' ? new Set() : undefined, index: 0, key: '' });
    } else if (character === '}' || character === ']') scopes.pop();
    else if (character === ',' && scope !== undefined) scope.index++;
    at++;
  }
  return found;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The position after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isKey(text: string, after: number): boolean {
  let at = after;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ':';
}
