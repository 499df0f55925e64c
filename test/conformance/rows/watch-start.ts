// Rows about where a watch starts and how it ends.
import { absent, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  about,
  answers,
  as,
  create,
  end,
  event,
  events,
  group,
  invalid,
  mergePatch,
  secrets,
  watch,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;
const since = (name: string): string => `&resourceVersion={${name}.metadata.resourceVersion}`;

export const watchStartRows: readonly Row[] = [
  {
    id: '118',
    title: 'Without resourceVersion, or from "0": ADDED for what exists, then what happens',
    priority: 'P0',
    setup: [create(widgets, widget('x')), create(widgets, widget('y'))],
    steps: [
      watch('w', widgets),
      watch('v', widgets, '&resourceVersion=0'),
      events('w', about('ADDED', 'x'), about('ADDED', 'y')),
      events('v', about('ADDED', 'x'), about('ADDED', 'y')),
      create(widgets, widget('z'), answers(201)),
      events('w', about('ADDED', 'z')),
      events('v', about('ADDED', 'z')),
    ],
  },
  {
    id: '119',
    title: 'From a resourceVersion that is forgotten: 200, one ERROR event with Status 410 Expired, then the end',
    priority: 'P0',
    needs: ['forgetting'],
    alone: true,
    setup: [as('a', create(widgets, widget('x'))), mergePatch(x, { spec: { size: 2 } }), create(widgets, widget('y'))],
    steps: [
      { forget: true },
      watch('w', widgets, '&resourceVersion=1'),
      events(
        'w',
        event('ERROR', {
          kind: 'Status',
          status: 'Failure',
          code: 410,
          reason: 'Expired',
          message: text('^too old resource version: 1 \\(\\d+\\)$'),
        }),
      ),
      end('w'),
    ],
  },
  {
    id: '120',
    title: 'From a resourceVersion that is in the future: the stream is open and silent until it is reached',
    priority: 'P1',
    steps: [
      watch('w', `${widgets}?resourceVersion=99999999999&timeoutSeconds=2`),
      create(widgets, widget('x'), answers(201)),
      end('w'),
    ],
  },
  {
    id: '121',
    title: 'From a resourceVersion that is no number: an HTTP error, 500 without a reason',
    priority: 'P1',
    steps: [
      watch(
        'w',
        widgets,
        '&resourceVersion=abc',
        answers(500, { kind: 'Status', reason: absent, message: text('resourceVersion: Invalid value: "abc"') }),
      ),
    ],
  },
  {
    id: '124',
    title:
      'Bookmarks come only where asked for, at least shortly before the end; they hold kind, apiVersion and resourceVersion only',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x', {}, { labels: { in: 'yes' } }))), create(widgets, widget('y'))],
    steps: [
      watch('w', `${widgets}?labelSelector=in${since('a')}&allowWatchBookmarks=true&timeoutSeconds=6`),
      watch('v', `${widgets}?labelSelector=in${since('a')}&timeoutSeconds=6`),
      events(
        'w',
        event('BOOKMARK', {
          kind: 'Widget',
          apiVersion: `${group}/v1`,
          metadata: { resourceVersion: present, name: absent, creationTimestamp: absent },
          spec: absent,
        }),
      ),
      end('w', 'BOOKMARK'),
      end('v'),
    ],
  },
  {
    id: '125',
    title:
      'sendInitialEvents needs resourceVersionMatch=NotOlderThan; then ADDED for what exists and a BOOKMARK that says that this was all',
    priority: 'P0',
    since: '1.32',
    setup: [create(widgets, widget('x')), create(widgets, widget('y')), create(secrets, { metadata: { name: 's' } })],
    steps: [
      watch(
        'v',
        widgets,
        '&sendInitialEvents=true',
        invalid({ field: 'resourceVersionMatch', reason: 'FieldValueForbidden' }),
      ),
      watch('w', widgets, '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'),
      events(
        'w',
        about('ADDED', 'x'),
        about('ADDED', 'y'),
        event('BOOKMARK', {
          kind: 'Widget',
          metadata: { annotations: { 'k8s.io/initial-events-end': 'true' }, resourceVersion: present },
        }),
      ),
      create(widgets, widget('z'), answers(201)),
      events('w', about('ADDED', 'z')),
      watch(
        'u',
        secrets,
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0',
      ),
      events(
        'u',
        about('ADDED', 's', { kind: 'Secret', apiVersion: 'v1' }),
        event('BOOKMARK', {
          kind: 'Secret',
          apiVersion: 'v1',
          metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
        }),
      ),
    ],
  },
  {
    id: '126',
    title: 'timeoutSeconds: the server ends the stream cleanly',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [watch('w', widgets, `${since('a')}&timeoutSeconds=1`), end('w')],
  },
  {
    id: '128',
    title: 'The history that a watch can start from is bounded, and not by a few events: at least a minute of them',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      {
        repeat: 60,
        send: {
          method: 'PATCH',
          path: x,
          body: { metadata: { labels: { n: '{i}' } } },
          headers: { 'content-type': 'application/merge-patch+json' },
        },
      },
      watch('w', widgets, since('a')),
      events(
        'w',
        ...Array.from({ length: 60 }, (_, i) =>
          about('MODIFIED', 'x', { metadata: { labels: { n: String(i).padStart(3, '0') } } }),
        ),
      ),
    ],
  },
  {
    id: 'W5',
    title: 'A watch with a label selector and initial events shows only what matches',
    priority: 'P0',
    since: '1.32',
    setup: [create(widgets, widget('x', {}, { labels: { in: 'yes' } })), create(widgets, widget('y'))],
    steps: [
      watch(
        'w',
        `${widgets}?labelSelector=in&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      ),
      events('w', about('ADDED', 'x'), event('BOOKMARK')),
    ],
  },
];
