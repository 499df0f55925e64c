// The form of an answer that the Accept header asks for: the object itself, its metadata only, or a table for people.
import { notAcceptable } from '../errors.ts';
import { freezeJson, isList, isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
import type { Column, ResourceType } from '../kinds/resource-type.ts';

/** Turns an object or list of the request's resource into the form asked for. Status objects pass unchanged. */
export type Shape = (body: object) => object;

type Form = 'object' | 'metadata' | 'table';

const META_API_VERSION = 'meta.k8s.io/v1';

/**
 * The form that an Accept header asks for; the first entry that can be served wins.
 *
 * @throws StatusError 406 if none can be served.
 */
export function acceptedForm(accept: string | undefined): Form {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return 'object';
  for (const clause of accept.split(',')) {
    const [media = '', ...parameters] = clause.split(';').map((part) => part.trim());
    if (media !== 'application/json' && media !== 'application/*' && media !== '*/*') continue;
    const values = new Map(parameters.map((parameter) => [parameter.split('=')[0], parameter.split('=')[1]]));
    const as = values.get('as');
    if (as === undefined) return 'object';
    if (values.get('g') !== 'meta.k8s.io' || values.get('v') !== 'v1') continue;
    if (as === 'Table') return 'table';
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata';
  }
  throw notAcceptable();
}

/** The shape for one request or watch. A watch of tables explains the columns in its first event only. */
export function shapeFor(
  type: ResourceType,
  form: Form,
  query: URLSearchParams,
  nowMs: () => number,
  stream: boolean,
): Shape {
  if (form === 'object') return (body) => body;
  if (form === 'metadata') return (body) => metadataOnly(type, body as JsonObject);
  const include = query.get('includeObject') ?? 'Metadata';
  let explained = false;
  return (body) => {
    const columns = explained && stream ? null : columnDefinitions(type.columns);
    explained = true;
    return table(type, body as JsonObject, columns, include, nowMs());
  };
}

function rowsOf(type: ResourceType, body: JsonObject): readonly KubeObject[] | undefined {
  if (body['kind'] === type.listKind && isList(body['items'])) return body['items'] as readonly KubeObject[];
  return body['kind'] === type.kind ? [body as KubeObject] : undefined;
}

function isBookmark(body: JsonObject): boolean {
  return isObject(body['metadata']) && body['metadata']['name'] === undefined;
}

function metadataOnly(type: ResourceType, body: JsonObject): object {
  const objects = rowsOf(type, body);
  if (objects === undefined) return body;
  if (body['kind'] !== type.listKind) return partial(body as KubeObject);
  const items = Object.freeze(objects.map(partial));
  return Object.freeze({
    kind: 'PartialObjectMetadataList',
    apiVersion: META_API_VERSION,
    metadata: listMetadata(body),
    items,
  });
}

/** Metadata of a list in a form of its own, which has no empty continue token, unlike lists of custom resources. */
function listMetadata(body: JsonObject): JsonObject {
  const given = isObject(body['metadata']) ? body['metadata'] : {};
  const metadata: Record<string, Json> = {};
  for (const key of ['resourceVersion', 'continue', 'remainingItemCount']) {
    const value = given[key];
    if (value !== undefined && value !== '') metadata[key] = value;
  }
  return metadata;
}

const partials = new WeakMap<KubeObject, JsonObject>();

function partial(object: KubeObject): JsonObject {
  let made = partials.get(object);
  if (made === undefined) {
    made = Object.freeze({ kind: 'PartialObjectMetadata', apiVersion: META_API_VERSION, metadata: object.metadata });
    partials.set(object, made);
  }
  return made;
}

function columnDefinitions(columns: readonly Column[]): readonly JsonObject[] {
  return columns.map(({ name, type, format = '', description = '', priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

function table(type: ResourceType, body: JsonObject, columns: Json, include: string, nowMs: number): object {
  const objects = rowsOf(type, body);
  if (objects === undefined) return body;
  const rows =
    isBookmark(body) && body['kind'] === type.kind ? [] : objects.map((object) => row(type, object, include, nowMs));
  const metadata = listMetadata(body);
  return freezeJson({ kind: 'Table', apiVersion: META_API_VERSION, metadata, columnDefinitions: columns, rows });
}

function row(type: ResourceType, object: KubeObject, include: string, nowMs: number): JsonObject {
  const cells = type.columns.map((column) => column.cell(object, nowMs));
  if (include === 'None') return { cells };
  // A list's items may lack their type; rows always have it.
  if (include === 'Object') return { cells, object: { ...object, apiVersion: type.apiVersion, kind: type.kind } };
  return { cells, object: partial(object) };
}
