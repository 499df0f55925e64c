// Building blocks of table columns.
import { at, isObject, type Json, type JsonObject, type KubeObject, objectsOf, textsOf } from '../../json.ts';
import type { Column } from '../resource-type.ts';

type Cell = (object: KubeObject, now: number) => Json;

/** A column that is always shown; `wide` ones only with `-o wide`. */
export function column(name: string, type: Column['type'], cell: Cell): Column {
  return { name, type, priority: 0, cell };
}

export function wide(name: string, type: Column['type'], cell: Cell): Column {
  return { name, type, priority: 1, cell };
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

export const ageColumn: Column = column('Age', 'string', (object, now) =>
  since(object.metadata.creationTimestamp, now),
);

export const createdAtColumn: Column = column(
  'Created At',
  'date',
  (object) => object.metadata.creationTimestamp ?? null,
);

/** Text of a member; `absent` if it is not there. */
export function text(value: Json | undefined, absent = '<none>'): string {
  if (value === undefined || value === null || value === '') return absent;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** `a=b,c=d` of a map of texts. */
export function pairs(value: Json | undefined): string {
  if (!isObject(value)) return '<none>';
  const entries = Object.keys(value).sort();
  return entries.length === 0 ? '<none>' : entries.map((key) => `${key}=${text(value[key], '')}`).join(',');
}

/** A label selector object in its query form. */
export function selectorText(value: Json | undefined): string {
  if (!isObject(value)) return '<none>';
  const labels = isObject(value['matchLabels']) ? value['matchLabels'] : {};
  const parts = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${text(labels[key], '')}`);
  for (const { key, operator, values } of objectsOf(value['matchExpressions'])) {
    const list = textsOf(values).join(',');
    if (operator === 'Exists') parts.push(text(key, ''));
    else if (operator === 'DoesNotExist') parts.push(`!${text(key, '')}`);
    else parts.push(`${text(key, '')} ${operator === 'In' ? 'in' : 'notin'} (${list})`);
  }
  return parts.length === 0 ? '<none>' : parts.join(',');
}

/** Names and images of the containers of a pod template at `path`. */
export function containerColumns(...path: readonly string[]): readonly Column[] {
  const containers = (object: KubeObject): readonly JsonObject[] => objectsOf(at(object, ...path, 'containers'));
  return [
    wide('Containers', 'string', (object) =>
      containers(object)
        .map((one) => text(one['name'], ''))
        .join(','),
    ),
    wide('Images', 'string', (object) =>
      containers(object)
        .map((one) => text(one['image'], ''))
        .join(','),
    ),
  ];
}

/** The age of a timestamp as `kubectl get` shows it: `5s`, `3m10s`, `2d4h`. */
export function since(timestamp: Json | undefined, now: number): string {
  if (typeof timestamp !== 'string') return '<unknown>';
  const start = Date.parse(timestamp);
  return Number.isNaN(start) ? '<invalid>' : humanDuration(now - start);
}

/** A duration in two units at most, coarser the longer it is. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1_000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return twoUnits(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return hours < 24 * 365 * 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
