// CustomResourceDefinitions for kinds that a package defines: the author writes the schema of the spec, the rest is here.
import type { V1CustomResourceColumnDefinition } from '@kubernetes/client-node';
import type { CustomResourceDefinition } from './builtin.ts';
import type { Desired, KubernetesObject, Raw } from './model.ts';
import { groupOf } from './names.ts';
import type { Resource } from './resource.ts';
import { procedureSettingsSchema, statusSchema, type Schema } from './status-schema.ts';

export type PrinterColumn = Raw<V1CustomResourceColumnDefinition>;

export interface CrdOptions {
  /** Such as `['web']`, for `kubectl get web`. */
  readonly shortNames?: readonly string[];
  /** Schema of `spec`, an object. `spec.procedure` is added. */
  readonly spec: Schema;
  /** Properties of `status` beside those of the framework, by name. */
  readonly status?: Readonly<Record<string, Schema>>;
  /** Columns before AGE. */
  readonly printerColumns?: readonly PrinterColumn[];
}

const COLUMNS: readonly PrinterColumn[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Version', type: 'string', jsonPath: '.status.procedure.version' },
  { name: 'Status', type: 'string', jsonPath: '.status.procedure.phase' },
];
const SUMMARY: PrinterColumn = { name: 'Summary', type: 'string', jsonPath: '.status.procedure.summary', priority: 1 };
const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/**
 * The complete definition of a kind, with the status subresource, `spec.procedure`, the framework's status, and the
 * columns READY, VERSION, STATUS and AGE.
 *
 * @throws Error if the spec's schema is not that of an object, or names a field that the framework uses
 */
export function crdFor<T extends KubernetesObject>(
  resource: Resource<T>,
  { shortNames = [], spec, status = {}, printerColumns = [] }: CrdOptions,
): Desired<CustomResourceDefinition> {
  const { apiVersion, kind, plural, namespaced } = resource;
  const group = groupOf(apiVersion);
  if (group === '') throw new Error(`crdFor(${kind}): apiVersion must be GROUP/VERSION, found "${apiVersion}"`);
  if (spec.type !== 'object')
    throw new Error(`crdFor(${kind}): the schema of spec must have type object, found ${JSON.stringify(spec.type)}`);
  const taken = ['procedure'].filter((name) => spec.properties?.[name] !== undefined);
  if (taken.length > 0) throw new Error(`crdFor(${kind}): spec.${taken.join(', spec.')} belongs to the framework`);
  const isSpecRequired = (spec.required ?? []).length > 0;
  const openAPIV3Schema: Schema = {
    type: 'object',
    properties: {
      spec: { ...spec, properties: { ...spec.properties, procedure: procedureSettingsSchema } },
      status: statusSchema(kind, status),
    },
    ...(isSpecRequired ? { required: ['spec'] } : {}),
  };
  const singular = kind.toLowerCase();
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular, ...(shortNames.length > 0 ? { shortNames } : {}) },
      versions: [
        {
          name: apiVersion.slice(group.length + 1),
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns: [...COLUMNS, ...printerColumns, SUMMARY, AGE],
        },
      ],
    },
  };
}
