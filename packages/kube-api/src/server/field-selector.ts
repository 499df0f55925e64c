// Field selectors: `path=value`, `path==value`, `path!=value`, joined by commas.
import { badRequest } from '../errors.ts';
import { at, type Json, type KubeObject } from '../json.ts';
import type { Selector } from './label-selector.ts';

/** Reads the text of a selectable field; undefined if this resource does not offer the field. */
export type FieldReader = (label: string) => ((object: KubeObject) => string) | undefined;

interface Term {
  readonly read: (object: KubeObject) => string;
  readonly value: string;
  readonly negated: boolean;
}

/** A parsed field selector; `name` and `namespace` are set if it demands exactly one. */
export interface FieldSelector extends Selector<KubeObject> {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/**
 * Parses a field selector against the fields that a resource offers; undefined if it selects everything.
 *
 * @throws StatusError 400 for bad syntax and for fields that are not offered.
 */
export function parseFieldSelector(text: string, fields: FieldReader): FieldSelector | undefined {
  const terms: Term[] = [];
  let name: string | undefined;
  let namespace: string | undefined;
  for (const part of split(text)) {
    if (part === '') continue;
    const match = /^(.*?)(==|=|!=)(.*)$/s.exec(part);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    const [, label = '', operator = '', raw = ''] = match;
    const value = unescape(raw, text);
    const read = fields(label);
    if (read === undefined) throw badRequest(`field label not supported: ${label}`);
    const negated = operator === '!=';
    if (!negated && label === 'metadata.name') name = value;
    if (!negated && label === 'metadata.namespace') namespace = value;
    terms.push({ read, value, negated });
  }
  if (terms.length === 0) return undefined;
  const matches = (object: KubeObject) => terms.every((term) => (term.read(object) === term.value) !== term.negated);
  return { matches, name, namespace };
}

/** The fields that every resource offers, and those at the given paths: `spec.nodeName`, or with a default `spec.x=no`. */
export function fieldReader(paths: readonly string[]): FieldReader {
  const readers = new Map<string, (object: KubeObject) => string>([
    ['metadata.name', (object) => object.metadata.name ?? ''],
    ['metadata.namespace', (object) => object.metadata.namespace ?? ''],
  ]);
  for (const declared of paths) {
    const [path = '', absent = ''] = declared.split('=');
    const keys = path.split('.');
    readers.set(path, (object) => text(at(object, ...keys)) || absent);
  }
  return (label) => readers.get(label);
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// A backslash takes the next character as it is.
function split(text: string): readonly string[] {
  return text.match(/(?:\\.|[^,\\])+/gs) ?? [];
}

function unescape(value: string, selector: string): string {
  return value.replace(/\\(.?)/gs, (_, escaped: string) => {
    if (escaped === ',' || escaped === '=' || escaped === '\\') return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence in '${selector}'`);
  });
}
