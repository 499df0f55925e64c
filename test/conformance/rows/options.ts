// Rows about dry run and field validation.
import { absent, like, present, text, time } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  about,
  answers,
  apply,
  as,
  configMap,
  configMaps,
  create,
  deployments,
  events,
  fails,
  get,
  invalid,
  mergePatch,
  put,
  secrets,
  watch,
  widget,
  widgets,
} from './dsl.ts';

const x = `${widgets}/x`;

export const optionRows: readonly Row[] = [
  {
    id: '131',
    title: 'dryRun=All: the whole path and answer, nothing is stored, no event, no resourceVersion is used up',
    priority: 'P0',
    setup: [
      as('a', create(widgets, widget('x'))),
      watch('w', widgets, '&resourceVersion={a.metadata.resourceVersion}'),
    ],
    steps: [
      create(
        `${widgets}?dryRun=All`,
        widget('y'),
        answers(201, { metadata: { uid: present, creationTimestamp: time, generation: 1 }, spec: { mode: 'auto' } }),
      ),
      get(`${widgets}/y`, fails(404, 'NotFound')),
      mergePatch(
        `${x}?dryRun=All`,
        { spec: { size: 2 } },
        answers(200, {
          spec: { size: 2 },
          metadata: { generation: 2, resourceVersion: '{a.metadata.resourceVersion}' },
        }),
      ),
      put(
        `${x}?dryRun=All`,
        widget('x', { size: 3 }, { resourceVersion: '{a.metadata.resourceVersion}' }),
        answers(200, { spec: { size: 3 } }),
      ),
      apply(x, 'one', widget('x', { size: 4 }), answers(200, { spec: { size: 4 } }), '&dryRun=All&force=true'),
      apply(`${widgets}/z`, 'one', widget('z'), answers(201), '&dryRun=All'),
      create(`${widgets}?dryRun=All`, widget('x'), fails(409, 'AlreadyExists')),
      create(`${widgets}?dryRun=All`, widget('y', { size: 'big' }), fails(422, 'Invalid')),
      get(x, answers(200, { spec: { size: 1 }, metadata: { resourceVersion: '{a.metadata.resourceVersion}' } })),
      create(widgets, widget('marker'), answers(201)),
      events('w', about('ADDED', 'marker')),
    ],
  },
  {
    id: '132',
    title: 'Another value of dryRun: 422',
    priority: 'P1',
    steps: [
      create(`${widgets}?dryRun=Some`, widget('y'), invalid({ reason: 'FieldValueNotSupported', field: 'dryRun' })),
    ],
  },
  {
    id: '133',
    title: 'fieldValidation=Strict with an unknown or duplicate member: 400, "strict decoding error" names it',
    priority: 'P0',
    needs: ['text'],
    steps: [
      create(
        `${widgets}?fieldValidation=Strict`,
        widget('x', { colour: 'red' }),
        fails(400, 'BadRequest', { message: text('strict decoding error: unknown field "spec.colour"') }),
      ),
      create(
        `${configMaps}?fieldValidation=Strict`,
        { ...configMap('x'), dota: {} },
        fails(400, 'BadRequest', { message: text('strict decoding error: unknown field "dota"') }),
      ),
      {
        send: {
          method: 'POST',
          path: `${configMaps}?fieldValidation=Strict`,
          text: '{"metadata":{"name":"x"},"data":{"a":"1","a":"2"}}',
        },
        expect: fails(400, 'BadRequest', {
          message: text('strict decoding error: duplicate field "data\\["?a"?\\]"|duplicate field "data.a"'),
        }),
      },
      {
        send: {
          method: 'POST',
          path: `${widgets}?fieldValidation=Strict`,
          text: '{"apiVersion":"conformance.pawl.dev/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"size":1,"size":2}}',
        },
        expect: fails(400, 'BadRequest', { message: text('duplicate field "spec.size"') }),
      },
    ],
  },
  {
    id: '134',
    title: 'fieldValidation=Warn, the default: success and a Warning header; Ignore: no header',
    priority: 'P1',
    steps: [
      create(
        widgets,
        widget('x', { colour: 'red' }),
        answers(201, { spec: { colour: absent } }, { headers: { warning: '299 - "unknown field \\"spec.colour\\""' } }),
      ),
      create(
        `${configMaps}?fieldValidation=Warn`,
        { ...configMap('x'), dota: {} },
        answers(201, { dota: absent }, { headers: { warning: text('unknown field \\\\"dota') } }),
      ),
      create(
        `${widgets}?fieldValidation=Ignore`,
        widget('y', { colour: 'red' }),
        answers(201, {}, { headers: { warning: absent } }),
      ),
      create(
        `${widgets}?fieldValidation=Loud`,
        widget('z'),
        invalid({ reason: 'FieldValueNotSupported', field: 'fieldValidation' }),
      ),
    ],
  },
  {
    id: 'O1',
    title:
      'Strict validation without a text body: unknown members of custom and built-in resources on create, replace, patch and apply',
    priority: 'P0',
    setup: [
      as('a', create(widgets, widget('x'))),
      create(deployments, {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'm', image: 'i' }] } },
        },
      }),
    ],
    steps: [
      create(
        `${widgets}?fieldValidation=Strict`,
        widget('y', { colour: 'red' }),
        fails(400, 'BadRequest', { message: text('unknown field "spec.colour"') }),
      ),
      put(
        `${x}?fieldValidation=Strict`,
        widget('x', { colour: 'red' }, { resourceVersion: '{a.metadata.resourceVersion}' }),
        fails(400, 'BadRequest', { message: text('unknown field "spec.colour"') }),
      ),
      mergePatch(
        `${x}?fieldValidation=Strict`,
        { spec: { colour: 'red' } },
        fails(422, 'Invalid', { message: text('unknown field "spec.colour"') }),
      ),
      apply(
        x,
        'one',
        widget('x', { colour: 'red' }),
        answers(500, { message: text('field not declared in schema') }),
        '&fieldValidation=Strict',
      ),
      apply(x, 'one', widget('x', { colour: 'red' }), answers(500, { message: text('field not declared in schema') })),
      mergePatch(
        `${deployments}/d?fieldValidation=Strict`,
        { spec: { template: { spec: { hostnam: 'x' } } } },
        fails(422, 'Invalid', { message: like('unknown field "spec.template.spec.hostnam"') }),
      ),
      mergePatch(
        `${deployments}/d`,
        { spec: { template: { spec: { hostnam: 'x' } } } },
        answers(200, {}, { headers: { warning: text('unknown field') } }),
      ),
    ],
  },
  {
    id: 'O2',
    title: 'A dry-run apply of what is missing shows what it would become, defaults included',
    priority: 'P0',
    steps: [
      apply(
        `${deployments}/d`,
        'one',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'd' },
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: {
              metadata: { labels: { a: 'b' } },
              spec: { containers: [{ name: 'm', image: 'i', ports: [{ containerPort: 80 }] }] },
            },
          },
        },
        answers(
          201,
          {
            spec: {
              replicas: 1,
              template: {
                spec: { restartPolicy: 'Always', containers: [{ ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
              },
            },
          },
          { same: ['spec'] },
        ),
        '&dryRun=All',
      ),
      get(`${deployments}/d`, fails(404, 'NotFound')),
      apply(
        `${secrets}/s`,
        'one',
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } },
        answers(201, { type: 'Opaque', data: { a: 'Yg==' } }),
        '&dryRun=All',
      ),
    ],
  },
];
