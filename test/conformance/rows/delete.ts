// Rows about deletion and finalizers.
import { absent, newer, present, text, time } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  about,
  answers,
  as,
  configMap,
  configMaps,
  create,
  events,
  fails,
  get,
  group,
  invalid,
  mergePatch,
  pods,
  remove,
  watch,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;
const held = (name: string, spec: Readonly<Record<string, unknown>> = { size: 1 }): object =>
  widget(name, spec, { finalizers: ['example.com/hold'] });
const pod = (name: string, rest: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'nginx' }], ...rest },
});

export const deleteRows: readonly Row[] = [
  {
    id: '80',
    title:
      'Delete without finalizers: 200 with Status Success, details name the object and its uid; the object is gone',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), as('b', create(configMaps, configMap('x')))],
    steps: [
      remove(
        x,
        undefined,
        answers(200, {
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Success',
          details: { name: 'x', group, kind: 'widgets', uid: '{a.metadata.uid}' },
        }),
      ),
      get(x, fails(404, 'NotFound')),
      remove(
        `${configMaps}/x`,
        undefined,
        answers(200, {
          status: 'Success',
          details: { name: 'x', group: absent, kind: 'configmaps', uid: '{b.metadata.uid}' },
        }),
      ),
    ],
  },
  {
    id: '81',
    title:
      'Delete with finalizers: 200 with the object, deletionTimestamp set, deletionGracePeriodSeconds 0, one MODIFIED event',
    priority: 'P0',
    setup: [as('a', create(widgets, held('x'))), watch('w', widgets, '&resourceVersion={a.metadata.resourceVersion}')],
    steps: [
      as(
        'b',
        remove(
          x,
          undefined,
          answers(200, {
            kind: 'Widget',
            metadata: {
              deletionTimestamp: time,
              deletionGracePeriodSeconds: 0,
              resourceVersion: newer('{a.metadata.resourceVersion}'),
              finalizers: ['example.com/hold'],
            },
          }),
        ),
      ),
      events(
        'w',
        about('MODIFIED', 'x', {
          metadata: { deletionTimestamp: present, resourceVersion: '{b.metadata.resourceVersion}' },
        }),
      ),
    ],
  },
  {
    id: '82',
    title: 'Delete of what is terminating: 200, nothing changes, no event',
    priority: 'P0',
    setup: [
      create(widgets, held('x')),
      as('a', remove(x)),
      watch('w', widgets, '&resourceVersion={a.metadata.resourceVersion}'),
    ],
    steps: [
      remove(
        x,
        undefined,
        answers(200, {
          metadata: {
            deletionTimestamp: '{a.metadata.deletionTimestamp}',
            resourceVersion: '{a.metadata.resourceVersion}',
            generation: 2,
          },
        }),
      ),
      create(widgets, widget('marker'), answers(201)),
      events('w', about('ADDED', 'marker')),
    ],
  },
  {
    id: '83',
    title:
      'Removing the last finalizer deletes in that request: 200 with the object; one DELETED event with the last stored state and a new resourceVersion',
    priority: 'P0',
    setup: [
      create(widgets, held('x')),
      as('a', remove(x)),
      watch('w', widgets, '&resourceVersion={a.metadata.resourceVersion}'),
    ],
    steps: [
      mergePatch(
        x,
        { metadata: { finalizers: null } },
        answers(200, {
          kind: 'Widget',
          metadata: { finalizers: absent, resourceVersion: '{a.metadata.resourceVersion}' },
        }),
      ),
      events(
        'w',
        about('DELETED', 'x', {
          metadata: { finalizers: ['example.com/hold'], resourceVersion: newer('{a.metadata.resourceVersion}') },
        }),
      ),
      get(x, fails(404, 'NotFound')),
    ],
  },
  {
    id: '84',
    title: 'Adding a finalizer to what is terminating: 422, cause FieldValueForbidden; removing one of two is allowed',
    priority: 'P0',
    setup: [create(widgets, widget('x', {}, { finalizers: ['example.com/a', 'example.com/b'] })), remove(x)],
    steps: [
      mergePatch(
        x,
        { metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] } },
        invalid({
          reason: 'FieldValueForbidden',
          field: 'metadata.finalizers',
          message: text(
            '^Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers',
          ),
        }),
      ),
      mergePatch(
        x,
        { metadata: { finalizers: ['example.com/b'] } },
        answers(200, { metadata: { finalizers: ['example.com/b'] } }),
      ),
    ],
  },
  {
    id: '85',
    title: 'The spec of what is terminating may change',
    priority: 'P1',
    setup: [create(widgets, held('x')), remove(x)],
    steps: [mergePatch(x, { spec: { size: 5 } }, answers(200, { spec: { size: 5 }, metadata: { generation: 3 } }))],
  },
  {
    id: '92',
    alone: true,
    title:
      'A pod with a node goes gracefully: deletionTimestamp lies in the future, a shorter grace period shortens it, 0 deletes at once; without a node it goes at once',
    priority: 'P1',
    setup: [create(pods, pod('bound', { nodeName: 'nowhere' })), create(pods, pod('free'))],
    steps: [
      remove(
        `${pods}/bound`,
        undefined,
        answers(200, { kind: 'Pod', metadata: { deletionTimestamp: time, deletionGracePeriodSeconds: 30 } }),
      ),
      remove(
        `${pods}/bound`,
        { gracePeriodSeconds: 60 },
        answers(200, { metadata: { deletionGracePeriodSeconds: 30 } }),
      ),
      remove(`${pods}/bound`, { gracePeriodSeconds: 5 }, answers(200, { metadata: { deletionGracePeriodSeconds: 5 } })),
      remove(`${pods}/bound`, { gracePeriodSeconds: 0 }, answers(200)),
      get(`${pods}/bound`, fails(404, 'NotFound')),
      remove(`${pods}/free`, undefined, answers(200)),
      get(`${pods}/free`, fails(404, 'NotFound')),
    ],
  },
  {
    id: '93',
    title: 'Delete of what is missing: 404',
    priority: 'P0',
    steps: [
      remove(x, undefined, fails(404, 'NotFound')),
      remove(x, { preconditions: { uid: 'other' } }, fails(404, 'NotFound')),
    ],
  },
  {
    id: 'D2',
    title:
      'After a delete the same name can be created at once: another uid, generation 1, DELETED and ADDED in the watch',
    priority: 'P0',
    setup: [
      as('a', create(widgets, widget('x'))),
      watch('w', widgets, '&resourceVersion={a.metadata.resourceVersion}'),
    ],
    steps: [
      remove(x, undefined, answers(200)),
      create(
        widgets,
        widget('x'),
        answers(201, { metadata: { uid: { $: 'other', value: '{a.metadata.uid}' }, generation: 1 } }),
      ),
      events('w', about('DELETED', 'x', { metadata: { uid: '{a.metadata.uid}' } }), about('ADDED', 'x')),
    ],
  },
];
