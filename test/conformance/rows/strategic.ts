// Rows about strategic merge patches.
import { absent } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, configMap, configMaps, create, deployments, fails, strategicPatch, widget, widgets } from './dsl.ts';

const container = (name: string, rest: object = {}): object => ({ name, image: 'nginx', ...rest });
const deployment = {
  metadata: { name: 'x' },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: {
        containers: [container('one', { env: [{ name: 'A', value: '1' }] }), container('two')],
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    },
  },
};
const inPodSpec = (spec: object): object => ({ spec: { template: { spec } } });

export const strategicRows: readonly Row[] = [
  {
    id: '52',
    title: 'A strategic merge patch of a custom resource: 415 UnsupportedMediaType',
    priority: 'P0',
    setup: [create(widgets, widget('x'))],
    steps: [strategicPatch(`${widgets}/x`, { spec: { size: 2 } }, fails(415, 'UnsupportedMediaType'))],
  },
  {
    id: '53',
    title: 'A strategic merge patch of a built-in type merges lists by their key and knows its directives',
    priority: 'P1',
    setup: [
      create(deployments, deployment),
      create(configMaps, configMap('x', { a: '1', b: '2' }, { finalizers: ['example.com/a', 'example.com/b'] })),
    ],
    steps: [
      strategicPatch(
        `${deployments}/x`,
        inPodSpec({ containers: [{ name: 'one', image: 'nginx:2', env: [{ name: 'B', value: '2' }] }] }),
        answers(200, {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'one',
                    image: 'nginx:2',
                    env: [
                      { name: 'B', value: '2' },
                      { name: 'A', value: '1' },
                    ],
                  },
                  { name: 'two', image: 'nginx' },
                ],
              },
            },
          },
        }),
      ),
      strategicPatch(
        `${deployments}/x`,
        inPodSpec({ containers: [{ name: 'two', $patch: 'delete' }] }),
        answers(200, {
          spec: { template: { spec: { containers: [{ name: 'one' }] } } },
        }),
      ),
      strategicPatch(
        `${deployments}/x`,
        inPodSpec({ containers: [{ name: 'three', image: 'nginx' }, { $patch: 'replace' }] }),
        answers(200, {
          spec: { template: { spec: { containers: [{ name: 'three' }] } } },
        }),
      ),
      strategicPatch(
        `${deployments}/x`,
        inPodSpec({ volumes: [{ $retainKeys: ['name', 'configMap'], name: 'v', configMap: { name: 'c' } }] }),
        answers(200, {
          spec: { template: { spec: { volumes: [{ name: 'v', emptyDir: absent, configMap: { name: 'c' } }] } } },
        }),
      ),
      strategicPatch(
        `${deployments}/x`,
        inPodSpec({
          '$setElementOrder/containers': [{ name: 'four' }, { name: 'three' }],
          containers: [{ name: 'four', image: 'nginx' }],
        }),
        answers(200, {
          spec: { template: { spec: { containers: [{ name: 'four' }, { name: 'three' }] } } },
        }),
      ),
      strategicPatch(
        `${configMaps}/x`,
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] }, data: { a: null } },
        answers(200, {
          metadata: { finalizers: ['example.com/b'] },
          data: { a: absent, b: '2' },
        }),
      ),
    ],
  },
];
