// The scale subresource: the replicas of any kind that has some, in one common form.
import { invalidValue } from '../causes.ts';
import { badRequest, conflict, internalError, invalid, notFound, OBJECT_MODIFIED } from '../errors.ts';
import { at, freezeJson, isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
import { selectorText, text } from '../kinds/columns/cells.ts';
import type { ScalePaths } from '../kinds/resource-type.ts';
import { stored, subjectOf, type Call, type Core, type Result } from './core.ts';
import { importObject, withCleanMetadata } from './decode.ts';
import { unsupported } from './dispatch-errors.ts';
import { applyConfiguration } from './field-managers.ts';
import { writeOptions, type WriteOptions } from './options.ts';
import { APPLY_PATCH, patchedObject, patchType } from './patch.ts';
import { checkName } from './update.ts';
import { replace, type Replacement } from './write.ts';

const API_VERSION = 'autoscaling/v1';

/** GET, PUT and PATCH on `/scale`. */
export function scale(core: Core, call: Call, paths: ScalePaths): Result {
  const found = stored(core, call);
  if (found === undefined) throw notFound(subjectOf(call, call.resource.name));
  const live = call.type.fromStorage(found);
  const current = scaleOf(live, paths);
  switch (call.resource.verb) {
    case 'get':
      return { status: 200, body: freezeJson(current) };
    case 'update': {
      const options = writeOptions(call.info.query, 'UpdateOptions', false);
      return write(core, call, paths, live, importObject(call.request.body), options);
    }
    case 'patch':
      return patchScale(core, call, paths, live, current);
    case 'list':
    case 'watch':
    case 'create':
    case 'delete':
    case 'deletecollection':
      throw unsupported(call);
  }
}

function patchScale(core: Core, call: Call, paths: ScalePaths, live: KubeObject, current: JsonObject): Result {
  const type = patchType(call);
  const options = writeOptions(call.info.query, 'PatchOptions', type === APPLY_PATCH);
  if (type !== APPLY_PATCH)
    return write(core, call, paths, live, patchedObject(call, current, type, call.request.body), options);
  const body = importObject(call.request.body);
  const { apiVersion, kind } = live;
  const { name, namespace } = live.metadata;
  const bare: KubeObject = {
    apiVersion,
    kind,
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
  };
  const configuration = withMember(bare, paths.spec, replicasOf(call, body)) as KubeObject;
  const wanted = applyConfiguration(core, call, live, configuration, options, 'scale');
  const written = replace(core, call, { ...through(paths), live, wanted, options, applied: true });
  return { status: 200, body: freezeJson(scaleOf(written, paths)) };
}

function write(
  core: Core,
  call: Call,
  paths: ScalePaths,
  live: KubeObject,
  body: JsonObject,
  options: WriteOptions,
): Result {
  const { kind, apiVersion } = body;
  if ((kind ?? 'Scale') !== 'Scale' || (apiVersion ?? API_VERSION) !== API_VERSION) {
    throw badRequest(
      `the object in the data (${text(apiVersion)}, ${text(kind)}) does not match the expected ${API_VERSION}, Scale`,
    );
  }
  const asked = withCleanMetadata(body);
  checkName(call, asked);
  const { resourceVersion } = asked.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '0' && resourceVersion !== live.metadata.resourceVersion) {
    throw conflict(subjectOf(call, call.resource.name), OBJECT_MODIFIED);
  }
  const wanted = withMember(live, paths.spec, replicasOf(call, body)) as KubeObject;
  const written = replace(core, call, { ...through(paths), live, wanted, options, applied: false });
  return { status: 200, body: freezeJson(scaleOf(written, paths)) };
}

function through(paths: ScalePaths): Pick<Replacement, 'scope' | 'subresource' | 'scaleOf'> {
  return { scope: '', subresource: 'scale', scaleOf: (object) => scaleOf(object, paths) as KubeObject };
}

function replicasOf(call: Call, body: JsonObject): number {
  const replicas = at(body, 'spec', 'replicas') ?? 0;
  if (typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0) return replicas;
  const causes = [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')];
  throw invalid({ group: 'autoscaling', kind: 'Scale', name: call.resource.name }, causes);
}

function scaleOf(object: KubeObject, paths: ScalePaths): JsonObject {
  const replicas = at(object, ...paths.spec);
  if (typeof replicas !== 'number')
    throw internalError(`the spec replicas field ".${paths.spec.join('.')}" does not exist`);
  const current = at(object, ...paths.status);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: 'Scale',
    apiVersion: API_VERSION,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    // As in the real server, none are not worth a member here.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: typeof current === 'number' ? current : 0, ...selector(paths, object) },
  };
}

function selector({ selector: path }: ScalePaths, object: KubeObject): JsonObject {
  const value: Json | undefined = path === undefined ? undefined : at(object, ...path);
  if (typeof value === 'string') return { selector: value };
  return isObject(value) ? { selector: selectorText(value) } : {};
}

function withMember(object: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return object;
  if (rest.length === 0) return { ...object, [key]: value };
  const member = object[key];
  return { ...object, [key]: withMember(isObject(member) ? member : {}, rest, value) };
}
