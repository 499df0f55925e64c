// A custom resource of a row's own, for rows that change its definition.
import { containing } from '../matchers.ts';
import type { Step } from '../row.ts';
import { definition, version } from './definitions.ts';
import { answers, create, crds, until } from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;

/** The group of the row's own custom resource. */
export const own = '{ns}.example';
/** Its definition. */
export const ownCrd = `${crds}/things.${own}`;
/** Its objects, in v1. */
export const things = `/apis/${own}/v1/namespaces/{ns}/things`;
/** One of them. */
export const thing = (name: string, rest: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: `${own}/v1`,
  kind: 'Thing',
  metadata: { name, ...metadata },
  ...rest,
});
/** The schema of an object with these members. */
export const schemaOf = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
/** A definition with the one version v1. */
export const oneVersion = (spec: Json, more: Json = {}): Json =>
  definition(own, 'things', 'Thing', { versions: [version('v1', spec, more)] }) as unknown as Json;
/** A status with such a condition. */
export const condition = (type: string, status = 'True'): Json => ({
  status: { conditions: containing({ type, status }) },
});

/** Installs a definition of the row's own and waits until an object can be created. */
export function install(body: Json): readonly Step[] {
  return [create(crds, body), until(ownCrd, answers(200, condition('Established'))), until(things, answers(200))];
}
