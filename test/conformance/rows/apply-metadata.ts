// Rows about applying metadata and status, each item owned for itself.
import { absent, exactly, newer, size } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, apply, as, configMap, configMaps, create, widget, widgets } from './dsl.ts';

const x = `${widgets}/x`;

export const metadataRows: readonly Row[] = [
  {
    id: 'A7',
    title: 'Apply of labels, annotations, finalizers and owner references: each item is owned for itself',
    priority: 'P0',
    setup: [
      as('o', create(configMaps, configMap('o'))),
      as('p', create(configMaps, configMap('p'))),
      apply(
        x,
        'one',
        widget(
          'x',
          {},
          {
            labels: { a: '1' },
            annotations: { 'example.com/b': '2' },
            finalizers: ['example.com/one'],
            ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '{o.metadata.uid}' }],
          },
        ),
      ),
    ],
    steps: [
      as(
        'b',
        apply(
          x,
          'two',
          widget(
            'x',
            {},
            {
              labels: { c: '3' },
              finalizers: ['example.com/two'],
              ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: '{p.metadata.uid}' }],
            },
          ),
          answers(
            200,
            {
              metadata: {
                labels: { a: '1', c: '3' },
                finalizers: ['example.com/one', 'example.com/two'],
                ownerReferences: size(2),
              },
            },
            { same: ['metadata.managedFields'] },
          ),
        ),
      ),
      apply(
        x,
        'one',
        widget('x', {}),
        answers(
          200,
          {
            metadata: {
              labels: exactly({ c: '3' }),
              annotations: absent,
              finalizers: ['example.com/two'],
              ownerReferences: size(1),
              resourceVersion: newer('{b.metadata.resourceVersion}'),
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
    ],
  },
  {
    id: 'A8',
    title: 'Apply to /status owns only status; the main object and its other managers are left alone',
    priority: 'P0',
    setup: [as('a', apply(x, 'one', widget('x', { size: 1 })))],
    steps: [
      apply(
        `${x}/status`,
        'two',
        { ...widget('x', { size: 5 }), status: { ready: true } },
        answers(
          200,
          {
            spec: { size: 1 },
            status: { ready: true },
            metadata: { generation: 1 },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
      apply(
        `${x}/status`,
        'three',
        { ...widget('x'), status: { phase: 'Steady' } },
        answers(200, { status: exactly({ ready: true, phase: 'Steady' }) }, { same: ['metadata.managedFields'] }),
      ),
      apply(
        `${x}/status`,
        'two',
        { ...widget('x'), status: {} },
        answers(200, { status: exactly({ phase: 'Steady' }) }, { same: ['metadata.managedFields'] }),
      ),
    ],
  },
];
