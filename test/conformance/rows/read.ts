// Rows about get, list and pages.
import { absent, like, newer, present, size, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  as,
  configMap,
  configMaps,
  create,
  fails,
  gadgets,
  get,
  group,
  invalid,
  mergePatch,
  names,
  namespaces,
  remove,
  secrets,
  three,
  widget,
  widgets,
} from './dsl.ts';

/** Only the row's own: a controller puts the cluster's certificate into every namespace. */
const own = `${configMaps}?labelSelector=app`;
const five = [{ repeat: 5, send: { method: 'POST', path: widgets, body: widget('w-{i}') } } as const];

export const readRows: readonly Row[] = [
  {
    id: '101',
    title:
      'Get without resourceVersion is fresh; "0" may be cached; n is at least n, or 504 Timeout with the cause ResourceVersionTooLarge',
    priority: 'P0',
    setup: [as('a', create(configMaps, configMap('x')))],
    steps: [
      get(`${configMaps}/x`, answers(200, { metadata: { resourceVersion: '{a.metadata.resourceVersion}' } })),
      get(`${configMaps}/x?resourceVersion={a.metadata.resourceVersion}`, answers(200, { metadata: { name: 'x' } })),
      get(
        `${configMaps}/x?resourceVersion=99999999999`,
        fails(504, 'Timeout', {
          message: text('^Timeout: Too large resource version: 99999999999, current: \\d+$'),
          details: {
            causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
            retryAfterSeconds: 1,
          },
        }),
      ),
      get(
        `${configMaps}/x?resourceVersion=abc`,
        answers(500, { kind: 'Status', reason: absent, message: text('^resourceVersion: Invalid value: "abc"') }),
      ),
    ],
  },
  {
    id: '102',
    title: 'A list has the resourceVersion of its snapshot, which a watch can start from',
    priority: 'P0',
    setup: [as('a', create(configMaps, configMap('x')))],
    steps: [
      as(
        'l',
        get(
          configMaps,
          answers(200, {
            kind: 'ConfigMapList',
            apiVersion: 'v1',
            metadata: { resourceVersion: text('^\\d+$'), continue: absent },
          }),
        ),
      ),
      as(
        'b',
        create(
          configMaps,
          configMap('y'),
          answers(201, { metadata: { resourceVersion: newer('{l.metadata.resourceVersion}') } }),
        ),
      ),
      get(configMaps, answers(200, { metadata: { resourceVersion: newer('{l.metadata.resourceVersion}') } })),
    ],
  },
  {
    id: '103',
    title: 'A list is ordered by namespace and name',
    priority: 'P0',
    setup: three,
    steps: [get(own, answers(200, names('a', 'b', 'c')))],
  },
  {
    id: '104',
    title:
      'limit: at most so many items, metadata.continue (empty at the end), and without selectors remainingItemCount',
    priority: 'P0',
    setup: five,
    steps: [
      get(
        `${widgets}?limit=2`,
        answers(200, { ...names('w-000', 'w-001'), metadata: { continue: present, remainingItemCount: 3 } }),
      ),
      get(
        `${widgets}?limit=5`,
        answers(200, { items: size(5), metadata: { continue: '', remainingItemCount: absent } }),
      ),
      get(
        `${widgets}?limit=2&labelSelector=%21none`,
        answers(200, { items: size(2), metadata: { continue: present, remainingItemCount: absent } }),
      ),
    ],
  },
  {
    id: '105',
    title: 'All pages show the state at the resourceVersion of the first, whatever changes meanwhile',
    priority: 'P0',
    setup: five,
    steps: [
      as('p', get(`${widgets}?limit=2`, answers(200, names('w-000', 'w-001')))),
      remove(`${widgets}/w-002`, undefined, answers(200)),
      create(widgets, widget('w-003a'), answers(201)),
      as(
        'q',
        get(
          `${widgets}?limit=2&continue={p.metadata.continue}`,
          answers(200, {
            ...names('w-002', 'w-003'),
            metadata: { resourceVersion: '{p.metadata.resourceVersion}', continue: present, remainingItemCount: 1 },
          }),
        ),
      ),
      get(
        `${widgets}?limit=2&continue={q.metadata.continue}`,
        answers(200, {
          ...names('w-004'),
          metadata: { continue: '', resourceVersion: '{p.metadata.resourceVersion}' },
        }),
      ),
      get(widgets, answers(200, names('w-000', 'w-001', 'w-003', 'w-003a', 'w-004'))),
    ],
  },
  {
    id: '106',
    title: 'continue together with resourceVersion: 400 BadRequest',
    priority: 'P1',
    setup: five,
    steps: [
      as('p', get(`${widgets}?limit=2`, answers(200))),
      get(
        `${widgets}?continue={p.metadata.continue}&resourceVersion=1`,
        answers(400, { message: text('specifying resource version is not allowed when using continue') }),
      ),
    ],
  },
  {
    id: '107',
    title: 'A continue token that is none: 400 BadRequest',
    priority: 'P1',
    steps: [
      get(
        `${widgets}?continue=nonsense`,
        fails(400, 'BadRequest', { message: like('invalid continue token|continue key is not valid') }),
      ),
    ],
  },
  {
    id: '108',
    title:
      'A continue token whose snapshot is forgotten: 410 Expired, and the Status carries a token for the inconsistent rest',
    priority: 'P0',
    needs: ['forgetting'],
    alone: true,
    setup: five,
    steps: [
      as('p', get(`${widgets}?limit=2`, answers(200))),
      mergePatch(`${widgets}/w-004`, { spec: { size: 2 } }, answers(200)),
      { forget: true },
      {
        until: { method: 'GET', path: `${widgets}?limit=2&continue={p.metadata.continue}` },
        as: 'e',
        expect: fails(410, 'Expired', { metadata: { continue: present } }),
      },
      get(`${widgets}?continue={e.metadata.continue}`, answers(200, names('w-002', 'w-003', 'w-004'))),
    ],
  },
  {
    id: '109',
    title: 'resourceVersionMatch without resourceVersion, with continue, Exact with "0", or unknown: 422',
    priority: 'P1',
    steps: [
      get(`${widgets}?resourceVersionMatch=Exact`, invalid({ field: 'resourceVersionMatch' })),
      get(`${widgets}?resourceVersionMatch=Exact&resourceVersion=0`, invalid({ field: 'resourceVersionMatch' })),
      get(
        `${widgets}?resourceVersionMatch=Sometimes&resourceVersion=1`,
        invalid({ reason: 'FieldValueNotSupported', field: 'resourceVersionMatch' }),
      ),
      get(
        `${widgets}?resourceVersionMatch=NotOlderThan&resourceVersion=1&continue=abc`,
        invalid({ field: 'resourceVersionMatch' }),
      ),
    ],
  },
  {
    id: '110',
    title: 'sendInitialEvents on a list: 422',
    priority: 'P1',
    steps: [
      get(`${widgets}?sendInitialEvents=true`, invalid({ reason: 'FieldValueForbidden', field: 'sendInitialEvents' })),
    ],
  },
  {
    id: '111',
    title: 'Items of a list of a built-in type have no apiVersion and kind; items of custom resources have both',
    priority: 'P0',
    setup: [create(secrets, { metadata: { name: 'x' } }), create(widgets, widget('x'))],
    steps: [
      get(
        secrets,
        answers(200, {
          kind: 'SecretList',
          apiVersion: 'v1',
          items: [{ kind: absent, apiVersion: absent, metadata: { name: 'x' } }],
        }),
      ),
      get(
        widgets,
        answers(200, {
          kind: 'WidgetList',
          apiVersion: `${group}/v1`,
          items: [{ kind: 'Widget', apiVersion: `${group}/v1`, metadata: { name: 'x' } }],
        }),
      ),
    ],
  },
  {
    id: 'R1',
    title: 'A list over all namespaces names the namespace of each item; an empty list has items: []',
    priority: 'P0',
    setup: [create(widgets, widget('x'))],
    steps: [
      get(
        `/apis/${group}/v1/widgets?fieldSelector=metadata.namespace%3D{ns}`,
        answers(200, { items: [{ metadata: { name: 'x', namespace: '{ns}' } }] }),
      ),
      get(gadgets, answers(200, { items: [] })),
      get(secrets, answers(200, { items: [] })),
    ],
  },
  {
    id: 'R2',
    title: 'A list in a namespace that does not exist is empty, not 404',
    priority: 'P1',
    steps: [
      get(`${namespaces}/missing/configmaps`, answers(200, { items: [] })),
      get(`/apis/${group}/v1/namespaces/missing/widgets`, answers(200, { items: [] })),
    ],
  },
  {
    id: 'R3',
    title: 'Exact: the list as it was at an older resourceVersion',
    priority: 'P1',
    setup: [as('a', create(widgets, widget('x'))), create(widgets, widget('y'))],
    steps: [
      get(
        `${widgets}?resourceVersion={a.metadata.resourceVersion}&resourceVersionMatch=Exact`,
        answers(200, { ...names('x'), metadata: { resourceVersion: '{a.metadata.resourceVersion}' } }),
      ),
    ],
  },
];
