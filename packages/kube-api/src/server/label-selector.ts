// Label selectors: parsing of the query form and matching.
import { badRequest } from '../errors.ts';
import { isLabelKey, isLabelValue } from './names.ts';

/** A parsed selector. */
export interface Selector<Subject> {
  readonly matches: (subject: Subject) => boolean;
}

type Labels = { readonly [key: string]: string } | undefined;
type Requirement = (labels: NonNullable<Labels>) => boolean;

const NO_LABELS: NonNullable<Labels> = {};
const TOKEN = /\s*(?:(==|=|!=|!|\(|\)|,|<|>)|([^\s=!(),<>]+))/y;

/**
 * Parses `a=b,c!=d,e in (f,g),h notin (i),j,!k`; undefined for a selector that selects everything.
 *
 * @throws StatusError 400 if it cannot be parsed.
 */
export function parseLabelSelector(text: string): Selector<Labels> | undefined {
  const requirements = new LabelParser(text).parse();
  if (requirements.length === 0) return undefined;
  return { matches: (labels) => requirements.every((requirement) => requirement(labels ?? NO_LABELS)) };
}

class LabelParser {
  readonly #tokens: string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokens(text, (why) => this.#fail(why));
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    while (this.#at < this.#tokens.length) {
      requirements.push(this.#requirement());
      if (this.#at === this.#tokens.length) break;
      if (this.#next() !== ',') this.#fail(`found '${this.#tokens[this.#at - 1]}', expected: ',' or 'end of string'`);
      if (this.#at === this.#tokens.length) this.#fail("found '', expected: identifier after ','");
    }
    return requirements;
  }

  #requirement(): Requirement {
    if (this.#tokens[this.#at] === '!') {
      this.#at++;
      const absent = this.#key();
      return (labels) => labels[absent] === undefined;
    }
    const key = this.#key();
    const operator = this.#tokens[this.#at];
    if (operator === undefined || operator === ',') return (labels) => labels[key] !== undefined;
    this.#at++;
    if (operator === '=' || operator === '==') {
      const value = this.#value();
      return (labels) => labels[key] === value;
    }
    if (operator === '!=') {
      const value = this.#value();
      return (labels) => labels[key] !== value;
    }
    if (operator === 'in' || operator === 'notin') {
      const values = this.#values();
      if (operator === 'in') return (labels) => labels[key] !== undefined && values.has(labels[key]);
      return (labels) => labels[key] === undefined || !values.has(labels[key]);
    }
    if (operator === '<' || operator === '>') {
      const bound = this.#value();
      if (!/^-?\d+$/.test(bound)) this.#fail(`for 'Gt', 'Lt' operators, the value must be an integer`);
      const sign = operator === '<' ? 1 : -1;
      return (labels) => labels[key] !== undefined && (Number(bound) - Number(labels[key])) * sign > 0;
    }
    return this.#fail(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  #key(): string {
    const key = this.#next();
    if (key === undefined || !isLabelKey(key))
      this.#fail(`found '${key ?? ''}', expected: !, identifier, or 'end of string'`);
    return key;
  }

  #value(): string {
    const value = this.#tokens[this.#at];
    if (value === undefined || value === ',') return '';
    this.#at++;
    if (!isLabelValue(value)) this.#fail(`values: Invalid value: "${value}"`);
    return value;
  }

  #values(): ReadonlySet<string> {
    if (this.#next() !== '(') this.#fail(`found '${this.#tokens[this.#at - 1] ?? ''}' expected: '('`);
    const values = new Set<string>();
    for (;;) {
      const token = this.#next();
      if (token === undefined) this.#fail("found '', expected: ',', or identifier");
      if (token === ')' || token === ',') values.add('');
      else if (isLabelValue(token)) values.add(token);
      else this.#fail(`values: Invalid value: "${token}"`);
      if (token === ')') return values;
      if (token === ',') continue;
      const after = this.#next();
      if (after === ')') return values;
      if (after !== ',') this.#fail(`found '${after ?? ''}', expected: ',' or ')'`);
    }
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++];
  }

  #fail(why: string): never {
    throw badRequest(`unable to parse requirement: ${why}`);
  }
}

function tokens(text: string, fail: (why: string) => never): string[] {
  const found: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) fail(`found '${text.slice(from)}'`);
    found.push(match[1] ?? match[2] ?? '');
  }
  return found;
}
