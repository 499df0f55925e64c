// Rows about the schema of custom resources.
import { absent, exactly, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { definition, numberType } from './definitions.ts';
import { answers, as, create, fails, get, invalid, jsonPatch, mergePatch, until, widget, widgets } from './dsl.ts';
import { install, oneVersion, own, ownCrd, schemaOf, thing, things } from './things.ts';

type Json = Readonly<Record<string, unknown>>;

export const schemaRows: readonly Row[] = [
  {
    id: '135',
    title: 'Members that the schema does not know are pruned, except under x-kubernetes-preserve-unknown-fields',
    priority: 'P0',
    steps: [
      create(
        widgets,
        widget('x', { size: 1, colour: 'red', free: { any: { thing: [1, 'two'] } }, parts: [{ name: 'p', extra: 1 }] }),
        answers(201, {
          spec: {
            colour: absent,
            free: exactly({ any: { thing: [1, 'two'] } }),
            parts: [{ name: 'p', extra: absent }],
          },
        }),
      ),
      create(
        widgets,
        { ...widget('y'), extra: 1, metadata: { name: 'y', extra: 1 } },
        answers(201, { extra: absent, metadata: { extra: absent } }),
      ),
    ],
  },
  {
    id: '136',
    title: 'Defaults are set on write and on read: an object older than the default shows it',
    priority: 'P0',
    setup: [
      ...install(oneVersion(schemaOf({ size: numberType }))),
      as('a', create(things, thing('old', { spec: { size: 1 } }))),
    ],
    steps: [
      as('d', get(ownCrd, answers(200))),
      jsonPatch(
        ownCrd,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/mode',
            value: { type: 'string', default: 'auto' },
          },
        ],
        answers(200),
      ),
      until(
        `${things}/old`,
        answers(200, {
          spec: { size: 1, mode: 'auto' },
          metadata: { resourceVersion: '{a.metadata.resourceVersion}', generation: 1 },
        }),
      ),
      until(things, answers(200, { items: [{ spec: { mode: 'auto' } }] })),
      create(things, thing('new', { spec: {} }), answers(201, { spec: { mode: 'auto' } })),
      create(things, thing('bare'), answers(201, { spec: absent })),
    ],
  },
  {
    id: '137',
    title:
      'null where null is not allowed: replaced by the default, or removed where there is none; kept where it is nullable',
    priority: 'P1',
    steps: [
      create(
        widgets,
        widget('x', { mode: null, color: null, note: null, size: 1 }),
        answers(201, { spec: exactly({ mode: 'auto', note: null, size: 1 }) }),
      ),
    ],
  },
  {
    id: '138',
    title: 'type, enum, pattern, length, minimum, maximum and required: 422 with a cause for each',
    priority: 'P0',
    steps: [
      create(
        widgets,
        widget('x', { size: 'big' }),
        invalid({
          reason: 'FieldValueTypeInvalid',
          field: 'spec.size',
          message: 'Invalid value: "string": spec.size in body must be of type integer: "string"',
        }),
      ),
      create(
        widgets,
        widget('x', { size: 101, color: 'pink', code: 'ABC' }),
        invalid(
          {
            reason: 'FieldValueInvalid',
            field: 'spec.size',
            message: 'Invalid value: 101: spec.size in body should be less than or equal to 100',
          },
          {
            reason: 'FieldValueNotSupported',
            field: 'spec.color',
            message: 'Unsupported value: "pink": supported values: "red", "green", "blue"',
          },
          {
            reason: 'FieldValueInvalid',
            field: 'spec.code',
            message: 'Invalid value: "ABC": spec.code in body should match \'^[a-z]+$\'',
          },
        ),
      ),
      create(
        widgets,
        widget('x', { size: -1, code: 'abcdefghijk', parts: [{ weight: 1 }] }),
        invalid(
          { reason: 'FieldValueInvalid', field: 'spec.size' },
          { reason: 'FieldValueTooLong', field: 'spec.code', message: text('^Too long: may not be more than 8 bytes') },
          { reason: 'FieldValueRequired', field: 'spec.parts[0].name', message: 'Required value' },
        ),
      ),
      create(widgets, widget('x', { size: 1.5, parts: 'none', limits: [] }), fails(422, 'Invalid')),
    ],
  },
  {
    id: 'K7',
    title: 'A default inside of a member that is there is set; a member that is absent gets no defaults inside',
    priority: 'P0',
    steps: [
      create(widgets, widget('x', { limits: {} }), answers(201, { spec: { limits: { low: 1 } } })),
      create(widgets, widget('y', {}), answers(201, { spec: exactly({ mode: 'auto' }) })),
      create(
        widgets,
        widget('z', { parts: [{ name: 'p' }] }),
        answers(201, { spec: { parts: [{ name: 'p', side: 'left' }] } }),
      ),
      mergePatch(
        `${widgets}/z`,
        { spec: { mode: null } },
        answers(200, { spec: { mode: 'auto' }, metadata: { generation: 1 } }),
      ),
    ],
  },
  {
    id: 'K8',
    title: 'The status of a custom resource is pruned and validated by the schema, too',
    priority: 'P0',
    setup: [
      ...install(
        definition(own, 'things', 'Thing', {
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: schemaOf({}),
                    status: schemaOf({ phase: { type: 'string', enum: ['Up', 'Down'] } }),
                  },
                },
              },
            },
          ],
        }) as unknown as Json,
      ),
      create(things, thing('x')),
    ],
    steps: [
      mergePatch(
        `${things}/x/status`,
        { status: { phase: 'Up', extra: 1 } },
        answers(
          200,
          { status: exactly({ phase: 'Up' }) },
          { headers: { warning: text('unknown field \\\\"status.extra') } },
        ),
      ),
      mergePatch(
        `${things}/x/status`,
        { status: { phase: 'Sideways' } },
        invalid({ field: 'status.phase', reason: 'FieldValueNotSupported' }),
      ),
    ],
  },
];
