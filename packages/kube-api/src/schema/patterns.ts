// Regular expressions of schemas: written for Go, run here.

const compiled = new Map<string, RegExp | undefined>();
const FLAGS = /^\(\?([imsU]+)\)/;

/** The pattern as a RegExp, compiled once; undefined if it is not a regular expression. Patterns are not anchored. */
export function patternOf(pattern: string): RegExp | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  const matcher = compile(pattern, 'u') ?? compile(pattern, '');
  compiled.set(pattern, matcher);
  return matcher;
}

function compile(pattern: string, mode: string): RegExp | undefined {
  const flags = FLAGS.exec(pattern)?.[1] ?? '';
  const source = pattern
    .replace(FLAGS, '')
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$')
    .replaceAll('\\pL', '\\p{L}')
    .replaceAll('[[:alnum:]]', '[0-9A-Za-z]')
    .replaceAll('[[:alpha:]]', '[A-Za-z]')
    .replaceAll('[[:digit:]]', '[0-9]')
    .replaceAll('[[:space:]]', '\\s')
    .replaceAll('(?P<', '(?<');
  try {
    return new RegExp(source, mode + flags.replaceAll('U', ''));
  } catch {
    return undefined;
  }
}
