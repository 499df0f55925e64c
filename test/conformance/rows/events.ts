// Rows about events, owner labels, warnings and the timeouts of requests.
import { like } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, as, configMaps, create, get, invalid, mergePatch, remove, widget, widgets } from './dsl.ts';

export const eventRows: readonly Row[] = [
  {
    id: 'N5',
    title: 'An Event is written in one group and read in the other; it must lie in the namespace of what it is about',
    priority: 'P0',
    setup: [as('a', create(widgets, widget('x')))],
    steps: [
      create(
        '/apis/events.k8s.io/v1/namespaces/{ns}/events',
        {
          metadata: { name: 'x.1' },
          regarding: {
            apiVersion: 'conformance.pawl.dev/v1',
            kind: 'Widget',
            name: 'x',
            namespace: '{ns}',
            uid: '{a.metadata.uid}',
          },
          type: 'Normal',
          reason: 'Upgraded',
          action: 'Upgrade',
          note: 'done',
          eventTime: '2026-01-01T00:00:00.000000Z',
          reportingController: 'example.com/tester',
          reportingInstance: 'tester-1',
        },
        answers(201, { regarding: { name: 'x' }, note: 'done' }),
      ),
      get(
        '/api/v1/namespaces/{ns}/events/x.1',
        answers(200, {
          involvedObject: { kind: 'Widget', name: 'x' },
          message: 'done',
          reason: 'Upgraded',
          reportingComponent: 'example.com/tester',
        }),
      ),
      create(
        '/api/v1/namespaces/{ns}/events',
        {
          metadata: { name: 'y.1' },
          involvedObject: { kind: 'Widget', name: 'x', namespace: 'default' },
          reason: 'R',
          message: 'm',
          type: 'Normal',
        },
        invalid({ field: 'involvedObject.namespace' }),
      ),
      create(
        '/api/v1/namespaces/{ns}/events',
        {
          metadata: { name: 'y.1' },
          involvedObject: { kind: 'Widget', name: 'x', namespace: '{ns}' },
          reason: 'R',
          message: 'm',
          type: 'Normal',
          count: 1,
          firstTimestamp: '2026-01-01T00:00:00Z',
        },
        answers(201, { count: 1 }),
      ),
      mergePatch('/api/v1/namespaces/{ns}/events/y.1', { count: 2 }, answers(200, { count: 2 })),
      get(
        '/api/v1/namespaces/{ns}/events?fieldSelector=involvedObject.name%3Dx,reason%3DR',
        answers(200, { items: [{ metadata: { name: 'y.1' } }] }),
      ),
    ],
  },
  {
    id: 'N7',
    title:
      'A list of many namespaces or kinds by label: the label that a create carries finds the object in the very next list',
    priority: 'P0',
    steps: [
      create(widgets, widget('x', {}, { labels: { 'example.com/owner': '{ns}' } }), answers(201)),
      get(
        '/apis/conformance.pawl.dev/v1/widgets?labelSelector=example.com/owner%3D{ns}',
        answers(200, { items: [{ metadata: { name: 'x' } }] }),
      ),
      get('/api/v1/configmaps?labelSelector=example.com/owner%3D{ns}', answers(200, { items: [] })),
      remove(`${widgets}/x`, undefined, answers(200)),
      get('/apis/conformance.pawl.dev/v1/widgets?labelSelector=example.com/owner%3D{ns}', answers(200, { items: [] })),
    ],
  },
  {
    id: 'N8',
    title: 'Warnings for deprecated or odd input travel as Warning headers, one for each',
    priority: 'P1',
    steps: [
      create(
        widgets,
        widget('x', { colour: 'red', sice: 1 }),
        answers(
          201,
          {},
          { headers: { warning: like('unknown field \\\\"spec.colour\\\\".*unknown field \\\\"spec.sice\\\\"') } },
        ),
      ),
    ],
  },
  {
    id: 'N9',
    title: 'timeout in the query of a write is accepted; one that is no duration is refused',
    priority: 'P1',
    steps: [
      create(`${configMaps}?timeout=15s`, { metadata: { name: 'x' } }, answers(201)),
      create(`${configMaps}?timeout=soon`, { metadata: { name: 'y' } }, answers(400)),
    ],
  },
];
