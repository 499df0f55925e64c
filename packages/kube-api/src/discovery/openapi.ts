// OpenAPI v3: an index of groups, and for each group version its paths and schemas, as far as kubectl reads them.
import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import { builtinPart } from '../schema/builtin-types.ts';
import type { Registry } from '../server/registry.ts';
import { SchemaCollector } from './openapi-schemas.ts';

const documents = new WeakMap<Registry, { readonly generation: number; readonly byPath: Map<string, JsonObject> }>();

/** `/openapi/v3`: where the documents are, each with a hash so that clients may keep it. */
export function openapiIndex(registry: Registry): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const path of new Set(registry.types().map(groupPath))) {
    const document = openapiDocument(registry, path) ?? {};
    const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex').toUpperCase();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return { paths };
}

/** `/openapi/v3/PATH`, such as `apis/apps/v1`; undefined if nothing is served there. */
export function openapiDocument(registry: Registry, path: string): JsonObject | undefined {
  let cached = documents.get(registry);
  if (cached?.generation !== registry.generation) {
    cached = { generation: registry.generation, byPath: new Map() };
    documents.set(registry, cached);
  }
  let document = cached.byPath.get(path);
  if (document !== undefined) return document;
  const types = registry.types().filter((type) => groupPath(type) === path);
  if (types.length === 0) return undefined;
  document = build(types);
  cached.byPath.set(path, document);
  return document;
}

function groupPath({ group, version }: ResourceType): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function build(types: readonly ResourceType[]): JsonObject {
  const schemas = new SchemaCollector();
  const paths: Record<string, JsonObject> = {};
  for (const type of types) {
    const component = type.custom ? addCustom(schemas, type) : schemas.addKind(type);
    const collection = `/${groupPath(type)}/${type.namespaced ? 'namespaces/{namespace}/' : ''}${type.plural}`;
    const gvk = { group: type.group, version: type.version, kind: type.kind };
    paths[collection] = operations(type, gvk, component, ['get', 'post']);
    paths[`${collection}/{name}`] = operations(type, gvk, component, ['get', 'put', 'patch', 'delete']);
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths,
    components: { schemas: schemas.schemas() },
  };
}

function addCustom(schemas: SchemaCollector, type: ResourceType): string {
  const name = `${type.group.split('.').reverse().join('.')}.${type.version}.${type.kind}`;
  const given = type.openapi ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const properties = isObject(given['properties']) ? given['properties'] : {};
  const { group, version, kind } = type;
  schemas.add(name, {
    ...given,
    properties: {
      ...properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: schemas.of(builtinPart('ObjectMeta')),
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  });
  return name;
}

const WRITES = ['post', 'put', 'patch', 'delete'];
const ACTIONS: Readonly<Record<string, string>> = {
  get: 'get',
  post: 'post',
  put: 'put',
  patch: 'patch',
  delete: 'delete',
};
/** Strategic merge is not listed: clients then use what they know of the built-in kinds themselves. */
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

function operations(type: ResourceType, gvk: JsonObject, component: string, methods: readonly string[]): JsonObject {
  const reference = { schema: { $ref: `#/components/schemas/${component}` } };
  const entries = methods.map((method) => {
    const parameters = WRITES.includes(method) ? WRITE_PARAMETERS : [];
    const bodyTypes = method === 'patch' ? PATCH_TYPES : ['application/json'];
    const content = Object.fromEntries(
      bodyTypes.map((media) => [media, method === 'patch' ? { schema: { type: 'object' } } : reference]),
    );
    const operation: JsonObject = {
      operationId: `${method}${type.kind}`,
      parameters,
      ...(method === 'post' || method === 'put' || method === 'patch'
        ? { requestBody: { content, required: true } }
        : {}),
      responses: { '200': { description: 'OK', content: { 'application/json': reference } } },
      'x-kubernetes-action': ACTIONS[method],
      'x-kubernetes-group-version-kind': gvk,
    };
    return [method, operation] as const;
  });
  return Object.fromEntries(entries);
}

const WRITE_PARAMETERS: readonly JsonObject[] = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));
