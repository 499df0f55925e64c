// Replacing an existing object: the part that PUT, PATCH and writes to subresources share.
import type { Admission } from '../admission/admission.ts';
import { invalidValue } from '../causes.ts';
import { conflict, forbidden, invalid, OBJECT_MODIFIED } from '../errors.ts';
import {
  equalJson,
  freezeJson,
  without,
  type Json,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from '../json.ts';
import { objectKey } from '../store/table.ts';
import { kindSubject, putStored, ruleContext, subjectOf, type Call, type Core } from './core.ts';
import { recordManager } from './field-managers.ts';
import { metadataCauses, metadataUpdateCauses } from './metadata.ts';
import type { WriteOptions } from './options.ts';

/** Which part of the object a request may change. */
export type Scope = '' | 'status' | 'finalize';

export interface Replacement {
  /** The stored object in the version of the request. */
  readonly live: KubeObject;
  /** What the client wants, decoded. */
  readonly wanted: KubeObject;
  readonly scope: Scope;
  readonly options: WriteOptions;
  /** The object already carries its managedFields, because an apply made it. */
  readonly applied: boolean;
  /** Named in managedFields if it is not the scope: `scale`. */
  readonly subresource?: string;
  /** The Scale that stands for an object which is written through `/scale`. */
  readonly scaleOf?: (object: KubeObject) => KubeObject;
}

/**
 * Writes `wanted` over `live` and returns the object as it is then. What does not change anything is not written.
 *
 * @throws StatusError 409 if `wanted` carries another resourceVersion, 422 if it may not be stored.
 */
export function replace(core: Core, call: Call, replacement: Replacement): KubeObject {
  const { live, options, scope } = replacement;
  const { type } = call;
  checkRevision(call, replacement);
  const masked = withStoredParts(call, replacement);
  const recorded = replacement.applied
    ? masked
    : recordManager(core, call, live, masked, options, replacement.subresource ?? scope);
  const context = ruleContext(core);
  const admitted = admittedBy(call, replacement, recorded);
  core.guard.checkGrant(call.user, admitted, live);
  const prepared = scope === '' ? type.rules.prepareUpdate(admitted, live, context) : admitted;
  // The wishes of an object are not changed by way of its status, whatever else is stored there.
  const next = scope === 'status' ? prepared : withGeneration(call, prepared, live);
  const immutable = metadataUpdateCauses(next, live);
  const causes = [
    // The real server checks this twice and lists what it finds twice.
    ...immutable,
    ...immutable,
    ...metadataCauses(next, type.namespaced, type.rules.nameRule),
    ...(scope === 'status' ? type.rules.validateStatus(next, live) : type.rules.validate(next, live, context)),
  ];
  if (causes.length > 0) throw invalid(kindSubject(type, live.metadata.name ?? ''), causes);
  const refusal = scope === '' ? type.rules.refusesUpdate(next, live, context) : undefined;
  if (refusal !== undefined) throw forbidden(subjectOf(call, live.metadata.name ?? ''), refusal);
  if (scope === '') call.warnings.push(...type.rules.warnings(next));
  call.gate?.validate(admissionOf(replacement, withRevision(next, live.metadata.resourceVersion)));
  return commit(core, call, next, live, options.dryRun);
}

/** The object as mutating webhooks leave it, less what this request may not change. A scale is shown to validating ones only. */
function admittedBy(call: Call, replacement: Replacement, recorded: KubeObject): KubeObject {
  if (call.gate === undefined || replacement.scaleOf !== undefined) return recorded;
  const changed = call.gate.mutate(admissionOf(replacement, recorded), recorded);
  return changed === recorded ? recorded : withStoredParts(call, { ...replacement, wanted: changed });
}

function admissionOf({ live, options, scaleOf }: Replacement, next: KubeObject): Admission {
  const common = { operation: 'UPDATE', dryRun: options.dryRun } as const;
  if (scaleOf === undefined) return { ...common, object: next, oldObject: live };
  const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return { ...common, object: scaleOf(next), oldObject: scaleOf(live), kind };
}

function commit(core: Core, call: Call, next: KubeObject, live: KubeObject, dryRun: boolean): KubeObject {
  const { type } = call;
  const key = objectKey(live.metadata.namespace ?? '', live.metadata.name ?? '');
  const unstored = withRevision(next, live.metadata.resourceVersion);
  if (isFinished(call, next)) {
    // The last finalizer went: this write is the deletion, and watchers see the last state that was stored.
    if (!dryRun) core.store.remove(type.table, key);
    return freezeJson(unstored);
  }
  if (isUnchanged(next, live)) return live;
  if (dryRun) return freezeJson(unstored);
  return putStored(core, type, key, type.toStorage(next));
}

function checkRevision(call: Call, { live, wanted }: Replacement): void {
  const asked = wanted.metadata.resourceVersion ?? '';
  const name = live.metadata.name ?? '';
  if (asked === '' || asked === '0') {
    if (call.type.rules.unconditionalUpdate) return;
    const cause = {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    };
    // This one error of validation names the plural.
    throw invalid(subjectOf(call, name), [cause]);
  }
  if (!/^\d+$/.test(asked)) {
    const why = `strconv.ParseUint: parsing ${JSON.stringify(asked)}: invalid syntax`;
    throw invalid(kindSubject(call.type, name), [invalidValue('metadata.resourceVersion', asked, why)]);
  }
  if (asked !== live.metadata.resourceVersion) throw conflict(subjectOf(call, name), OBJECT_MODIFIED);
}

/** Puts back what this request may not change. */
function withStoredParts(call: Call, { live, wanted, scope }: Replacement): KubeObject {
  if (scope === '') {
    const metadata = keptMetadata(wanted.metadata, live.metadata);
    const object = { ...wanted, metadata };
    return call.type.status ? withMember(object, 'status', live['status']) : object;
  }
  const managedFields = wanted.metadata.managedFields;
  const { managedFields: _, ...kept } = live.metadata;
  const metadata: ObjectMeta = {
    ...(call.type.custom
      ? kept
      : { ...without(without(kept, 'annotations'), 'finalizers'), ...statusMetadata(wanted.metadata) }),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  const object: KubeObject = { ...live, metadata };
  return scope === 'status'
    ? withMember(object, 'status', wanted['status'])
    : withMember(object, 'spec', wanted['spec']);
}

// The status endpoints of built-in kinds also take annotations and finalizers.
function statusMetadata({ annotations, finalizers }: ObjectMeta): ObjectMeta {
  return { ...(annotations === undefined ? {} : { annotations }), ...(finalizers === undefined ? {} : { finalizers }) };
}

const KEPT = ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'] as const;

function keptMetadata(wanted: ObjectMeta, live: ObjectMeta): ObjectMeta {
  const kept: Record<string, Json | undefined> = { ...wanted, uid: wanted.uid ?? live.uid };
  delete kept['selfLink'];
  for (const field of KEPT) {
    if (live[field] !== undefined) kept[field] = live[field];
    else if (field === 'generation') delete kept[field];
  }
  return kept;
}

function withGeneration(call: Call, next: KubeObject, live: KubeObject): KubeObject {
  const { rules } = call.type;
  if (!rules.generation || equalJson(rules.versionedPart(next), rules.versionedPart(live))) return next;
  return { ...next, metadata: { ...next.metadata, generation: (live.metadata.generation ?? 0) + 1 } };
}

function isFinished(call: Call, next: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = next.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds !== 0) return false;
  return !call.type.rules.holdsDeletion(next);
}

/** Whether a write would change nothing but the times of its managedFields. */
function isUnchanged(next: KubeObject, live: KubeObject): boolean {
  return (
    equalExcept(next, live, ['metadata']) &&
    equalExcept(next.metadata, live.metadata, ['resourceVersion', 'managedFields']) &&
    sameManagers(next.metadata.managedFields ?? [], live.metadata.managedFields ?? [])
  );
}

function equalExcept(a: JsonObject, b: JsonObject, except: readonly string[]): boolean {
  for (const key in a) if (!except.includes(key) && !equalJson(a[key], b[key])) return false;
  for (const key in b) if (a[key] === undefined && b[key] !== undefined && !except.includes(key)) return false;
  return true;
}

function sameManagers(a: readonly JsonObject[], b: readonly JsonObject[]): boolean {
  if (a === b) return true;
  const timeless = (entry: JsonObject): JsonObject => without(entry, 'time');
  return a.length === b.length && equalJson(a.map(timeless), b.map(timeless));
}

function withRevision(object: KubeObject, resourceVersion: string | undefined): KubeObject {
  if (resourceVersion === undefined || object.metadata.resourceVersion === resourceVersion) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

function withMember(object: KubeObject, key: string, value: Json | undefined): KubeObject {
  if (value !== undefined) return { ...object, [key]: value };
  return without(object, key);
}
