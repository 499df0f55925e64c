// Rows about patches.
import { absent, exactly, newer, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  as,
  configMap,
  configMaps,
  create,
  fails,
  get,
  invalid,
  jsonPatch,
  mergePatch,
  send,
  strategicPatch,
  widget,
  widgets,
} from './dsl.ts';

export const patchRows: readonly Row[] = [
  {
    id: '46',
    title: 'A patch that succeeds: 200; an apply that creates: 201',
    priority: 'P0',
    setup: [create(configMaps, configMap('x'))],
    steps: [
      mergePatch(`${configMaps}/x`, { data: { a: 'b' } }, answers(200, { data: { a: 'b', key: 'value' } })),
      apply(`${configMaps}/y`, 'tester', configMap('y'), answers(201)),
      apply(`${configMaps}/y`, 'tester', configMap('y'), answers(200)),
    ],
  },
  {
    id: '47',
    title: 'A patch without resourceVersion applies to the latest state',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), mergePatch(`${widgets}/x`, { spec: { size: 2 } })],
    steps: [
      mergePatch(
        `${widgets}/x`,
        { spec: { color: 'red' } },
        answers(200, {
          spec: { size: 2, color: 'red' },
          metadata: { resourceVersion: newer('{a.metadata.resourceVersion}') },
        }),
      ),
    ],
  },
  {
    id: '48',
    title: 'A patch that carries a stale resourceVersion: 409 Conflict',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), mergePatch(`${widgets}/x`, { spec: { size: 2 } })],
    steps: [
      mergePatch(
        `${widgets}/x`,
        { metadata: { resourceVersion: '{a.metadata.resourceVersion}' }, spec: { size: 3 } },
        fails(409, 'Conflict'),
      ),
      jsonPatch(
        `${widgets}/x`,
        [
          { op: 'replace', path: '/metadata/resourceVersion', value: '{a.metadata.resourceVersion}' },
          { op: 'replace', path: '/spec/size', value: 3 },
        ],
        fails(409, 'Conflict'),
      ),
      apply(
        `${widgets}/x`,
        'tester',
        widget('x', { size: 3 }, { resourceVersion: '{a.metadata.resourceVersion}' }),
        fails(409, 'Conflict'),
        '&force=true',
      ),
    ],
  },
  {
    id: '49',
    title:
      'A JSON patch whose test fails or whose path does not exist: 422 Invalid; but replace adds a member that is missing',
    priority: 'P0',
    setup: [create(widgets, widget('x'))],
    steps: [
      jsonPatch(
        `${widgets}/x`,
        [{ op: 'test', path: '/spec/size', value: 5 }],
        fails(422, 'Invalid', { message: 'the server rejected our request due to an error in our request' }),
      ),
      jsonPatch(`${widgets}/x`, [{ op: 'remove', path: '/spec/none' }], fails(422, 'Invalid')),
      jsonPatch(
        `${widgets}/x`,
        [{ op: 'replace', path: '/spec/note', value: 'new' }],
        answers(200, { spec: { note: 'new' } }),
      ),
      jsonPatch(`${widgets}/x`, [{ op: 'add', path: '/spec/none/deep', value: 1 }], fails(422, 'Invalid')),
      jsonPatch(
        `${widgets}/x`,
        [
          { op: 'test', path: '/spec/size', value: 1 },
          { op: 'add', path: '/spec/color', value: 'red' },
        ],
        answers(200, { spec: { size: 1, color: 'red' } }),
      ),
    ],
  },
  {
    id: '50',
    title: 'A JSON patch that is no list of operations: 400 BadRequest; more than 10,000 operations: 413',
    priority: 'P1',
    setup: [create(configMaps, configMap('x'))],
    steps: [
      jsonPatch(`${configMaps}/x`, { op: 'add' }, fails(400, 'BadRequest')),
      jsonPatch(
        `${configMaps}/x`,
        Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/key', value: 'value' })),
        fails(413, 'RequestEntityTooLarge'),
      ),
    ],
  },
  {
    id: '51',
    title: 'A merge patch: null deletes, lists are replaced as a whole',
    priority: 'P0',
    setup: [
      create(
        widgets,
        widget(
          'x',
          { size: 1, color: 'red', options: ['a', 'b'], free: { deep: { a: 1, b: 2 } } },
          { labels: { a: 'b' } },
        ),
      ),
    ],
    steps: [
      mergePatch(
        `${widgets}/x`,
        { metadata: { labels: { a: null } }, spec: { color: null, options: ['c'], free: { deep: { a: null, c: 3 } } } },
        answers(200, {
          metadata: { labels: absent },
          spec: { size: 1, color: absent, options: ['c'], free: exactly({ deep: { b: 2, c: 3 } }) },
        }),
      ),
    ],
  },
  {
    id: '54',
    title: 'force without apply, apply without fieldManager, a manager of more than 128 characters: refused',
    priority: 'P1',
    setup: [create(configMaps, configMap('x'))],
    steps: [
      mergePatch(
        `${configMaps}/x?force=true`,
        {},
        fails(422, 'Invalid', { message: text('force: Forbidden: may not be specified for non-apply patch') }),
      ),
      send(
        'PATCH',
        `${configMaps}/x`,
        configMap('x'),
        fails(422, 'Invalid', { message: text('fieldManager: Required value: is required for apply patch') }),
        { headers: { 'content-type': 'application/apply-patch+yaml' } },
      ),
      mergePatch(`${configMaps}/x?fieldManager=${'m'.repeat(129)}`, {}, invalid({ field: 'fieldManager' })),
    ],
  },
  {
    id: '55',
    title: 'A JSON, merge or strategic merge patch of an object that is missing: 404',
    priority: 'P0',
    steps: [
      mergePatch(`${configMaps}/none`, {}, fails(404, 'NotFound')),
      jsonPatch(`${configMaps}/none`, [], fails(404, 'NotFound')),
      strategicPatch(`${configMaps}/none`, {}, fails(404, 'NotFound')),
      mergePatch(`${widgets}/none`, {}, fails(404, 'NotFound')),
    ],
  },
  {
    id: 'P1',
    title: 'A patch may not change name or namespace (400), nor the uid (422)',
    priority: 'P1',
    setup: [create(widgets, widget('x')), create(configMaps, configMap('x'))],
    steps: [
      mergePatch(`${widgets}/x`, { metadata: { name: 'y' } }, fails(400, 'BadRequest')),
      mergePatch(`${configMaps}/x`, { metadata: { namespace: 'default' } }, fails(400, 'BadRequest')),
      mergePatch(
        `${widgets}/x`,
        { metadata: { uid: 'other' } },
        invalid({ field: 'metadata.uid', message: text('field is immutable$') }),
      ),
      mergePatch(
        `${configMaps}/x`,
        { metadata: { uid: 'other' } },
        invalid({ field: 'metadata.uid', message: text('field is immutable$') }),
      ),
    ],
  },
  {
    id: 'P2',
    title:
      'A merge patch that adds a finalizer, carrying the right resourceVersion and the whole list, is safe against others',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x', {}, { finalizers: ['example.com/a'] })))],
    steps: [
      mergePatch(
        `${widgets}/x`,
        {
          metadata: { resourceVersion: '{a.metadata.resourceVersion}', finalizers: ['example.com/a', 'example.com/b'] },
        },
        answers(200, {
          metadata: { finalizers: ['example.com/a', 'example.com/b'], generation: 1 },
        }),
      ),
      mergePatch(
        `${widgets}/x`,
        { metadata: { resourceVersion: '{a.metadata.resourceVersion}', finalizers: ['example.com/a'] } },
        fails(409, 'Conflict'),
      ),
      get(`${widgets}/x`, answers(200, { metadata: { finalizers: ['example.com/a', 'example.com/b'] } })),
    ],
  },
];
