// Rows about server-side apply.
import { absent, containing, exactly, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, apply, as, configMap, configMaps, fails, managed, widget, widgets } from './dsl.ts';

const x = `${widgets}/x`;

export const applyRows: readonly Row[] = [
  {
    id: '56',
    title: 'Apply of what is missing creates it: 201',
    priority: 'P0',
    steps: [
      apply(
        x,
        'one',
        widget('x', { size: 1 }),
        answers(
          201,
          {
            metadata: {
              generation: 1,
              managedFields: [
                managed('one', 'Apply', {
                  apiVersion: 'conformance.pawl.dev/v1',
                  fieldsType: 'FieldsV1',
                  fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }),
                }),
              ],
            },
          },
          { same: ['metadata.managedFields', 'spec'] },
        ),
      ),
      apply(
        `${configMaps}/x`,
        'one',
        configMap('x', { a: 'b' }),
        answers(201, {
          metadata: { managedFields: [managed('one', 'Apply', { fieldsV1: exactly({ 'f:data': { 'f:a': {} } }) })] },
        }),
      ),
    ],
  },
  {
    id: '61',
    title: 'A field left out of the next apply that nobody else owns is removed from the object',
    priority: 'P0',
    setup: [apply(x, 'one', widget('x', { size: 1, color: 'red' }, { labels: { a: 'b', c: 'd' } }))],
    steps: [
      apply(
        x,
        'one',
        widget('x', { size: 1 }, { labels: { a: 'b' } }),
        answers(200, {
          spec: { size: 1, color: absent },
          metadata: { labels: exactly({ a: 'b' }), generation: 2 },
        }),
      ),
    ],
  },
  {
    id: '62',
    title: 'A field left out of the next apply that another manager owns stays; the applier no longer owns it',
    priority: 'P0',
    setup: [apply(x, 'one', widget('x', { size: 1, color: 'red' })), apply(x, 'two', widget('x', { color: 'red' }))],
    steps: [
      apply(
        x,
        'one',
        widget('x', { size: 1 }),
        answers(200, {
          spec: { size: 1, color: 'red' },
          metadata: {
            managedFields: containing(managed('one', 'Apply', { fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }) })),
          },
        }),
      ),
    ],
  },
  {
    id: '63',
    title:
      'Lists merge by their type in the schema: atomic as a whole, sets by value, maps by key (defaults enter the key)',
    priority: 'P0',
    setup: [
      apply(
        x,
        'one',
        widget('x', { options: ['a'], tags: ['a'], parts: [{ name: 'p', weight: 1 }], whole: { a: 'b' } }),
      ),
    ],
    steps: [
      apply(
        x,
        'two',
        widget('x', { tags: ['b'], parts: [{ name: 'p', side: 'right', weight: 2 }] }),
        answers(
          200,
          {
            spec: {
              tags: ['a', 'b'],
              parts: [
                { name: 'p', side: 'left', weight: 1 },
                { name: 'p', side: 'right', weight: 2 },
              ],
            },
            metadata: {
              managedFields: containing(
                managed('one', 'Apply', {
                  fieldsV1: exactly({
                    'f:spec': {
                      'f:options': {},
                      'f:tags': { 'v:"a"': {} },
                      'f:whole': {},
                      'f:parts': { 'k:{"name":"p","side":"left"}': { '.': {}, 'f:name': {}, 'f:weight': {} } },
                    },
                  }),
                }),
              ),
            },
          },
          { same: ['metadata.managedFields', 'spec'] },
        ),
      ),
      apply(x, 'two', widget('x', { options: ['b'] }), fails(409, 'Conflict', { message: text('.spec.options') })),
      apply(x, 'two', widget('x', { whole: { c: 'd' } }), fails(409, 'Conflict', { message: text('.spec.whole') })),
      apply(
        x,
        'one',
        widget('x', { tags: [], parts: [] }),
        answers(200, { spec: { options: absent, parts: [{ name: 'p', side: 'right', weight: 2 }], tags: ['b'] } }),
      ),
    ],
  },
  {
    id: '64',
    title: 'Apply of the same once more: 200 with the same resourceVersion',
    priority: 'P0',
    setup: [
      as('a', apply(x, 'one', widget('x', { size: 1 }))),
      as('b', apply(`${configMaps}/x`, 'one', configMap('x'))),
    ],
    steps: [
      apply(
        x,
        'one',
        widget('x', { size: 1 }),
        answers(200, { metadata: { resourceVersion: '{a.metadata.resourceVersion}', generation: 1 } }),
      ),
      apply(
        `${configMaps}/x`,
        'one',
        configMap('x'),
        answers(200, { metadata: { resourceVersion: '{b.metadata.resourceVersion}' } }),
      ),
    ],
  },
  {
    id: '69',
    title: 'Apply to /status of what is missing: 404, nothing is created through a subresource',
    priority: 'P1',
    steps: [apply(`${x}/status`, 'one', { ...widget('x'), status: { ready: true } }, fails(404, 'NotFound'))],
  },
  {
    id: 'A4',
    title: 'Apply of null or of an object without content is recorded as such; null removes nothing that others own',
    priority: 'P1',
    steps: [
      apply(
        x,
        'one',
        widget('x', { free: {}, note: null }),
        answers(201, {}, { same: ['metadata.managedFields', 'spec'] }),
      ),
      apply(
        x,
        'two',
        widget('x', { free: { deep: { a: 1 } } }),
        answers(200, { spec: { free: { deep: { a: 1 } } } }, { same: ['metadata.managedFields', 'spec'] }),
      ),
    ],
  },
  {
    id: 'A5',
    title: 'Apply of an object with a duplicate key in a map-type list: 500 or 422, never stored',
    priority: 'P1',
    steps: [
      apply(
        x,
        'one',
        widget('x', { parts: [{ name: 'p' }, { name: 'p' }] }),
        answers(500, { message: text('duplicate entries for key') }),
      ),
      apply(x, 'one', widget('x', { tags: ['a', 'a'] }), answers(500, { message: text('duplicate entries for key') })),
    ],
  },
];
