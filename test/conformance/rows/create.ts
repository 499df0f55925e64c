// Rows about creating objects.
import { absent, like, other, present, text, time } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  configMap,
  configMaps,
  create,
  deployments,
  fails,
  gadget,
  gadgets,
  get,
  owner,
  widget,
  widgets,
} from './dsl.ts';

export const createRows: readonly Row[] = [
  {
    id: '18',
    title: 'POST: 201; the server sets uid, creationTimestamp, resourceVersion, and the namespace from the URL',
    priority: 'P0',
    steps: [
      create(
        widgets,
        widget('x', { size: 1 }),
        answers(201, {
          metadata: {
            name: 'x',
            namespace: '{ns}',
            uid: present,
            creationTimestamp: time,
            resourceVersion: text('^[1-9]\\d*$'),
            generation: 1,
          },
          spec: { size: 1 },
        }),
      ),
      create(
        configMaps,
        { metadata: { name: 'x' } },
        answers(201, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: '{ns}', uid: present, generation: absent },
        }),
      ),
    ],
  },
  {
    id: '19',
    title:
      'uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation and selfLink of the body are wiped',
    priority: 'P0',
    steps: [
      create(
        widgets,
        widget(
          'x',
          {},
          {
            uid: 'mine',
            creationTimestamp: '2001-01-01T00:00:00Z',
            deletionTimestamp: '2001-01-01T00:00:00Z',
            deletionGracePeriodSeconds: 5,
            generation: 7,
            selfLink: '/mine',
          },
        ),
        answers(201, {
          metadata: {
            uid: other('mine'),
            creationTimestamp: other('2001-01-01T00:00:00Z'),
            deletionTimestamp: absent,
            deletionGracePeriodSeconds: absent,
            generation: 1,
            selfLink: absent,
          },
        }),
      ),
    ],
  },
  {
    id: '20',
    title:
      'A resourceVersion in the body: 500 without a reason, "resourceVersion should not be set on objects to be created"',
    priority: 'P0',
    steps: [
      create(
        configMaps,
        configMap('x', {}, { resourceVersion: '1' }),
        answers(500, {
          kind: 'Status',
          reason: absent,
          message: 'resourceVersion should not be set on objects to be created',
        }),
      ),
    ],
  },
  {
    id: '22',
    title: 'generateName: at most 58 characters of it and 5 random ones without vowels and look-alikes',
    priority: 'P0',
    steps: [
      create(
        configMaps,
        { metadata: { generateName: 'some-' } },
        answers(201, {
          metadata: { name: like('^some-[bcdfghjklmnpqrstvwxz2456789]{5}$'), generateName: 'some-' },
        }),
      ),
      create(
        configMaps,
        { metadata: { generateName: 'a'.repeat(70) } },
        answers(201, {
          metadata: { name: like('^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$') },
        }),
      ),
    ],
  },
  {
    id: '23',
    title: 'A generated name that is taken is drawn again, up to 8 times',
    priority: 'P1',
    steps: [
      { repeat: 200, send: { method: 'POST', path: configMaps, body: { metadata: { generateName: 'many-' } } } },
      get(configMaps, answers(200, { items: { $: 'containing', value: [{ metadata: { name: like('^many-') } }] } })),
    ],
  },
  {
    id: '28',
    title: 'A custom resource with the status subresource: the status of a POST is dropped',
    priority: 'P0',
    steps: [
      create(widgets, { ...widget('x'), status: { replicas: 3 } }, answers(201, { status: absent })),
      create(gadgets, { ...gadget('x'), status: { replicas: 3 } }, answers(201, { status: { replicas: 3 } })),
    ],
  },
  {
    id: '29',
    title: 'Owner references that occur twice are written once, with a warning',
    priority: 'P1',
    steps: [
      create(
        configMaps,
        configMap('x', {}, { ownerReferences: [owner('a', '1'), owner('a', '1')] }),
        answers(
          201,
          { metadata: { ownerReferences: [owner('a', '1')] } },
          { headers: { warning: text('metadata.ownerReferences contains duplicate entries') } },
        ),
      ),
    ],
  },
  {
    id: 'C1',
    title:
      'A body without apiVersion and kind takes those of the URL for a built-in type; a custom resource must name them',
    priority: 'P1',
    steps: [
      create(configMaps, { metadata: { name: 'x' } }, answers(201, { apiVersion: 'v1', kind: 'ConfigMap' })),
      create(widgets, { metadata: { name: 'x' } }, fails(400, 'BadRequest')),
    ],
  },
  {
    id: 'C2',
    title: 'A dry-run create with generateName answers a name and stores nothing',
    priority: 'P1',
    steps: [
      create(
        `${configMaps}?dryRun=All`,
        { metadata: { generateName: 'dry-' } },
        answers(201, { metadata: { name: like('^dry-.{5}$') } }),
      ),
      get(`${configMaps}?fieldSelector=metadata.name=dry-`, answers(200, { items: [] })),
    ],
  },
  {
    id: 'C3',
    title:
      'Defaults of built-in types are set by the create: a Deployment gets its strategy, replicas and pod defaults',
    priority: 'P0',
    steps: [
      create(
        deployments,
        {
          metadata: { name: 'x' },
          spec: {
            selector: { matchLabels: { app: 'x' } },
            template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
          },
        },
        answers(
          201,
          {
            metadata: { generation: 1 },
            spec: { replicas: 1, strategy: { type: 'RollingUpdate' } },
            status: {},
          },
          { same: ['spec'] },
        ),
      ),
    ],
  },
];
