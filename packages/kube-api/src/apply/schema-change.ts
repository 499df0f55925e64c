// Owners of a part that has meanwhile become atomic own the whole of it.
import type { TypeSchema } from '../schema/type-schema.ts';
import { EMPTY, isEmptySet, isMember } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { withSet } from './managers.ts';
import type { Managers } from './managers.ts';
import { SELF, fieldOf } from './path-element.ts';

/** The owners, with their sets cut to what the type tells apart. */
export function reconcileWithType(managers: Managers, type: TypeSchema): Managers {
  // Built-in types have names, and never change while a server runs.
  if (type.name !== undefined) return managers;
  for (const [id, manager] of managers) managers.set(id, withSet(manager, reconcileMembers(manager.set, type)));
  return managers;
}

function reconcileMembers(node: FieldSet, type: TypeSchema): FieldSet {
  let out: Record<string, FieldSet> | undefined;
  for (const element in node) {
    if (element === SELF) continue;
    const child = node[element] as FieldSet;
    if (isEmptySet(child)) continue;
    const name = fieldOf(element);
    const below = name === undefined ? type.list?.element : (type.map?.fields.get(name)?.type ?? type.map?.element);
    if (below === undefined) continue;
    const next = reconcileNode(child, below);
    if (next === child) continue;
    out ??= { ...node } as Record<string, FieldSet>;
    out[element] = next;
  }
  return out ?? node;
}

function reconcileNode(node: FieldSet, type: TypeSchema): FieldSet {
  const deduced = type.open && type.map?.fields.size === 0;
  const atomic = type.map === undefined ? type.list?.relation === 'atomic' : type.map.atomic && !deduced;
  if (atomic && !(isMember(node) && isEmptySet(node))) return EMPTY;
  return reconcileMembers(node, type);
}
