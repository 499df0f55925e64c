// Rows about several managers of one field, and about applies that are refused.
import { absent, like, containing, exactly, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  as,
  configMap,
  configMaps,
  fails,
  invalid,
  managed,
  mergePatch,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;

export const conflictRows: readonly Row[] = [
  {
    id: '57',
    title: 'Apply with a uid of what is missing: 409, it can never recreate',
    priority: 'P1',
    steps: [
      apply(
        x,
        'one',
        widget('x', {}, { uid: '11111111-1111-1111-1111-111111111111' }),
        fails(409, 'Conflict', {
          message: text(
            'uid mismatch: the provided object specified uid 11111111-1111-1111-1111-111111111111, and no existing object was found',
          ),
        }),
      ),
    ],
  },
  {
    id: '58',
    title:
      'Apply of another value for a field of another manager: 409 Conflict, causes FieldManagerConflict with the field',
    priority: 'P0',
    setup: [apply(x, 'one', widget('x', { size: 1, color: 'red' }))],
    steps: [
      apply(
        x,
        'two',
        widget('x', { size: 2 }),
        fails(409, 'Conflict', {
          message: 'Apply failed with 1 conflict: conflict with "one": .spec.size',
          details: {
            causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.size' }],
          },
        }),
      ),
      mergePatch(`${x}?fieldManager=hand`, { spec: { code: 'abc' } }, answers(200)),
      apply(
        x,
        'two',
        widget('x', { size: 2, color: 'blue', code: 'def' }),
        fails(409, 'Conflict', {
          message: like('^Apply failed with 3 conflicts: conflicts? with '),
          details: {
            causes: containing({ field: '.spec.code', message: 'conflict with "hand" using conformance.pawl.dev/v1' }),
          },
        }),
      ),
    ],
  },
  {
    id: '59',
    title:
      'Apply of the value that another manager applied: both own the field, no conflict; an entry that changes no value has no time',
    priority: 'P0',
    setup: [apply(x, 'one', widget('x', { size: 1 }))],
    steps: [
      apply(
        x,
        'two',
        widget('x', { size: 1 }),
        answers(
          200,
          {
            metadata: {
              managedFields: [
                managed('two', 'Apply', { time: absent, fieldsV1: { 'f:spec': { 'f:size': {} } } }),
                managed('one', 'Apply', { time: present, fieldsV1: { 'f:spec': { 'f:size': {} } } }),
              ],
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
    ],
  },
  {
    id: '60',
    title: 'Apply with force takes the field and removes it from the other manager',
    priority: 'P0',
    setup: [apply(x, 'one', widget('x', { size: 1, color: 'red' }))],
    steps: [
      apply(
        x,
        'two',
        widget('x', { size: 2 }),
        answers(200, {
          spec: { size: 2, color: 'red' },
          metadata: {
            managedFields: containing(
              managed('one', 'Apply', { fieldsV1: exactly({ 'f:spec': { 'f:color': {} } }) }),
              managed('two', 'Apply', { fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }) }),
            ),
          },
        }),
        '&force=true',
      ),
    ],
  },
  {
    id: '65',
    title: 'An applied object with managedFields, or of another apiVersion than the URL: 400',
    priority: 'P1',
    steps: [
      apply(
        x,
        'one',
        widget(
          'x',
          {},
          { managedFields: [managed('one', 'Apply', { apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} })] },
        ),
        fails(400, 'BadRequest', {
          message: 'metadata.managedFields must be nil',
        }),
      ),
      apply(x, 'one', { ...widget('x'), apiVersion: 'conformance.pawl.dev/v2' }, answers(400)),
      apply(x, 'one', { metadata: { name: 'x' } }, answers(400)),
    ],
  },
  {
    id: 'A1',
    title:
      'Apply with a wrong uid to what exists: 422, the field is immutable; the right uid is accepted and not recorded',
    priority: 'P0',
    setup: [
      as('a', apply(x, 'one', widget('x', { size: 1 }))),
      as('b', apply(`${configMaps}/x`, 'one', configMap('x'))),
    ],
    steps: [
      apply(
        x,
        'one',
        widget('x', { size: 2 }, { uid: '11111111-1111-1111-1111-111111111111' }),
        invalid({ field: 'metadata.uid', message: text('field is immutable$') }),
      ),
      apply(
        `${configMaps}/x`,
        'one',
        configMap('x', {}, { uid: '11111111-1111-1111-1111-111111111111' }),
        invalid({ field: 'metadata.uid' }),
      ),
      apply(
        x,
        'one',
        widget('x', { size: 2 }, { uid: '{a.metadata.uid}' }),
        answers(200, {
          spec: { size: 2 },
          metadata: { managedFields: [managed('one', 'Apply', { fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }) })] },
        }),
      ),
    ],
  },
];
