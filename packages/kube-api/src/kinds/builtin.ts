// The built-in resources, from their declarations.
import type { KubeObject } from '../json.ts';
import { completeBuiltin, deducedSchema, schemaOfBuiltin } from '../schema/index.ts';
import { fieldReader } from '../server/field-selector.ts';
import { ALL_VERBS, type Declaration } from './declaration.ts';
import { CORE_TYPES } from './declarations-core.ts';
import { OTHER_TYPES } from './declarations-other.ts';
import { WORKLOAD_TYPES } from './declarations-workloads.ts';
import { apiVersionOf, tableName, type ResourceType } from './resource-type.ts';
import { plainRules } from './rules/plain.ts';

/** All built-in resources. */
export const BUILTIN_TYPES: readonly ResourceType[] = [...CORE_TYPES, ...WORKLOAD_TYPES, ...OTHER_TYPES].map(builtin);

function builtin(declaration: Declaration): ResourceType {
  const { group = '', version = 'v1', kind, plural } = declaration;
  const apiVersion = apiVersionOf(group, version);
  const schema = schemaOfBuiltin(apiVersion, kind) ?? deducedSchema;
  return {
    group,
    version,
    apiVersion,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    namespaced: declaration.cluster !== true,
    verbs: declaration.verbs ?? ALL_VERBS,
    custom: false,
    status: declaration.status === true,
    scale: declaration.scale,
    subresources: declaration.subresources ?? [],
    fields: fieldReader(declaration.fields ?? []),
    columns: declaration.columns ?? [],
    rules: { ...plainRules, decode: (object) => completeBuiltin(object, schema), ...declaration.rules },
    openapi: undefined,
    schema,
    ...(declaration.storage ?? { table: tableName(group, plural), fromStorage: same, toStorage: same }),
    deprecation: undefined,
    refusesCreate: undefined,
  };
}

function same(object: KubeObject): KubeObject {
  return object;
}
