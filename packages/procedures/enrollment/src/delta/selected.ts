// The members that a selected object stands for: itself, or what is listed in one of its fields. Pure.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { SelectorSource } from '../api.ts';
import type { Member } from './member.ts';

/** @throws Error if the field with the members is not there: what cannot be read is not taken for empty */
export function membersOf(object: KubernetesObject, { namespace, itemsIn }: SelectorSource): readonly Member[] {
  const { name, labels = {}, namespace: home } = object.metadata;
  if (itemsIn === undefined) {
    // Over all namespaces a name alone says nothing.
    const id = namespace === '*' && home !== undefined ? `${home}/${name}` : name;
    return [{ id, tags: labels, properties: object, object, origin: object }];
  }
  const list = fieldOf(object, itemsIn);
  const member = (id: string, properties: unknown): Member => ({ id, tags: labels, properties, object });
  if (Array.isArray(list))
    return list.map((item, index) => member(idOf(item, `${name}: ${itemsIn}[${index}]`), isFields(item) ? item : {}));
  if (isFields(list)) return Object.entries(list).map(([id, value]) => member(id, isFields(value) ? value : { value }));
  throw new Error(`${name}: ${itemsIn} is ${JSON.stringify(list) ?? 'not there'}; allowed is a list or a mapping`);
}

function idOf(item: unknown, path: string): string {
  const id = isFields(item) ? (item['id'] ?? item['name']) : item;
  if (typeof id !== 'string' || id === '')
    throw new Error(`${path}: found ${JSON.stringify(item)}; allowed is a text, or an object with an id or a name`);
  return id;
}

function fieldOf(object: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, part) => (isFields(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      object,
    );
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
