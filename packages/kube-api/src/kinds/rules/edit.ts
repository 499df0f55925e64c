// Small edits of frozen objects, for defaults.
import { isList, isObject, type Json, type JsonObject, type KubeObject } from '../../json.ts';

/** `value` with the members of `defaults` that it lacks; the same value if it lacks none. */
export function withDefaults(value: JsonObject, defaults: JsonObject): JsonObject {
  for (const key in defaults) {
    if (value[key] === undefined && defaults[key] !== undefined) {
      const missing = Object.entries(defaults).filter(
        ([name, member]) => value[name] === undefined && member !== undefined,
      );
      return { ...value, ...Object.fromEntries(missing) };
    }
  }
  return value;
}

/** `value` with each object in the list `key` edited. */
export function editItems<T extends JsonObject>(value: T, key: string, edit: (item: JsonObject) => JsonObject): T {
  const list = value[key];
  if (!isList(list)) return value;
  let changed = false;
  const edited = list.map((item) => {
    if (!isObject(item)) return item;
    const next = edit(item);
    changed ||= next !== item;
    return next;
  });
  return changed ? { ...value, [key]: edited } : value;
}

/** `object` with a spec, empty if it has none, edited. */
export function editSpec(object: KubeObject, edit: (spec: JsonObject) => JsonObject): KubeObject {
  const spec = object['spec'];
  if (spec !== undefined && !isObject(spec)) return object;
  const edited = edit(spec ?? {});
  return edited === spec ? object : { ...object, spec: edited };
}

/** `object` with another status. */
export function withStatus(object: KubeObject, status: JsonObject): KubeObject {
  return { ...object, status };
}

/** A member that is an object, or an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
