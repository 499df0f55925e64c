// Rows about the events of a watch.
import { absent, exactly, newer } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  about,
  answers,
  as,
  configMap,
  configMaps,
  create,
  end,
  event,
  events,
  gadget,
  gadgets,
  get,
  group,
  mergePatch,
  put,
  remove,
  secrets,
  watch,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;
const rv = '{a.metadata.resourceVersion}';
const since = (name: string): string => `&resourceVersion={${name}.metadata.resourceVersion}`;

export const watchRows: readonly Row[] = [
  {
    id: '116',
    title: 'A watch is a 200 answer that goes on: chunks of JSON, one event {type, object} on each line',
    priority: 'P0',
    needs: ['text'],
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      watch(
        'w',
        widgets,
        since('a'),
        answers(200, undefined, { headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } }),
      ),
      create(widgets, widget('y'), answers(201)),
      events('w', about('ADDED', 'y', { kind: 'Widget', apiVersion: `${group}/v1` })),
    ],
  },
  {
    id: '117',
    title: 'From resourceVersion n: every event after n, in order, none missed',
    priority: 'P0',
    setup: [
      as('a', create(widgets, widget('x'))),
      mergePatch(x, { spec: { size: 2 } }),
      create(widgets, widget('y')),
      mergePatch(x, { spec: { size: 3 } }),
      remove(`${widgets}/y`),
    ],
    steps: [
      watch('w', widgets, since('a')),
      events(
        'w',
        about('MODIFIED', 'x', { spec: { size: 2 } }),
        about('ADDED', 'y'),
        about('MODIFIED', 'x', { spec: { size: 3 } }),
        about('DELETED', 'y'),
      ),
      mergePatch(x, { spec: { size: 4 } }, answers(200)),
      events('w', about('MODIFIED', 'x', { spec: { size: 4 } })),
    ],
  },
  {
    id: '122',
    title:
      'An update that leaves the selector is DELETED with the previous object and the new resourceVersion; one that enters it is ADDED',
    priority: 'P0',
    setup: [
      as('a', create(widgets, widget('x', { size: 1 }, { labels: { in: 'yes' } }))),
      watch('w', `${widgets}?labelSelector=in%3Dyes${since('a')}`),
    ],
    steps: [
      as('b', mergePatch(x, { metadata: { labels: { in: 'no' } }, spec: { size: 2 } }, answers(200))),
      events(
        'w',
        about('DELETED', 'x', {
          spec: { size: 1 },
          metadata: { labels: { in: 'yes' }, resourceVersion: '{b.metadata.resourceVersion}' },
        }),
      ),
      mergePatch(x, { spec: { size: 3 } }, answers(200)),
      mergePatch(x, { metadata: { labels: { in: 'yes' } } }, answers(200)),
      events('w', about('ADDED', 'x', { spec: { size: 3 } })),
      mergePatch(x, { spec: { size: 4 } }, answers(200)),
      events('w', about('MODIFIED', 'x', { spec: { size: 4 } })),
      remove(x, undefined, answers(200)),
      events('w', about('DELETED', 'x', { spec: { size: 4 } })),
    ],
  },
  {
    id: '123',
    title: 'DELETED carries the last state with the resourceVersion of the deletion',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x', { size: 7 }))), watch('w', widgets, since('a'))],
    steps: [
      remove(x, undefined, answers(200)),
      events(
        'w',
        about('DELETED', 'x', {
          spec: { size: 7 },
          metadata: { resourceVersion: newer(rv), deletionTimestamp: absent },
        }),
      ),
    ],
  },
  {
    id: '127',
    title: 'A write that changes nothing causes no event',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x', { size: 1 }))), watch('w', widgets, since('a'))],
    steps: [
      put(x, widget('x', { size: 1 }, { resourceVersion: rv }), answers(200)),
      mergePatch(x, { spec: { size: 1 } }, answers(200)),
      mergePatch(`${x}/status`, {}, answers(200)),
      mergePatch(x, { spec: { size: 2 } }, answers(200)),
      events('w', about('MODIFIED', 'x', { spec: { size: 2 } })),
    ],
  },
  {
    id: '129',
    title: 'A watcher that reads too slowly: the server closes the stream, the client must resume',
    priority: 'P1',
    needs: ['slow reader'],
    steps: [watch('w', widgets), end('w')],
  },
  {
    id: '130',
    title: 'Another API server may answer resourceVersion=0 with an older view than one that was seen before',
    priority: 'P0',
    needs: ['several servers'],
    steps: [get(`${widgets}?resourceVersion=0`, answers(200))],
  },
  {
    id: 'W1',
    title: 'A watch over all namespaces, and of one object by field selector',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      watch('all', `/apis/${group}/v1/widgets?fieldSelector=metadata.namespace%3D{ns}${since('a')}`),
      watch('one', `${widgets}?fieldSelector=metadata.name%3Dx${since('a')}`),
      create(widgets, widget('y'), answers(201)),
      mergePatch(x, { spec: { size: 2 } }, answers(200)),
      events('all', about('ADDED', 'y'), about('MODIFIED', 'x')),
      events('one', about('MODIFIED', 'x')),
    ],
  },
  {
    id: 'W2',
    title: 'A status write is a MODIFIED event like any other',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x'))), watch('w', widgets, since('a'))],
    steps: [
      as('b', mergePatch(`${x}/status`, { status: { ready: true } }, answers(200))),
      events(
        'w',
        about('MODIFIED', 'x', {
          status: { ready: true },
          metadata: { resourceVersion: '{b.metadata.resourceVersion}', generation: 1 },
        }),
      ),
    ],
  },
  {
    id: 'W3',
    title: 'A metadata-only watch answers PartialObjectMetadata in its events',
    priority: 'P1',
    setup: [as('a', create(secrets, { metadata: { name: 'x', labels: { a: 'b' } }, data: { key: 'dmFsdWU=' } }))],
    steps: [
      watch('w', secrets, since('a'), undefined, {
        accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      }),
      create(secrets, { metadata: { name: 'y', labels: { c: 'd' } }, data: { key: 'dmFsdWU=' } }, answers(201)),
      events(
        'w',
        event('ADDED', {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { name: 'y', labels: exactly({ c: 'd' }) },
          data: absent,
        }),
      ),
    ],
  },
  {
    id: 'W4',
    title: 'A watch in one served version shows objects in that version, whatever version they are written in',
    priority: 'P1',
    setup: [
      as('a', create(gadgets, gadget('x'))),
      watch('w', `/apis/${group}/v1beta1/namespaces/{ns}/gadgets`, since('a')),
    ],
    steps: [
      create(gadgets, gadget('y'), answers(201)),
      events('w', about('ADDED', 'y', { apiVersion: `${group}/v1beta1` })),
    ],
  },
  {
    id: 'W6',
    title: 'The old watch path /watch/ still answers',
    priority: 'P1',
    setup: [as('a', create(configMaps, configMap('x')))],
    steps: [
      { watch: { method: 'GET', path: `/api/v1/watch/namespaces/{ns}/configmaps?resourceVersion=${rv}` }, as: 'w' },
      create(configMaps, configMap('y'), answers(201)),
      events('w', about('ADDED', 'y')),
    ],
  },
];
