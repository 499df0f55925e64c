// Rows about managed fields: who is recorded as the owner of what.
import { absent, containing, exactly } from '../matchers.ts';
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
  managed,
  mergePatch,
  put,
  send,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;

export const managedFieldRows: readonly Row[] = [
  {
    id: '66',
    title:
      'Create, replace and patch are recorded as Update; the manager is fieldManager or the User-Agent up to its slash',
    priority: 'P1',
    steps: [
      send(
        'POST',
        widgets,
        widget('x'),
        answers(
          201,
          {
            metadata: {
              managedFields: [
                managed('some-agent', 'Update', {
                  fieldsV1: exactly({ 'f:spec': { '.': {}, 'f:mode': {}, 'f:size': {} } }),
                }),
              ],
            },
          },
          { same: ['metadata.managedFields'] },
        ),
        {
          headers: { 'user-agent': 'some-agent/v1.2 (linux)' },
        },
      ),
      mergePatch(
        `${x}?fieldManager=hand`,
        { spec: { size: 2 } },
        answers(
          200,
          {
            metadata: {
              managedFields: containing(
                managed('hand', 'Update', { fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }) }),
              ),
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
      mergePatch(
        `${x}/status?fieldManager=eye`,
        { status: { ready: true } },
        answers(
          200,
          {
            metadata: {
              managedFields: containing(
                managed('eye', 'Update', {
                  subresource: 'status',
                  fieldsV1: exactly({ 'f:status': { '.': {}, 'f:ready': {} } }),
                }),
              ),
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
    ],
  },
  {
    id: '67',
    title: 'managedFields set to an empty list, or to one empty entry, are reset',
    priority: 'P1',
    setup: [apply(x, 'one', widget('x', { size: 1 }))],
    steps: [
      mergePatch(x, { metadata: { managedFields: [{}] } }, answers(200, { metadata: { managedFields: absent } })),
      apply(
        x,
        'two',
        widget('x', { size: 2 }),
        answers(
          200,
          { metadata: { managedFields: [managed('two', 'Apply'), managed('before-first-apply', 'Update')] } },
          { same: ['metadata.managedFields'] },
        ),
        '&force=true',
      ),
    ],
  },
  {
    id: '68',
    title: 'More than 10 managers by Update: the oldest are merged into ancient-changes',
    priority: 'P1',
    setup: [
      create(`${configMaps}?fieldManager=first`, configMap('x', { start: '1' })),
      {
        repeat: 11,
        send: {
          method: 'PATCH',
          path: `${configMaps}/x?fieldManager=m{i}`,
          body: { data: { '{i}': 'x' } },
          headers: { 'content-type': 'application/merge-patch+json' },
        },
      },
    ],
    steps: [
      get(
        `${configMaps}/x`,
        answers(200, { metadata: { managedFields: containing(managed('ancient-changes', 'Update')) } }),
      ),
    ],
  },
  {
    id: 'A2',
    title: 'A field that another manager changes (patch or replace) leaves the entry of the one who applied it',
    priority: 'P0',
    setup: [as('a', apply(x, 'one', widget('x', { size: 1, color: 'red', parts: [{ name: 'p', weight: 1 }] })))],
    steps: [
      as(
        'b',
        mergePatch(
          `${x}?fieldManager=hand`,
          { spec: { size: 2 } },
          answers(
            200,
            {
              metadata: {
                managedFields: containing(
                  managed('one', 'Apply', { fieldsV1: { 'f:spec': { 'f:size': absent, 'f:color': {} } } }),
                  managed('hand', 'Update'),
                ),
              },
            },
            { same: ['metadata.managedFields'] },
          ),
        ),
      ),
      put(
        `${x}?fieldManager=hand`,
        widget(
          'x',
          { size: 2, color: 'red', parts: [{ name: 'p', weight: 3 }] },
          { resourceVersion: '{b.metadata.resourceVersion}' },
        ),
        answers(
          200,
          {
            metadata: {
              managedFields: containing(
                managed('one', 'Apply', {
                  fieldsV1: {
                    'f:spec': { 'f:parts': { 'k:{"name":"p","side":"left"}': exactly({ '.': {}, 'f:name': {} }) } },
                  },
                }),
              ),
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
    ],
  },
  {
    id: 'A3',
    title: 'A field that another manager removes leaves the entry of the one who applied it',
    priority: 'P0',
    setup: [apply(x, 'one', widget('x', { size: 1, color: 'red' }, { labels: { a: 'b' } }))],
    steps: [
      mergePatch(
        `${x}?fieldManager=hand`,
        { metadata: { labels: null }, spec: { color: null } },
        answers(
          200,
          {
            metadata: {
              managedFields: containing(managed('one', 'Apply', { fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }) })),
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
    ],
  },
  {
    id: 'A6',
    title: 'A manager that applies after having updated has two entries',
    priority: 'P0',
    setup: [create(`${widgets}?fieldManager=one`, widget('x', { size: 1 }))],
    steps: [
      apply(
        x,
        'one',
        widget('x', { size: 1 }),
        answers(
          200,
          {
            metadata: { managedFields: [managed('one', 'Apply'), managed('one', 'Update')] },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
      apply(x, 'one', widget('x', { size: 2 }), fails(409, 'Conflict')),
    ],
  },
];
