// The table columns of a custom resource, from `additionalPrinterColumns`.
import { type Json, type JsonObject, textOf } from '../json.ts';
import { ageColumn, nameColumn, since } from '../kinds/columns/cells.ts';
import type { Column } from '../kinds/resource-type.ts';
import { compileJsonPath } from './json-path.ts';

/** Name and the given columns; without any, Name and Age. */
export function printerColumns(given: readonly JsonObject[]): readonly Column[] {
  return [nameColumn, ...(given.length === 0 ? [ageColumn] : given.map(toColumn))];
}

function toColumn({ name, type, format, description, priority, jsonPath }: JsonObject): Column {
  const read = compileJsonPath(textOf(jsonPath));
  const kind = columnType(textOf(type));
  return {
    name: textOf(name),
    type: kind,
    priority: typeof priority === 'number' ? priority : 0,
    ...(textOf(format) === '' ? {} : { format: textOf(format) }),
    ...(textOf(description) === '' ? {} : { description: textOf(description) }),
    cell: (object, now) => {
      const values = read?.(object) ?? [];
      return values.length === 0 ? null : cellOf(kind, values, now);
    },
  };
}

function cellOf(type: Column['type'], values: readonly Json[], now: number): Json {
  const [first = null] = values;
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return typeof first === 'string' ? since(first, now) : null;
    case 'string':
      return values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(',');
  }
}

function columnType(text: string): Column['type'] {
  return text === 'integer' || text === 'number' || text === 'boolean' || text === 'date' ? text : 'string';
}
