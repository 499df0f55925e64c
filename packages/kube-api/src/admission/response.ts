// What a webhook's answer means: allowed, changed, denied, or no answer at all.
import { StatusError, type StatusDetails } from '../errors.ts';
import { at, isList, isObject, type Json, type JsonObject } from '../json.ts';
import type { Reply } from './message.ts';

/** A valid answer. */
export interface Verdict {
  readonly warnings: readonly string[];
  /** JSON patch operations; undefined: no change. */
  readonly patch: Json | undefined;
  readonly denial: StatusError | undefined;
}

/** Reads the answer to the review `uid`; a text tells why it is none. */
export function verdictOf(name: string, uid: string, isMutating: boolean, reply: Reply): Verdict | string {
  if ('fault' in reply) return `failed to call webhook: ${reply.fault}`;
  const { body } = reply;
  const kind = at(body, 'kind');
  const apiVersion = at(body, 'apiVersion');
  if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') return wrongKind(body, kind, apiVersion);
  const response = at(body, 'response');
  if (!isObject(response)) return invalid('webhook response was absent');
  if (response['uid'] !== uid) {
    return invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`);
  }
  const patch = response['patch'];
  const hasPatch = typeof patch === 'string' && patch !== '';
  const patchType = response['patchType'];
  if (!isMutating && hasPatch) return invalid('validating webhook may not return response.patch');
  if (!isMutating && patchType !== undefined) return invalid('validating webhook may not return response.patchType');
  if (hasPatch && patchType === undefined) {
    return invalid('webhook returned response.patch but not response.patchType');
  }
  if (!hasPatch && patchType !== undefined) {
    return invalid('webhook returned response.patchType but not response.patch');
  }
  if (hasPatch && patchType !== 'JSONPatch') {
    return invalid(`invalid response.patchType, must be "JSONPatch", found ${JSON.stringify(patchType)}`);
  }
  return {
    warnings: isList(response['warnings']) ? response['warnings'].filter((one) => typeof one === 'string') : [],
    patch: hasPatch ? decoded(patch) : undefined,
    denial: response['allowed'] === true ? undefined : denial(name, response['status']),
  };
}

/** 500: a webhook that must be asked did not answer. */
export function calledInVain(name: string, fault: string): StatusError {
  return internalError(`failed calling webhook ${JSON.stringify(name)}: ${fault}`);
}

/** 500 with its message as the only cause. */
export function internalError(message: string): StatusError {
  const details = { causes: [{ message }] } as unknown as StatusDetails;
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, details);
}

function invalid(why: string): string {
  return `received invalid webhook response: ${why}`;
}

function wrongKind(body: Json, kind: Json | undefined, apiVersion: Json | undefined): string {
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') {
    return `failed to call webhook: Object 'Kind' is missing in ${JSON.stringify(JSON.stringify(body))}`;
  }
  return `failed to call webhook: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
}

function decoded(patch: string): Json {
  try {
    return JSON.parse(Buffer.from(patch, 'base64').toString('utf8')) as Json;
  } catch {
    return patch;
  }
}

/** The refusal in the words of the webhook. Without a code of its own that means an error, it is a 400. */
function denial(name: string, given: Json | undefined): StatusError {
  const status: JsonObject = isObject(given) ? given : {};
  const text = (key: string): string => (typeof status[key] === 'string' ? status[key] : '');
  const why = text('message') || text('reason');
  const webhook = `admission webhook ${JSON.stringify(name)} denied the request`;
  const code = typeof status['code'] === 'number' && status['code'] >= 400 ? status['code'] : 400;
  const details = isObject(status['details']) ? (status['details'] as StatusDetails) : undefined;
  return new StatusError(
    code,
    text('reason'),
    why === '' ? `${webhook} without explanation` : `${webhook}: ${why}`,
    details,
  );
}
