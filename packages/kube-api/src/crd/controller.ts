// What the server does itself for CustomResourceDefinitions: accept names, serve kinds, clean up after deletion.
import { equalJson, isList, isObject, type JsonObject, type KubeObject } from '../json.ts';
import type { Registry } from '../server/registry.ts';
import type { Store } from '../store/store.ts';
import { objectKey } from '../store/table.ts';
import { tableName } from '../kinds/resource-type.ts';
import { condition, isEstablished, withCondition } from './conditions.ts';
import { customTypes } from './custom-type.ts';
import { CLEANUP_FINALIZER, CRD_TABLE, definitionOf, type Definition } from './definition.ts';

/**
 * Brings the registry and the status of CRDs into line with what is stored. Called after each write to a CRD or a custom
 * resource; its own writes are ordinary changes with their own revisions.
 */
export function settleDefinitions(store: Store, registry: Registry, time: string): void {
  const all = store.objects(CRD_TABLE, '');
  // Deletions come first, because they free names.
  for (const crd of all) if (crd.metadata.deletionTimestamp !== undefined) cleanUp(store, registry, crd, time);
  for (const crd of all) if (crd.metadata.deletionTimestamp === undefined) accept(store, registry, crd, time);
}

/** Forgets what a CRD served that is gone. */
export function forgetDefinition(registry: Registry, name: string): void {
  registry.setCustom(name, []);
}

function accept(store: Store, registry: Registry, crd: KubeObject, time: string): void {
  const key = crd.metadata.name ?? '';
  const definition = definitionOf(crd);
  const taken = nameConflict(store, key, definition);
  const status = isObject(crd['status']) ? crd['status'] : {};
  const established = taken === undefined || isEstablished(crd);
  let conditions = isList(status['conditions']) ? status['conditions'] : [];
  conditions = withCondition(
    conditions,
    taken === undefined
      ? condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found', time)
      : condition('NamesAccepted', 'False', taken.reason, taken.message, time),
  );
  conditions = withCondition(
    conditions,
    established
      ? condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted', time)
      : condition('Established', 'False', 'NotAccepted', 'not all names are accepted', time),
  );
  const next: JsonObject = {
    ...status,
    conditions,
    acceptedNames:
      taken === undefined ? acceptedNames(definition) : (status['acceptedNames'] ?? { plural: '', kind: '' }),
    storedVersions: status['storedVersions'] ?? storedVersions(definition),
  };
  const settled = equalJson(next, status) ? crd : store.put(CRD_TABLE, key, { ...crd, status: next });
  registry.setCustom(key, established ? customTypes(settled) : []);
}

/** Deletes the objects of a CRD that is being deleted; when none is left, the CRD itself may go. */
function cleanUp(store: Store, registry: Registry, crd: KubeObject, time: string): void {
  const key = crd.metadata.name ?? '';
  const { group, names } = definitionOf(crd);
  const table = tableName(group, names.plural);
  for (const object of store.objects(table, '')) {
    const at = objectKey(object.metadata.namespace ?? '', object.metadata.name ?? '');
    if ((object.metadata.finalizers ?? []).length === 0) store.remove(table, at);
    else if (object.metadata.deletionTimestamp === undefined) {
      const generation = (object.metadata.generation ?? 0) + 1;
      const mark = { deletionTimestamp: time, deletionGracePeriodSeconds: 0, generation };
      store.put(table, at, { ...object, metadata: { ...object.metadata, ...mark } });
    }
  }
  const finalizers = crd.metadata.finalizers ?? [];
  if (!store.isEmpty(table) || !finalizers.includes(CLEANUP_FINALIZER)) {
    registry.setCustom(key, isEstablished(crd) ? customTypes(crd) : []);
    return;
  }
  const left = finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  registry.setCustom(key, []);
  if (left.length === 0) store.remove(CRD_TABLE, key);
  else store.put(CRD_TABLE, key, { ...crd, metadata: { ...crd.metadata, finalizers: left } });
}

function acceptedNames({ names }: Definition): JsonObject {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  return {
    plural,
    singular,
    kind,
    listKind,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

function storedVersions({ versions }: Definition): readonly string[] {
  return versions.filter((version) => version.storage).map((version) => version.name);
}

function nameConflict(
  store: Store,
  key: string,
  definition: Definition,
): { reason: string; message: string } | undefined {
  for (const other of store.objects(CRD_TABLE, '')) {
    if (other.metadata.name === key || !isEstablished(other)) continue;
    const { group, names } = definitionOf(other);
    if (group !== definition.group) continue;
    const used = [names.plural, names.singular, ...names.shortNames];
    for (const [reason, name] of [
      ['PluralConflict', definition.names.plural],
      ['SingularConflict', definition.names.singular],
      ...definition.names.shortNames.map((short) => ['ShortNamesConflict', short] as const),
    ] as const) {
      if (used.includes(name)) return { reason, message: `${JSON.stringify(name)} is already in use` };
    }
    for (const [reason, kind] of [
      ['KindConflict', definition.names.kind],
      ['ListKindConflict', definition.names.listKind],
    ] as const) {
      if (kind === names.kind || kind === names.listKind)
        return { reason, message: `${JSON.stringify(kind)} is already in use` };
    }
  }
  return undefined;
}
