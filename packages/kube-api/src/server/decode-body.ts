// From the body of a request to an object of its kind, whatever the verb.
import { invalidValue } from '../causes.ts';
import { badRequest, invalid, StatusError } from '../errors.ts';
import { sortedJson, without, type JsonObject, type KubeObject } from '../json.ts';
import type { Call } from './core.ts';
import { withCleanMetadata, withTypeMeta } from './decode.ts';
import { reportUnknownFields } from './field-validation.ts';
import { withoutDuplicateOwners } from './metadata.ts';
import type { WriteOptions } from './options.ts';

/**
 * Type, metadata, defaults and unknown fields of a body that shows the whole object.
 *
 * @throws StatusError 400 for what does not fit the kind.
 */
export function decodeBody(call: Call, body: JsonObject, options: WriteOptions): KubeObject {
  const { kind, version } = call.type;
  const typed = withCleanMetadata(withTypeMeta(body, call.type));
  const object = attempt(
    () => decoded(call, typed, options),
    ({ message }) =>
      badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${message}`),
  );
  return withRequestNamespace(call, object);
}

/**
 * The same for what a patch has made of an object.
 *
 * @throws StatusError 422 for what does not fit the kind.
 */
export function decodePatched(call: Call, patched: JsonObject, options: WriteOptions): KubeObject {
  const object = attempt(
    () => decoded(call, withCleanMetadata(withTypeMeta(patched, call.type)), options),
    ({ message }) => {
      const text = JSON.stringify(call.type.custom ? sortedJson(patched) : patched);
      return invalid({ group: '', kind: '', name: '' }, [invalidValue('patch', text, message)]);
    },
  );
  return withRequestNamespace(call, object);
}

/** Decodes; what was wrong with the body is said in the words of `reworded`. */
function attempt(decode: () => KubeObject, reworded: (error: StatusError) => StatusError): KubeObject {
  try {
    return decode();
  } catch (error) {
    throw error instanceof StatusError && error.reason === 'BadRequest' ? reworded(error) : error;
  }
}

function decoded(call: Call, typed: KubeObject, options: WriteOptions): KubeObject {
  const { object, unknown } = call.type.rules.decode(typed);
  reportUnknownFields(call, unknown, options.fieldValidation);
  const deduplicated = withoutDuplicateOwners(object);
  if (deduplicated.warning !== undefined) call.warnings.push(deduplicated.warning);
  return deduplicated.object;
}

/** The namespace of the path, filled in or compared; objects outside of namespaces lose theirs. */
export function withRequestNamespace(call: Call, object: KubeObject): KubeObject {
  const { namespace } = call.resource;
  const given = object.metadata.namespace ?? '';
  if (given === namespace) return object;
  if (!call.type.namespaced) return { ...object, metadata: without(object.metadata, 'namespace') };
  if (given !== '') {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...object, metadata: { ...object.metadata, namespace } };
}
