// Rows about preconditions, propagation and other options of deletion.
import { absent, containing, present, text, time } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  as,
  configMap,
  configMaps,
  create,
  fails,
  get,
  invalid,
  mergePatch,
  remove,
  send,
  until,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;
const held = (name: string, spec: Readonly<Record<string, unknown>> = { size: 1 }): object =>
  widget(name, spec, { finalizers: ['example.com/hold'] });

export const deleteOptionRows: readonly Row[] = [
  {
    id: '86',
    title: 'Delete with the uid of another object as precondition: 409 Conflict',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      remove(
        x,
        { preconditions: { uid: 'other' } },
        fails(409, 'Conflict', {
          message: text('the UID in the precondition \\(other\\) does not match the UID in record \\(.{36}\\)'),
        }),
      ),
      remove(x, { preconditions: { uid: '{a.metadata.uid}' } }, answers(200)),
    ],
  },
  {
    id: '87',
    title: 'Delete with another resourceVersion as precondition: 409 Conflict',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), as('b', mergePatch(x, { spec: { size: 2 } }))],
    steps: [
      remove(
        x,
        { preconditions: { resourceVersion: '{a.metadata.resourceVersion}' } },
        fails(409, 'Conflict', { message: text('the ResourceVersion in the precondition') }),
      ),
      remove(
        x,
        { preconditions: { uid: '{a.metadata.uid}', resourceVersion: '{b.metadata.resourceVersion}' } },
        answers(200),
      ),
    ],
  },
  {
    id: '88',
    title: 'Delete options in the body and in the query: the body wins',
    priority: 'P1',
    setup: [create(widgets, widget('x'))],
    steps: [
      remove(
        `${x}?propagationPolicy=Foreground`,
        { propagationPolicy: 'Background' },
        answers(200, { kind: 'Status' }),
      ),
      create(widgets, widget('y'), answers(201)),
      send(
        'DELETE',
        `${widgets}/y?propagationPolicy=Foreground`,
        undefined,
        answers(200, { metadata: { finalizers: ['foregroundDeletion'] } }),
      ),
    ],
  },
  {
    id: '89',
    title: 'orphanDependents together with propagationPolicy, or an unknown policy: 422',
    priority: 'P1',
    setup: [create(widgets, widget('x'))],
    steps: [
      remove(x, { orphanDependents: true, propagationPolicy: 'Orphan' }, fails(422, 'Invalid')),
      remove(
        x,
        { propagationPolicy: 'Sideways' },
        invalid({ reason: 'FieldValueNotSupported', field: 'propagationPolicy' }),
      ),
    ],
  },
  {
    id: '90',
    title: 'Foreground deletion adds the finalizer foregroundDeletion; the object stays until what blocks it is gone',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('owner'))),
      create(
        configMaps,
        configMap(
          'child',
          {},
          {
            finalizers: ['example.com/hold'],
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '{a.metadata.uid}', blockOwnerDeletion: true },
            ],
          },
        ),
      ),
    ],
    steps: [
      remove(
        `${configMaps}/owner`,
        { propagationPolicy: 'Foreground' },
        answers(200, { metadata: { deletionTimestamp: present, finalizers: ['foregroundDeletion'] } }),
      ),
      until(`${configMaps}/child`, answers(200, { metadata: { deletionTimestamp: present } })),
      get(`${configMaps}/owner`, answers(200)),
      mergePatch(`${configMaps}/child`, { metadata: { finalizers: null } }, answers(200)),
      until(`${configMaps}/owner`, answers(404)),
    ],
  },
  {
    id: '91',
    title:
      'Orphan deletion adds the finalizer orphan; the garbage collector strips the references and lets the owner go',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('owner', {}, { finalizers: ['example.com/hold'] }))),
      create(
        configMaps,
        configMap(
          'child',
          {},
          { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '{a.metadata.uid}' }] },
        ),
      ),
    ],
    steps: [
      remove(
        `${configMaps}/owner`,
        { propagationPolicy: 'Orphan' },
        answers(200, { metadata: { finalizers: containing('orphan') } }),
      ),
      until(`${configMaps}/owner`, answers(200, { metadata: { finalizers: ['example.com/hold'] } })),
      get(`${configMaps}/child`, answers(200, { metadata: { ownerReferences: absent } })),
      mergePatch(`${configMaps}/owner`, { metadata: { finalizers: null } }, answers(200)),
      until(`${configMaps}/owner`, answers(404)),
    ],
  },
  {
    id: '94',
    title: 'Delete of a collection honours selectors; finalizers hold each item for itself; the answer is the list',
    priority: 'P0',
    setup: [
      create(widgets, widget('a', {}, { labels: { go: 'yes' } })),
      create(widgets, widget('b', {}, { labels: { go: 'yes' }, finalizers: ['example.com/hold'] })),
      create(widgets, widget('c')),
      create(widgets, widget('d')),
    ],
    steps: [
      send(
        'DELETE',
        `${widgets}?labelSelector=go%3Dyes`,
        undefined,
        answers(200, { kind: 'WidgetList', items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] }),
      ),
      get(
        widgets,
        answers(200, {
          items: [
            { metadata: { name: 'b', deletionTimestamp: present } },
            { metadata: { name: 'c' } },
            { metadata: { name: 'd' } },
          ],
        }),
      ),
      send('DELETE', `${widgets}?fieldSelector=metadata.name%3Dc`, undefined, answers(200)),
      get(widgets, answers(200, { items: [{ metadata: { name: 'b' } }, { metadata: { name: 'd' } }] })),
      send('DELETE', configMaps, undefined, answers(200, { kind: 'ConfigMapList', items: present })),
    ],
  },
  {
    id: 'D1',
    title: 'Dry-run delete: the answer of a delete, the object stays',
    priority: 'P0',
    setup: [create(widgets, widget('x')), create(widgets, held('y'))],
    steps: [
      remove(`${x}?dryRun=All`, undefined, answers(200, { kind: 'Status', status: 'Success' })),
      get(x, answers(200, { metadata: { deletionTimestamp: absent } })),
      remove(`${widgets}/y`, { dryRun: ['All'] }, answers(200, { metadata: { deletionTimestamp: time } })),
      get(`${widgets}/y`, answers(200, { metadata: { deletionTimestamp: absent } })),
    ],
  },
  {
    id: 'D3',
    title: 'A malformed precondition or unknown option: 400; an empty body is no options at all',
    priority: 'P1',
    setup: [create(widgets, widget('x'))],
    steps: [remove(x, { preconditions: 'none' }, answers(400)), remove(x, {}, answers(200, { status: 'Success' }))],
  },
];
