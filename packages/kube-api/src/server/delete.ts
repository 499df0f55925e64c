// DELETE: at once, after finalizers, or gracefully; one object or a collection.
import { conflict, forbidden, notFound } from '../errors.ts';
import { equalJson, freezeJson, type JsonObject, type KubeObject, type ObjectMeta } from '../json.ts';
import { timestamp } from '../ports.ts';
import { objectKey } from '../store/table.ts';
import { now, putStored, stored, subjectOf, type Call, type Core, type Result } from './core.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './metadata.ts';
import { deleteOptions, type DeleteOptions } from './options.ts';
import { listMatching } from './read.ts';

/** DELETE of one object. */
export function remove(core: Core, call: Call): Result {
  const options = deleteOptions(call.info.query, call.request.body);
  const live = stored(core, call);
  if (live === undefined) throw notFound(subjectOf(call, call.resource.name));
  const outcome = deleteObject(core, call, live, options);
  // A client of the old cascading option is told that the deletion only began.
  const accepted = !outcome.gone && options.cascading;
  return { status: accepted ? 202 : 200, body: outcome.body };
}

/** DELETE of a collection: each object that matches, in order. Answers with the list of what was found. */
export function removeCollection(core: Core, call: Call): Result {
  const options = deleteOptions(call.info.query, call.request.body);
  const list = listMatching(core, call);
  // All are shown to webhooks before the first goes, since a request that waits for them begins anew.
  const refusals = list.objects.map((object) => call.gate?.refusalOfDeletion(object, options.dryRun));
  const passed: Call = { ...call, gate: undefined };
  for (const [index, object] of list.objects.entries()) {
    const refusal = refusals[index];
    if (refusal !== undefined) throw refusal;
    deleteObject(core, passed, object, options);
  }
  return { status: 200, body: list.body };
}

/** How a delete ended; `gone` false: the object waits for finalizers or its grace period. */
export interface Outcome {
  readonly gone: boolean;
  readonly body: object;
}

/** Deletes one stored object of the request's resource. */
export function deleteObject(core: Core, call: Call, live: KubeObject, options: DeleteOptions): Outcome {
  checkPreconditions(call, live, options);
  const { rules, fromStorage } = call.type;
  const refusal = rules.refusesDelete(live);
  if (refusal !== undefined) throw forbidden(subjectOf(call, live.metadata.name ?? ''), refusal);
  call.gate?.deleting(fromStorage(live), options.dryRun);
  const next = terminating(core, call, live, options);
  if (next === undefined) return gone(core, call, live, options);
  if (equalJson(next, live)) return { gone: false, body: fromStorage(live) };
  if (options.dryRun) return { gone: false, body: freezeJson(fromStorage(next)) };
  return { gone: false, body: putStored(core, call.type, keyOf(live), next) };
}

function gone(core: Core, call: Call, live: KubeObject, options: DeleteOptions): Outcome {
  const { type } = call;
  const last = options.dryRun ? live : (core.store.remove(type.table, keyOf(live)) ?? live);
  return { gone: true, body: type.rules.returnsDeleted ? type.fromStorage(last) : success(call, live) };
}

function success(call: Call, { metadata }: KubeObject): JsonObject {
  const { group, plural } = call.type;
  const details = { name: metadata.name, ...(group === '' ? {} : { group }), kind: plural, uid: metadata.uid };
  return freezeJson({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

function keyOf({ metadata }: KubeObject): string {
  return objectKey(metadata.namespace ?? '', metadata.name ?? '');
}

/** The object as the delete leaves it; undefined if nothing holds it any longer. */
function terminating(core: Core, call: Call, live: KubeObject, options: DeleteOptions): KubeObject | undefined {
  const grace = gracefully(core, call, live, options);
  if (grace === 'pending') return live;
  const finalizers = withKindFinalizers(call, live, finalizersAfter(live.metadata.finalizers ?? [], options));
  const { finalizers: _, ...rest } = grace?.metadata ?? live.metadata;
  const metadata: ObjectMeta = finalizers.length === 0 ? rest : { ...rest, finalizers };
  const held = finalizers.length > 0 || call.type.rules.holdsDeletion(live);
  if (grace !== undefined && (held || (metadata.deletionGracePeriodSeconds ?? 0) > 0)) return { ...live, metadata };
  if (!held) return undefined;
  const time = now(core);
  const { rules } = call.type;
  // Kinds with an end of their own are marked with the time only.
  const plain = rules.deletionFinalizers.length > 0 || rules.holdsDeletion(live);
  return rules.onTerminating({ ...live, metadata: plain ? dated(metadata, time) : marked(metadata, time) }, time);
}

/** Finalizers with those that the kind adds when a deletion begins. */
function withKindFinalizers(call: Call, live: KubeObject, finalizers: readonly string[]): readonly string[] {
  const { deletionFinalizers } = call.type.rules;
  if (deletionFinalizers.length === 0 || live.metadata.deletionTimestamp !== undefined) return finalizers;
  return [...finalizers, ...deletionFinalizers.filter((one) => !finalizers.includes(one))];
}

/** The mark of a deletion that waits for finalizers. The first one counts as a change of what is wanted. */
function marked(metadata: ObjectMeta, time: string): ObjectMeta {
  const { generation, deletionGracePeriodSeconds } = metadata;
  const first = deletionGracePeriodSeconds === undefined && generation !== undefined && generation > 0;
  return {
    ...dated(metadata, time),
    ...(first ? { generation: generation + 1 } : {}),
    deletionGracePeriodSeconds: 0,
  };
}

function dated(metadata: ObjectMeta, time: string): ObjectMeta {
  const { deletionTimestamp } = metadata;
  return {
    ...metadata,
    deletionTimestamp: deletionTimestamp === undefined || deletionTimestamp > time ? time : deletionTimestamp,
  };
}

/** Grace that the kind gives: the changed object, 'pending' if it runs already, undefined if there is none. */
function gracefully(
  core: Core,
  call: Call,
  live: KubeObject,
  options: DeleteOptions,
): KubeObject | 'pending' | undefined {
  const seconds = call.type.rules.gracePeriod(live, options.gracePeriodSeconds);
  if (seconds === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: running, generation } = live.metadata;
  if (deletionTimestamp === undefined) {
    const metadata: ObjectMeta = {
      ...live.metadata,
      deletionTimestamp: timestamp(core.clock.now() + seconds * 1_000),
      deletionGracePeriodSeconds: seconds,
      ...(generation !== undefined && generation > 0 ? { generation: generation + 1 } : {}),
    };
    return { ...live, metadata };
  }
  if (running === undefined) return undefined;
  // While a deletion runs, the period may only become shorter.
  const asked = options.gracePeriodSeconds;
  if (asked === undefined || asked >= running) return 'pending';
  const due = Date.parse(deletionTimestamp) - (running - asked) * 1_000;
  return {
    ...live,
    metadata: { ...live.metadata, deletionTimestamp: timestamp(due), deletionGracePeriodSeconds: asked },
  };
}

/** Finalizers with those of the garbage collector set as the propagation policy says; without a policy they stay. */
function finalizersAfter(current: readonly string[], { propagation }: DeleteOptions): readonly string[] {
  if (propagation === undefined) return current;
  const kept = current.filter((finalizer) => finalizer !== FOREGROUND_FINALIZER && finalizer !== ORPHAN_FINALIZER);
  if (propagation === 'Background') return kept;
  const added = propagation === 'Orphan' ? ORPHAN_FINALIZER : FOREGROUND_FINALIZER;
  return current.length === kept.length + 1 && current.includes(added) ? current : [...kept, added];
}

function checkPreconditions(call: Call, { metadata }: KubeObject, { uid, resourceVersion }: DeleteOptions): void {
  // These conflicts name the Kind where others name the plural.
  const subject = { group: call.type.group, kind: call.type.kind, name: metadata.name ?? '' };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''})`;
    throw conflict(subject, `${why}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match`;
    throw conflict(
      subject,
      `${why} the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}
