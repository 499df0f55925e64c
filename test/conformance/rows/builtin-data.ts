// Rows about applying services and objects that hold data.
import { exactly, present, size } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, apply, configMaps, secrets, serviceAccounts, services } from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;

const service = (spec: Json): Json => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec });
const entry = (manager: string, fieldsV1: unknown): Json => ({ manager, operation: 'Apply', fieldsV1 });

export const dataRows: readonly Row[] = [
  {
    id: 'F6',
    title:
      'Apply of a Service: ports are keyed by port and protocol, the default protocol enters the key; the cluster IP is not owned',
    priority: 'P0',
    steps: [
      apply(
        `${services}/x`,
        'one',
        service({
          selector: { app: 'x' },
          ports: [
            { name: 'http', port: 80 },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        }),
        answers(201, {
          spec: {
            clusterIP: present,
            type: 'ClusterIP',
            ports: [
              { port: 80, targetPort: 80, protocol: 'TCP' },
              { port: 53, protocol: 'UDP' },
            ],
          },
          metadata: {
            managedFields: [
              entry(
                'one',
                exactly({
                  'f:spec': {
                    'f:selector': {},
                    'f:ports': {
                      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
                      'k:{"port":53,"protocol":"UDP"}': { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {} },
                    },
                  },
                }),
              ),
            ],
          },
        }),
      ),
      apply(
        `${services}/x`,
        'one',
        service({ selector: { app: 'y' }, ports: [{ name: 'http', port: 80 }] }),
        answers(200, { spec: { selector: exactly({ app: 'y' }), ports: size(1) } }),
      ),
    ],
  },
  {
    id: 'F7',
    title:
      'Apply of ConfigMap, Secret and ServiceAccount: each key of data is owned for itself; stringData is owned as what was sent',
    priority: 'P0',
    steps: [
      apply(
        `${secrets}/x`,
        'one',
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, stringData: { a: 'value' } },
        answers(201, { data: { a: 'dmFsdWU=' }, type: 'Opaque' }, { same: ['metadata.managedFields'] }),
      ),
      apply(
        `${secrets}/y`,
        'one',
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'y' }, data: { a: 'dmFsdWU=' }, type: 'Opaque' },
        answers(201, {
          metadata: { managedFields: [entry('one', exactly({ 'f:data': { 'f:a': {} }, 'f:type': {} }))] },
        }),
      ),
      apply(
        `${serviceAccounts}/x`,
        'one',
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x', labels: { a: 'b' } } },
        answers(201, {
          metadata: { managedFields: [entry('one', exactly({ 'f:metadata': { 'f:labels': { 'f:a': {} } } }))] },
        }),
      ),
      apply(
        `${configMaps}/x`,
        'one',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: '1', b: '2' } },
        answers(201),
      ),
      apply(
        `${configMaps}/x`,
        'one',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { b: '2' } },
        answers(200, { data: exactly({ b: '2' }) }),
      ),
    ],
  },
];
