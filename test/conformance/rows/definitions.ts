// The custom resources that rows share.
import { group } from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;

interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Json;
}

/** A CustomResourceDefinition; `groupName` may hold a reference such as `{ns}`. */
export function definition(groupName: string, plural: string, kind: string, spec: Json): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${groupName}` },
    spec: {
      group: groupName,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      ...spec,
    },
  };
}

/** A version with a schema for `spec` and `status`. */
export function version(name: string, spec: Json, more: Json = {}): Json {
  const schema = {
    type: 'object',
    properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  };
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

export const textType = { type: 'string' };
export const numberType = { type: 'integer' };

const widgetSpec = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 100 },
    color: { type: 'string', enum: ['red', 'green', 'blue'] },
    code: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
    mode: { type: 'string', default: 'auto' },
    note: { type: 'string', nullable: true },
    replicas: numberType,
    limits: { type: 'object', properties: { low: { type: 'integer', default: 1 }, high: numberType } },
    tags: { type: 'array', items: textType, 'x-kubernetes-list-type': 'set' },
    options: { type: 'array', items: textType, 'x-kubernetes-list-type': 'atomic' },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'side'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: textType, side: { type: 'string', default: 'left' }, weight: numberType },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: textType },
  },
};

const selectableFields = [{ jsonPath: '.spec.color' }];
const gadgetSpec = { type: 'object', properties: { size: numberType, color: textType } };

/** Both are installed on every server before rows run. */
export const sharedDefinitions: readonly Definition[] = [
  {
    ...definition(group, 'widgets', 'Widget', {
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['wd'],
        categories: ['all'],
      },
      versions: [
        version('v1', widgetSpec, {
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        }),
      ],
    }),
  },
  definition(group, 'gadgets', 'Gadget', {
    versions: [
      version('v1', gadgetSpec, { selectableFields }),
      version('v1beta1', gadgetSpec, { selectableFields, storage: false }),
      version('v1alpha1', gadgetSpec, { selectableFields, storage: false, served: false }),
    ],
  }),
];
