// PUT: replacing an object, its status, or a namespace's finalizers.
import { badRequest, conflict, notFound } from '../errors.ts';
import type { KubeObject } from '../json.ts';
import { createObject } from './create.ts';
import { stored, subjectOf, type Call, type Core, type Result } from './core.ts';
import { decodeBody } from './decode-body.ts';
import { importObject } from './decode.ts';
import { writeOptions } from './options.ts';
import { replace, type Scope } from './write.ts';

/** PUT on an object or on one of its subresources that show the whole object. */
export function update(core: Core, call: Call, scope: Scope): Result {
  const options = writeOptions(call.info.query, 'UpdateOptions', false);
  const wanted = decodeBody(call, importObject(call.request.body), options);
  checkName(call, wanted);
  const found = stored(core, call);
  if (found === undefined) {
    if (!call.type.rules.createOnUpdate || scope !== '') throw notFound(subjectOf(call, call.resource.name));
    return { status: 201, body: createObject(core, call, wanted, options, undefined) };
  }
  const live = call.type.fromStorage(found);
  checkUid(call, wanted, live);
  return { status: 200, body: replace(core, call, { live, wanted, scope, options, applied: false }) };
}

/** The name in the body must be the one in the path. */
export function checkName(call: Call, object: KubeObject): void {
  const { name } = object.metadata;
  if (name === undefined || name === '') {
    throw badRequest(
      `the name of the object (${call.resource.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name === call.resource.name) return;
  throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.resource.name})`);
}

function checkUid(call: Call, wanted: KubeObject, live: KubeObject): void {
  const { uid } = wanted.metadata;
  if (uid === undefined || uid === live.metadata.uid) return;
  const { namespace, name } = call.resource;
  const key = ['/registry', call.type.group, call.type.plural, namespace, name].filter((part) => part !== '').join('/');
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid ?? ''}`;
  throw conflict(
    subjectOf(call, name),
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}
