// Templates of people who may write Enrollments, so nobody's code: Liquid without files, time or chance, and with limits.
import { Liquid, type Template } from 'liquidjs';

/** What a template can name. */
export type Scope = Readonly<Record<string, unknown>>;

/** Renders a value with text templates at its leaves. @throws Error naming a key that is missing */
export type Compiled<T = unknown> = (scope: Scope) => T;

/** Pure ones: the same member gives the same entry in every cycle, or each cycle would find a difference. */
const FILTERS: ReadonlySet<string> = new Set(
  `abs append at_least at_most base64_decode base64_encode capitalize ceil compact concat default divided_by downcase
  escape first floor join json last lstrip map minus modulo plus prepend remove remove_first remove_last replace
  replace_first replace_last reverse round rstrip sha256 size slice slugify sort split squish strip sum times
  to_integer truncate uniq upcase url_decode url_encode where`.split(/\s+/),
);
/** No loops: a template takes no longer than it is long. */
const TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'raw', 'comment']);
const LIMITS = { parseLimit: 100_000, memoryLimit: 1_000_000, templateLimit: 10_000 } as const;

const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    lenientIf: true,
    // A template that is one expression keeps its type: `{{ properties.port }}` stays a number.
    keepOutputType: true,
    // In memory, and empty: no template reads a file.
    templates: {},
    parseLimit: LIMITS.parseLimit,
    memoryLimit: LIMITS.memoryLimit,
  });
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) delete liquid.filters[name];
  for (const name of Object.keys(liquid.tags)) if (!TAGS.has(name)) delete liquid.tags[name];
  return liquid;
}

/** A template, or a fault in it. */
export type Parsed<T> = { readonly compiled: Compiled<T> } | { readonly fault: string };

/** One text, such as `{{ id | downcase }}`. The result has the type of the expression if there is nothing beside it. */
export function compileText(text: string): Parsed<unknown> {
  if (!text.includes('{{') && !text.includes('{%')) return { compiled: () => text };
  try {
    const template = engine.parse(text);
    return { compiled: (scope) => renderOne(template, scope) };
  } catch (error) {
    return { fault: plain(error) };
  }
}

/** Any JSON value; each text in it is a template, names of fields are not. */
export function compileValue(value: unknown, path: string): Parsed<unknown> {
  if (typeof value === 'string') {
    const parsed = compileText(value);
    if ('fault' in parsed) return { fault: `${path}: ${parsed.fault}` };
    return { compiled: (scope) => at(path, () => parsed.compiled(scope)) };
  }
  if (typeof value !== 'object' || value === null) return { compiled: () => value };
  const parts = Object.entries(value).map(
    ([name, part]) =>
      [name, compileValue(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`)] as const,
  );
  const faults = parts.flatMap(([, parsed]) => ('fault' in parsed ? [parsed.fault] : []));
  if (faults.length > 0) return { fault: faults.join('; ') };
  const compiled = parts.flatMap(([name, parsed]) => ('compiled' in parsed ? [[name, parsed.compiled] as const] : []));
  if (Array.isArray(value)) return { compiled: (scope) => compiled.map(([, render]) => render(scope)) };
  return { compiled: (scope) => Object.fromEntries(compiled.map(([name, render]) => [name, render(scope)])) };
}

function renderOne(template: Template[], scope: Scope): unknown {
  try {
    return engine.renderSync(template, scope, { templateLimit: LIMITS.templateLimit, memoryLimit: LIMITS.memoryLimit });
  } catch (error) {
    throw new RenderError(plain(error));
  }
}

/** A template that could not be rendered for one member. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}

function at<T>(path: string, render: () => T): T {
  try {
    return render();
  } catch (error) {
    throw new RenderError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The first line of the library's message, without the place in the text: that is one line long mostly. */
function plain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replace(/, line:\d+, col:\d+$/, '');
}
