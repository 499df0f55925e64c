// The reconciled object as the protocol sees it. Pure: reads annotations, finalizers and status, never throws on junk.
import { parseMirror, parseRecord, parseSettings, REQUEST_NAMES, type ObjectState, type Requests } from '@pawl/reconciler';
import { ANNOTATIONS, FINALIZER, requestAnnotation, type KubernetesObject } from '@pawl/reconciler/kubernetes';

type Json = Readonly<Record<string, unknown>>;

/** `spec` and `status` of an object that may have neither. */
export function partsOf(object: KubernetesObject): { readonly spec: Json; readonly status: Json } {
  const { spec, status } = object as KubernetesObject & { readonly spec?: unknown; readonly status?: unknown };
  return { spec: isObject(spec) ? spec : {}, status: isObject(status) ? status : {} };
}

/** The object's part of the protocol state. Of an object that cannot change any more it is read once. */
export function objectState(object: KubernetesObject): ObjectState {
  const known = read.get(object);
  if (known !== undefined) return known;
  const state = readState(object);
  if (Object.isFrozen(object)) read.set(object, state);
  return state;
}
const read = new WeakMap<KubernetesObject, ObjectState>();

function readState(object: KubernetesObject): ObjectState {
  const { spec, status } = partsOf(object);
  const { uid, annotations = {}, finalizers = [], deletionTimestamp } = object.metadata;
  const procedure = isObject(status['procedure']) ? status['procedure'] : {};
  return {
    uid,
    deleting: deletionTimestamp !== undefined,
    spec: parseSettings(spec['procedure']),
    requests: requestsOf(annotations),
    finalizer: finalizers.includes(FINALIZER),
    mirror: parseMirror(annotations[ANNOTATIONS.mirror]),
    record: parseRecord(procedure['record']),
  };
}

function requestsOf(annotations: Readonly<Record<string, string>>): Requests {
  const found = REQUEST_NAMES.flatMap((name) => {
    const value = annotations[requestAnnotation(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
