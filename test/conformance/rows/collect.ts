// Rows about garbage collection, which a controller does in its own time.
import { absent, present } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  as,
  configMap,
  configMaps,
  crds,
  create,
  get,
  mergePatch,
  namespaces,
  owner,
  remove,
  secrets,
  until,
  widget,
  widgets,
} from './dsl.ts';

const deadUid = '11111111-1111-1111-1111-111111111111';
const child = (name: string, ...ownerReferences: readonly object[]): object => configMap(name, {}, { ownerReferences });

export const collectRows: readonly Row[] = [
  {
    id: '95',
    title: 'An object all of whose owners are gone is deleted',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('owner'))),
      create(configMaps, child('child', owner('owner', '{a.metadata.uid}'))),
    ],
    steps: [
      remove(`${configMaps}/owner`, undefined, answers(200, { kind: 'Status' })),
      until(`${configMaps}/child`, answers(404)),
    ],
  },
  {
    id: '96',
    title: 'An owner of the same name but another uid counts as gone',
    priority: 'P0',
    needs: ['controllers'],
    setup: [create(configMaps, configMap('owner')), create(configMaps, child('child', owner('owner', deadUid)))],
    steps: [until(`${configMaps}/child`, answers(404)), get(`${configMaps}/owner`, answers(200))],
  },
  {
    id: '97',
    title: 'Of two owners one is gone: its reference is removed, the object stays',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('one'))),
      as('b', create(configMaps, configMap('two'))),
      create(configMaps, child('child', owner('one', '{a.metadata.uid}'), owner('two', '{b.metadata.uid}'))),
    ],
    steps: [
      remove(`${configMaps}/one`, undefined, answers(200)),
      until(
        `${configMaps}/child`,
        answers(200, { metadata: { deletionTimestamp: absent, ownerReferences: [{ name: 'two' }] } }),
      ),
    ],
  },
  {
    id: '98',
    title: 'An owner in another namespace counts as gone',
    priority: 'P1',
    needs: ['controllers'],
    setup: [
      as('a', create(`${namespaces}/default/configmaps`, { metadata: { generateName: 'owner-' } })),
      create(configMaps, child('child', owner('{a.metadata.name}', '{a.metadata.uid}'))),
    ],
    steps: [until(`${configMaps}/child`, answers(404))],
  },
  {
    id: '99',
    title: 'Only dependents with blockOwnerDeletion hold an owner that is deleted in the foreground',
    priority: 'P1',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('owner'))),
      create(
        configMaps,
        configMap(
          'child',
          {},
          { finalizers: ['example.com/hold'], ownerReferences: [owner('owner', '{a.metadata.uid}')] },
        ),
      ),
    ],
    steps: [
      remove(`${configMaps}/owner`, { propagationPolicy: 'Foreground' }, answers(200)),
      until(`${configMaps}/owner`, answers(404)),
      until(`${configMaps}/child`, answers(200, { metadata: { deletionTimestamp: present } })),
    ],
  },
  {
    id: '100',
    title: 'A child that is created with an owner who is gone already is collected soon after',
    priority: 'P0',
    needs: ['controllers'],
    setup: [create(configMaps, child('child', owner('never', deadUid)))],
    steps: [until(`${configMaps}/child`, answers(404))],
  },
  {
    id: 'G1',
    title: 'Children of several kinds go with their owner; what has no owner stays',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('owner'))),
      create(
        configMaps,
        child('child', owner('owner', '{a.metadata.uid}', { controller: true, blockOwnerDeletion: true })),
      ),
      create(secrets, { metadata: { name: 'child', ownerReferences: [owner('owner', '{a.metadata.uid}')] } }),
      create(secrets, { metadata: { name: 'free' } }),
    ],
    steps: [
      remove(`${configMaps}/owner`, { propagationPolicy: 'Background' }, answers(200)),
      until(`${configMaps}/child`, answers(404)),
      until(`${secrets}/child`, answers(404)),
      get(`${secrets}/free`, answers(200)),
    ],
  },
  {
    id: 'G2',
    title: 'A grandchild goes too, after its parent',
    priority: 'P1',
    needs: ['controllers'],
    setup: [
      as('a', create(configMaps, configMap('owner'))),
      as('b', create(configMaps, child('child', owner('owner', '{a.metadata.uid}')))),
      create(configMaps, child('grandchild', owner('child', '{b.metadata.uid}'))),
    ],
    steps: [
      remove(`${configMaps}/owner`, undefined, answers(200)),
      until(`${configMaps}/grandchild`, answers(404)),
      get(`${configMaps}/child`, answers(404)),
    ],
  },
  {
    id: 'G3',
    title: 'A custom resource can own built-in objects; the collector learns of new kinds within half a minute',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      as('a', create(widgets, widget('owner'))),
      create(
        configMaps,
        child('child', {
          apiVersion: 'conformance.pawl.dev/v1',
          kind: 'Widget',
          name: 'owner',
          uid: '{a.metadata.uid}',
        }),
      ),
    ],
    steps: [remove(`${widgets}/owner`, undefined, answers(200)), until(`${configMaps}/child`, answers(404), 90_000)],
  },
  {
    id: 'G4',
    title: 'Orphan deletion by a custom resource leaves its children without the reference',
    priority: 'P1',
    needs: ['controllers'],
    setup: [
      as('a', create(widgets, widget('owner'))),
      create(
        configMaps,
        child('child', {
          apiVersion: 'conformance.pawl.dev/v1',
          kind: 'Widget',
          name: 'owner',
          uid: '{a.metadata.uid}',
        }),
      ),
    ],
    steps: [
      remove(`${widgets}/owner`, { propagationPolicy: 'Orphan' }, answers(200)),
      until(`${widgets}/owner`, answers(404), 90_000),
      get(`${configMaps}/child`, answers(200, { metadata: { ownerReferences: absent } })),
    ],
  },
  {
    id: 'G5',
    title: 'A namespace that is deleted takes its contents with it; it stays while a finalizer holds one of them',
    priority: 'P0',
    needs: ['controllers'],
    setup: [
      create(configMaps, configMap('free')),
      create(widgets, widget('held', {}, { finalizers: ['example.com/hold'] })),
    ],
    steps: [
      remove(
        `${namespaces}/{ns}`,
        undefined,
        answers(200, { kind: 'Namespace', status: { phase: 'Terminating' }, metadata: { deletionTimestamp: present } }),
      ),
      until(`${configMaps}/free`, answers(404)),
      until(`${widgets}/held`, answers(200, { metadata: { deletionTimestamp: present } })),
      until(
        `${namespaces}/{ns}`,
        answers(200, { status: { phase: 'Terminating' }, spec: { finalizers: ['kubernetes'] } }),
      ),
      mergePatch(`${widgets}/held`, { metadata: { finalizers: null } }, answers(200)),
      until(`${namespaces}/{ns}`, answers(404), 90_000),
    ],
  },
  {
    id: 'G6',
    title: 'A definition that is deleted deletes its custom resources first',
    priority: 'P1',
    setup: [
      create(crds, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'things.{ns}.example' },
        spec: {
          group: '{ns}.example',
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      }),
      until('/apis/{ns}.example/v1', answers(200)),
      {
        until: {
          method: 'POST',
          path: '/apis/{ns}.example/v1/namespaces/{ns}/things',
          body: {
            apiVersion: '{ns}.example/v1',
            kind: 'Thing',
            metadata: { name: 'x', finalizers: ['example.com/hold'] },
          },
        },
        expect: answers(201),
      },
    ],
    steps: [
      remove(`${crds}/things.{ns}.example`, undefined, answers(200)),
      until(
        `${crds}/things.{ns}.example`,
        answers(200, {
          metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
          status: { conditions: { $: 'containing', value: [{ type: 'Terminating', status: 'True' }] } },
        }),
      ),
      until(
        '/apis/{ns}.example/v1/namespaces/{ns}/things/x',
        answers(200, { metadata: { deletionTimestamp: present } }),
      ),
      mergePatch('/apis/{ns}.example/v1/namespaces/{ns}/things/x', { metadata: { finalizers: null } }, answers(200)),
      until(`${crds}/things.{ns}.example`, answers(404)),
      until('/apis/{ns}.example/v1/namespaces/{ns}/things', answers(404)),
    ],
  },
];
