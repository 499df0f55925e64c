// Rows about validation of custom resources beyond their types.
import { absent, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { numberType, textType } from './definitions.ts';
import { answers, create, fails, invalid, jsonPatch, mergePatch, widget, widgets } from './dsl.ts';
import { install, oneVersion, ownCrd, schemaOf, thing, things } from './things.ts';

export const ruleRows: readonly Row[] = [
  {
    id: '139',
    title: 'Duplicates in a list of type set or map: 422',
    priority: 'P1',
    steps: [
      create(
        widgets,
        widget('x', { tags: ['a', 'a'] }),
        invalid({ reason: 'FieldValueDuplicate', field: 'spec.tags[1]' }),
      ),
      create(
        widgets,
        widget('x', { parts: [{ name: 'p' }, { name: 'p', side: 'left' }] }),
        invalid({ reason: 'FieldValueDuplicate', field: 'spec.parts[1]' }),
      ),
      create(widgets, widget('x', { parts: [{ name: 'p' }, { name: 'p', side: 'right' }] }), answers(201)),
    ],
  },
  {
    id: '140',
    title:
      'Rules in CEL: 422 with their message; oldSelf makes a transition rule, which a create passes; skipped, with a note, when basic errors block',
    priority: 'P1',
    setup: install(
      oneVersion(
        schemaOf({
          size: numberType,
          limits: schemaOf(
            { low: numberType, high: numberType },
            { 'x-kubernetes-validations': [{ rule: 'self.low <= self.high', message: 'low may not be above high' }] },
          ),
          fixed: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed may not change' }],
          },
        }),
      ),
    ),
    steps: [
      create(
        things,
        thing('x', { spec: { limits: { low: 5, high: 3 } } }),
        invalid({ reason: 'FieldValueInvalid', field: 'spec.limits', message: text('low may not be above high$') }),
      ),
      create(things, thing('x', { spec: { limits: { low: 1, high: 3 }, fixed: 'a' } }), answers(201)),
      mergePatch(
        `${things}/x`,
        { spec: { fixed: 'b' } },
        invalid({ field: 'spec.fixed', message: text('fixed may not change$') }),
      ),
      mergePatch(`${things}/x`, { spec: { fixed: 'a', size: 2 } }, answers(200)),
      create(
        things,
        thing('y', { spec: { size: 'big', limits: { low: 5, high: 3 } } }),
        invalid(
          { field: 'spec.size' },
          { field: '<nil>', message: text('some validation rules were not checked because the object was invalid') },
        ),
      ),
    ],
  },
  {
    id: '141',
    title: 'What was invalid already and does not change does not block an update',
    priority: 'P1',
    since: '1.30',
    setup: [
      ...install(oneVersion(schemaOf({ size: numberType, code: textType }))),
      create(things, thing('x', { spec: { size: 50, code: 'a' } })),
    ],
    steps: [
      jsonPatch(
        ownCrd,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum',
            value: 10,
          },
        ],
        answers(200),
      ),
      {
        until: { method: 'POST', path: `${things}?dryRun=All`, body: thing('y', { spec: { size: 50 } }) },
        expect: fails(422, 'Invalid'),
      },
      mergePatch(`${things}/x`, { spec: { code: 'b' } }, answers(200, { spec: { size: 50, code: 'b' } })),
      mergePatch(`${things}/x`, { spec: { size: 51 } }, fails(422, 'Invalid')),
    ],
  },
  {
    id: 'K9',
    title: 'int-or-string, formats and embedded resources',
    priority: 'P1',
    setup: install(
      oneVersion(
        schemaOf({
          port: { 'x-kubernetes-int-or-string': true },
          when: { type: 'string', format: 'date-time' },
          inner: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        }),
      ),
    ),
    steps: [
      create(things, thing('a', { spec: { port: 80 } }), answers(201, { spec: { port: 80 } })),
      create(things, thing('b', { spec: { port: '80%' } }), answers(201, { spec: { port: '80%' } })),
      create(things, thing('c', { spec: { port: true } }), fails(422, 'Invalid')),
      create(
        things,
        thing('d', { spec: { when: 'yesterday' } }),
        invalid({ field: 'spec.when', reason: 'FieldValueTypeInvalid' }),
      ),
      create(
        things,
        thing('e', {
          spec: { inner: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', extra: 1 }, spec: { any: 1 } } },
        }),
        answers(201, { spec: { inner: { spec: { any: 1 }, metadata: { name: 'p', extra: absent } } } }),
      ),
      create(
        things,
        thing('f', { spec: { inner: { spec: {} } } }),
        invalid({ field: 'spec.inner.apiVersion', reason: 'FieldValueRequired' }),
      ),
    ],
  },
];
