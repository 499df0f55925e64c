// Creating objects: POST, and the other verbs that may create.
import { alreadyExists, forbidden, internal, invalid, notFound, StatusError } from '../errors.ts';
import { freezeJson, type KubeObject, type ObjectMeta } from '../json.ts';
import { objectKey } from '../store/table.ts';
import { kindSubject, now, putStored, ruleContext, subjectOf, type Call, type Core, type Result } from './core.ts';
import { decodeBody } from './decode-body.ts';
import { importObject } from './decode.ts';
import { recordManager } from './field-managers.ts';
import { metadataCauses } from './metadata.ts';
import { writeOptions, type WriteOptions } from './options.ts';

/** POST on a collection. */
export function create(core: Core, call: Call): Result {
  const options = writeOptions(call.info.query, 'CreateOptions', false);
  const object = decodeBody(call, importObject(call.request.body), options);
  return { status: 201, body: createObject(core, call, object, options, undefined) };
}

/**
 * Creates a decoded object.
 *
 * @param applied the object already carries its managedFields, because an apply made it
 */
export function createObject(
  core: Core,
  call: Call,
  decoded: KubeObject,
  options: WriteOptions,
  applied: 'applied' | undefined,
): KubeObject {
  const { type } = call;
  const askedRevision = decoded.metadata.resourceVersion ?? '';
  if (type.refusesCreate !== undefined)
    throw forbidden(subjectOf(call, decoded.metadata.name ?? ''), type.refusesCreate);
  const initial = named(core, call, withSystemMetadata(core, call, withoutStatus(call, decoded)));
  const recorded = applied === 'applied' ? initial : recordManager(core, call, undefined, initial, options, '');
  requireNamespace(core, call, recorded);
  core.guard.checkCreate(call.user, call.request, call.info);
  const admitted = call.gate?.creating(recorded, (decoded.metadata.name ?? '') !== '', options.dryRun) ?? recorded;
  core.guard.checkGrant(call.user, admitted, undefined);
  const context = ruleContext(core);
  const object = type.rules.prepareCreate(withoutStatus(call, admitted), context);
  const name = object.metadata.name ?? '';
  const causes = [
    ...type.rules.validate(object, undefined, context),
    ...metadataCauses(object, type.namespaced, type.rules.nameRule),
  ];
  if (causes.length > 0) throw invalid(kindSubject(type, name), causes);
  call.warnings.push(...type.rules.warnings(object));
  // An update or apply that creates never looks at the revision it carries.
  if (call.resource.verb === 'create' && askedRevision !== '' && askedRevision !== '0') {
    throw internal('resourceVersion should not be set on objects to be created');
  }
  call.gate?.validate({ operation: 'CREATE', object, oldObject: undefined, dryRun: options.dryRun });
  const key = objectKey(object.metadata.namespace ?? '', name);
  const existing = core.store.get(type.table, key);
  if (existing !== undefined) throw exists(call, name, decoded, existing);
  if (options.dryRun) return freezeJson(object);
  if (core.store.size >= core.objectLimit) throw internal('etcdserver: mvcc: database space exceeded');
  return putStored(core, type, key, type.toStorage(object));
}

function withoutStatus(call: Call, object: KubeObject): KubeObject {
  if (!call.type.custom || !call.type.status || object['status'] === undefined) return object;
  const { status: _, ...rest } = object;
  return rest as KubeObject;
}

function withSystemMetadata(core: Core, call: Call, object: KubeObject): KubeObject {
  const {
    uid: _uid,
    resourceVersion: _resourceVersion,
    generation: _generation,
    creationTimestamp: _creationTimestamp,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _deletionGracePeriodSeconds,
    selfLink: _selfLink,
    ...given
  } = object.metadata;
  const metadata: ObjectMeta = {
    ...given,
    uid: core.random.uuid(),
    creationTimestamp: now(core),
    ...(call.type.rules.generation ? { generation: 1 } : {}),
  };
  return { ...object, metadata };
}

const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;
const NAME_ATTEMPTS = 8;

/** Gives a name to an object that asks for a generated one. Names that are taken are avoided, up to eight times. */
function named(core: Core, call: Call, object: KubeObject): KubeObject {
  const { name, generateName, namespace } = object.metadata;
  if ((name ?? '') !== '' || generateName === undefined) return object;
  const base = generateName.slice(0, MAX_BASE_LENGTH);
  let generated = '';
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    generated = base + suffix(core);
    if (core.store.get(call.type.table, objectKey(namespace ?? '', generated)) === undefined) break;
  }
  return { ...object, metadata: { ...object.metadata, name: generated } };
}

function suffix(core: Core): string {
  let text = '';
  for (const byte of core.random.bytes(SUFFIX_LENGTH)) text += SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length];
  return text;
}

function requireNamespace(core: Core, call: Call, object: KubeObject): void {
  if (!call.type.namespaced) return;
  const name = object.metadata.namespace ?? '';
  const namespace = core.store.get('namespaces', name);
  if (namespace === undefined) throw notFound({ group: '', kind: 'namespaces', name });
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const causes = [
    { reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' },
  ];
  const subject = subjectOf(call, object.metadata.name ?? '');
  throw forbidden(subject, `unable to create new content in namespace ${name} because it is being terminated`, causes);
}

function exists(call: Call, name: string, decoded: KubeObject, existing: KubeObject): StatusError {
  const generated = (decoded.metadata.name ?? '') === '';
  const { code, reason, details, message } = alreadyExists(subjectOf(call, name), generated ? 1 : undefined);
  const why = generated ? `${message}, the server was not able to generate a unique name for the object` : message;
  const terminating = existing.metadata.deletionTimestamp !== undefined;
  return new StatusError(code, reason, terminating ? `object is being deleted: ${why}` : why, details);
}
