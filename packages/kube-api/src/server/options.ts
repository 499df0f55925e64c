// Options of writes, read from the query and, for DELETE, from the body.
import { forbiddenField, invalidValue, notSupported, required, tooLong } from '../causes.ts';
import { badRequest, invalid, type Cause } from '../errors.ts';
import { at, isList, isObject, type Json, type JsonObject } from '../json.ts';
import { importJson } from './decode.ts';
import { isTrue } from './request-info.ts';

const META_GROUP = 'meta.k8s.io';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Options of create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** As given by the client; '' if not. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
}

/**
 * Reads the options of a write.
 *
 * @throws StatusError 422 naming the option.
 */
export function writeOptions(
  query: URLSearchParams,
  optionsKind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  isApply: boolean,
): WriteOptions {
  const causes: Cause[] = [];
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const fieldManager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const force = query.has('force') ? isTrue(query.get('force')) : undefined;
  causes.push(...dryRunCauses(dryRun), ...managerCauses(fieldManager));
  if (validation !== '' && !isFieldValidation(validation)) {
    causes.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (optionsKind === 'PatchOptions' && !isApply && force !== undefined) {
    causes.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  if (isApply && fieldManager === '') causes.push(required('fieldManager', 'is required for apply patch'));
  if (causes.length > 0) throw invalid({ group: META_GROUP, kind: optionsKind, name: '' }, causes);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: isFieldValidation(validation) ? validation : 'Warn',
    force,
  };
}

function isFieldValidation(text: string): text is FieldValidation {
  return text === 'Ignore' || text === 'Warn' || text === 'Strict';
}

function dryRunCauses(values: readonly string[]): readonly Cause[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

function managerCauses(manager: string): readonly Cause[] {
  const causes: Cause[] = [];
  if (Buffer.byteLength(manager) > 128) causes.push(tooLong('fieldManager', 128));
  if (/\p{C}/u.test(manager))
    causes.push(invalidValue('fieldManager', manager, 'should only contain printable characters'));
  return causes;
}

/** The manager that an update is recorded under: the option, else the product in the User-Agent. */
export function updateManager(option: string, userAgent: string): string {
  if (option !== '') return option;
  const product = (userAgent.split('/')[0] ?? '').replaceAll(/\p{C}/gu, '').slice(0, 128);
  return product === '' ? 'unknown' : product;
}

export type Propagation = 'Orphan' | 'Background' | 'Foreground';

/** Options of delete and deletecollection. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagation: Propagation | undefined;
  /** `orphanDependents` was given as false, which changes the code of the answer. */
  readonly cascading: boolean;
}

/**
 * Reads the options of a delete; a body wins over the query altogether.
 *
 * @throws StatusError 400 or 422 naming the option.
 */
export function deleteOptions(query: URLSearchParams, body: unknown): DeleteOptions {
  const given = body === undefined || body === null ? fromQuery(query) : importJson(body);
  if (!isObject(given)) throw badRequest('the body of a DELETE must be DeleteOptions');
  const kind = given['kind'];
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(`the kind in the data (${JSON.stringify(kind)}) does not match the expected kind (DeleteOptions)`);
  }
  checkDeleteTypes(given);
  const causes: Cause[] = [];
  const dryRun = isList(given['dryRun']) ? given['dryRun'].map(String) : [];
  causes.push(...dryRunCauses(dryRun));
  const { orphanDependents, propagationPolicy } = given;
  if (typeof orphanDependents === 'boolean' && typeof propagationPolicy === 'string') {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    causes.push(invalidValue('propagationPolicy', propagationPolicy, why));
  } else if (typeof propagationPolicy === 'string' && !isPropagation(propagationPolicy)) {
    causes.push(notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (causes.length > 0) throw invalid({ group: META_GROUP, kind: 'DeleteOptions', name: '' }, causes);
  const grace = given['gracePeriodSeconds'];
  return {
    dryRun: dryRun.length > 0,
    // Negative periods count as one second.
    gracePeriodSeconds: typeof grace === 'number' ? (grace < 0 ? 1 : grace) : undefined,
    uid: optionalText(at(given, 'preconditions', 'uid')),
    resourceVersion: optionalText(at(given, 'preconditions', 'resourceVersion')),
    propagation: propagation(orphanDependents, propagationPolicy),
    cascading: orphanDependents === false,
  };
}

/** Members of DeleteOptions: how JSON calls their type, and how Go does. */
const DELETE_TYPES: readonly (readonly [string, string, string])[] = [
  ['gracePeriodSeconds', 'number', 'int64'],
  ['preconditions', 'object', 'v1.Preconditions'],
  ['orphanDependents', 'bool', 'bool'],
  ['propagationPolicy', 'string', 'v1.DeletionPropagation'],
  ['dryRun', 'array', '[]string'],
  ['preconditions.uid', 'string', 'types.UID'],
  ['preconditions.resourceVersion', 'string', 'string'],
];

function checkDeleteTypes(options: JsonObject): void {
  for (const [field, type, goType] of DELETE_TYPES) {
    const value = at(options, ...field.split('.')) ?? null;
    const found = isList(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    if (value === null || found === type) continue;
    throw badRequest(`json: cannot unmarshal ${found} into Go struct field DeleteOptions.${field} of type ${goType}`);
  }
}

function propagation(orphan: Json | undefined, policy: Json | undefined): Propagation | undefined {
  if (typeof orphan === 'boolean') return orphan ? 'Orphan' : 'Background';
  return typeof policy === 'string' && isPropagation(policy) ? policy : undefined;
}

function isPropagation(text: string): text is Propagation {
  return text === 'Orphan' || text === 'Background' || text === 'Foreground';
}

function optionalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fromQuery(query: URLSearchParams): Json {
  const options: Record<string, Json> = {};
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  if (dryRun.length > 0) options['dryRun'] = dryRun;
  const grace = query.get('gracePeriodSeconds');
  if (grace !== null && grace !== '') {
    if (!/^-?\d+$/.test(grace)) throw badRequest(`strconv.ParseInt: parsing "${grace}": invalid syntax`);
    options['gracePeriodSeconds'] = Number(grace);
  }
  const policy = query.get('propagationPolicy');
  if (policy !== null && policy !== '') options['propagationPolicy'] = policy;
  if (query.has('orphanDependents')) options['orphanDependents'] = isTrue(query.get('orphanDependents'));
  return options;
}
