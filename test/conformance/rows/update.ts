// Rows about replacing objects (PUT).
import { absent, newer, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  about,
  answers,
  as,
  configMap,
  configMaps,
  create,
  events,
  get,
  mergePatch,
  put,
  remove,
  secrets,
  watch,
  widget,
  widgets,
} from './dsl.ts';

const rv = '{a.metadata.resourceVersion}';

export const updateRows: readonly Row[] = [
  {
    id: '38',
    title: 'PUT that changes nothing: 200, the same resourceVersion, no event',
    priority: 'P0',
    setup: [
      as('a', create(configMaps, configMap('x'))),
      watch('w', configMaps, '&resourceVersion={a.metadata.resourceVersion}'),
    ],
    steps: [
      put(`${configMaps}/x`, configMap('x'), answers(200, { metadata: { resourceVersion: rv } })),
      mergePatch(`${configMaps}/x`, { data: { key: 'value' } }, answers(200, { metadata: { resourceVersion: rv } })),
      create(configMaps, configMap('marker'), answers(201)),
      events('w', about('ADDED', 'marker')),
    ],
  },
  {
    id: '39',
    title: 'PUT that would change only times in managedFields counts as no change',
    priority: 'P1',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      put(
        `${widgets}/x`,
        widget('x', { size: 1 }, { resourceVersion: rv }),
        answers(200, {
          metadata: { resourceVersion: rv, managedFields: '{a.metadata.managedFields}' },
        }),
      ),
    ],
  },
  {
    id: '40',
    title: 'generation and creationTimestamp of the body are ignored',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      put(
        `${widgets}/x`,
        widget('x', { size: 2 }, { resourceVersion: rv, generation: 40, creationTimestamp: '2001-01-01T00:00:00Z' }),
        answers(200, {
          metadata: {
            generation: 2,
            creationTimestamp: '{a.metadata.creationTimestamp}',
            uid: '{a.metadata.uid}',
            resourceVersion: newer(rv),
          },
        }),
      ),
    ],
  },
  {
    id: '41',
    title: 'PUT without the deletionTimestamp of a terminating object, or with another one: the stored one stays',
    priority: 'P0',
    setup: [create(widgets, widget('x', {}, { finalizers: ['example.com/hold'] })), as('a', remove(`${widgets}/x`))],
    steps: [
      as(
        'b',
        put(
          `${widgets}/x`,
          widget('x', { size: 2 }, { resourceVersion: rv, finalizers: ['example.com/hold'] }),
          answers(200, {
            metadata: { deletionTimestamp: '{a.metadata.deletionTimestamp}', deletionGracePeriodSeconds: 0 },
            spec: { size: 2 },
          }),
        ),
      ),
      put(
        `${widgets}/x`,
        widget(
          'x',
          { size: 3 },
          {
            resourceVersion: '{b.metadata.resourceVersion}',
            finalizers: ['example.com/hold'],
            deletionTimestamp: '2001-01-01T00:00:00Z',
            deletionGracePeriodSeconds: 0,
          },
        ),
        answers(200, { metadata: { deletionTimestamp: '{a.metadata.deletionTimestamp}' } }),
      ),
    ],
  },
  {
    id: '44',
    title: 'One counter for all resources: each write gets a larger resourceVersion, a delete takes one too',
    priority: 'P0',
    steps: [
      as('a', create(configMaps, configMap('x'), answers(201))),
      as('b', create(widgets, widget('x'), answers(201, { metadata: { resourceVersion: newer(rv) } }))),
      as(
        'c',
        create(
          secrets,
          { metadata: { name: 'x' } },
          answers(201, { metadata: { resourceVersion: newer('{b.metadata.resourceVersion}') } }),
        ),
      ),
      remove(`${configMaps}/x`, undefined, answers(200)),
      get(configMaps, answers(200, { metadata: { resourceVersion: newer('{c.metadata.resourceVersion}') } })),
    ],
  },
  {
    id: '45',
    title: 'A resourceVersion is a decimal number without leading zeros and can be compared',
    priority: 'P0',
    setup: [as('a', create(configMaps, configMap('x')))],
    steps: [
      as(
        'b',
        mergePatch(
          `${configMaps}/x`,
          { data: { key: 'two' } },
          answers(200, { metadata: { resourceVersion: text('^[1-9]\\d*$') } }),
        ),
      ),
      get(`${configMaps}/x`, answers(200, { metadata: { resourceVersion: newer(rv) } })),
    ],
  },
  {
    id: 'U2',
    title: 'PUT replaces labels, annotations and finalizers as a whole',
    priority: 'P0',
    setup: [
      as(
        'a',
        create(
          widgets,
          widget('x', {}, { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/hold'] }),
        ),
      ),
    ],
    steps: [
      put(
        `${widgets}/x`,
        widget('x', {}, { resourceVersion: rv, labels: { e: 'f' } }),
        answers(200, {
          metadata: { labels: { a: absent, e: 'f' }, annotations: absent, finalizers: absent, generation: 1 },
        }),
      ),
    ],
  },
];
