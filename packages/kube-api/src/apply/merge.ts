// Lays an applied configuration over the live object.
import type { Json } from '../json.ts';
import { equalJson, isList } from '../json.ts';
import { deducedSchema, fieldType } from '../schema/type-schema.ts';
import type { ListType, MapType, TypeSchema } from '../schema/type-schema.ts';
import { asMap, formOf, indexList, isEmptyValue } from './form.ts';

/**
 * `live` with the values of `config`. Objects and lists with keys are merged, everything else is replaced. What does not
 * change is shared with `live`; `live` itself comes back if nothing changes.
 */
export function merge(live: Json | undefined, config: Json | undefined, type: TypeSchema): Json | undefined {
  if (config === undefined || live === config) return live;
  if (live === undefined) return config;
  const form = formOf(type, config);
  if (form === 'map' && type.map !== undefined) {
    const [mine, other] = [asMap(live), asMap(config)];
    if (type.map.atomic || (isEmptyValue(mine) && isEmptyValue(other))) return replace(live, config);
    if (other === undefined) return live;
    return mine === undefined ? config : mergeMembers(mine, other, type.map);
  }
  if (form === 'list' && type.list !== undefined) {
    const [mine, other] = [isList(live) ? live : [], isList(config) ? config : []];
    if (type.list.relation === 'atomic' || mine.length + other.length === 0) return replace(live, config);
    if (other.length === 0) return live;
    return mine.length === 0 ? config : mergeItems(mine, other, type.list);
  }
  return replace(live, config);
}

function replace(live: Json, config: Json): Json {
  return equalJson(live, config) ? live : config;
}

type Members = { readonly [key: string]: Json | undefined };

function mergeMembers(live: Members, config: Members, map: MapType): Json {
  let out: Record<string, Json | undefined> | undefined;
  for (const key in config) {
    const mine = live[key];
    const merged = merge(mine, config[key], fieldType(map, key) ?? deducedSchema);
    if (merged === mine) continue;
    out ??= { ...live };
    out[key] = merged;
  }
  return out ?? live;
}

/**
 * Items of both, each once. Items of the configuration come in its order; those that only the live list has stay before the
 * next item that both have.
 */
function mergeItems(live: readonly Json[], config: readonly Json[], list: ListType): readonly Json[] {
  const left = indexList(list, live);
  const right = indexList(list, config);
  const shared = right.elements.filter((element) => left.first.has(element));
  const taken = new Set<string>();
  const out: Json[] = [];
  let awaited = 0;
  let i = 0;
  let j = 0;
  const takeConfigured = (element: string): void => {
    taken.add(element);
    // An item that the live list has several times is replaced, for there is no telling which of them is meant.
    const mine = left.repeated?.has(element) === true ? undefined : left.first.get(element);
    const merged = merge(mine, right.first.get(element), list.element);
    if (merged !== undefined) out.push(merged);
  };
  while (i < left.elements.length || j < right.elements.length) {
    const mine = left.elements[i];
    const other = right.elements[j];
    if (mine !== undefined && other !== undefined) {
      if (mine === other) {
        takeConfigured(mine);
        i++;
        j++;
        awaited++;
        continue;
      }
      const next = shared[awaited];
      if (right.first.has(mine) && next !== undefined && next !== mine) {
        i++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!right.first.has(mine)) {
        out.push(left.items[i] as Json);
        i++;
        continue;
      }
      if (taken.has(mine)) i++;
    }
    if (other !== undefined) {
      takeConfigured(other);
      j++;
      if (shared[awaited] === other) awaited++;
    }
  }
  const same = out.length === live.length && out.every((item, index) => item === live[index]);
  return same ? live : out;
}
