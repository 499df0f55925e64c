// Makes answers of different runs comparable: what no two runs share becomes a symbol.
import { isRecord } from './matchers.ts';

/** Beyond these sizes a transcript says only how much there was. */
const maxItems = 24;
const maxMembers = 48;
const maxText = 2_000;

/** Turns answers of one row into normal form; symbols are numbered by first use within the row. */
export class Normaliser {
  readonly #symbols = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #namespace: string;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** The same JSON with sorted members and symbols for uids, resource versions, times, continue tokens and the row's namespace. */
  normal(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return this.#text(value, key);
    if (Array.isArray(value)) {
      return value.length > maxItems ? `<${String(value.length)} items>` : value.map((item) => this.normal(item, key));
    }
    if (!isRecord(value)) return value;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    if (members.length > maxMembers) return `<${String(members.length)} members>`;
    return Object.fromEntries(members.map(([name, member]) => [this.#text(name, ''), this.normal(member, name)]));
  }

  #text(value: string, key: string): string {
    if (value.length > maxText) return `<${String(value.length)} characters>`;
    if (/^(resourceVersion|uid|continue)$/.test(key) && value !== '' && value !== '0') return this.#symbol(key, value);
    return value
      .replaceAll(this.#namespace, '{ns}')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (uid) => this.#symbol('uid', uid))
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>');
  }

  #symbol(kind: string, value: string): string {
    const id = `${kind} ${value}`;
    const known = this.#symbols.get(id);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const symbol = `<${kind} ${String(count)}>`;
    this.#symbols.set(id, symbol);
    return symbol;
  }
}
