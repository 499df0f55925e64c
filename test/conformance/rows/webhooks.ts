// Rows about admission webhooks that work.
import { absent, exactly, like, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import {
  answers,
  apply,
  configMap,
  configMaps,
  create,
  fails,
  get,
  mergePatch,
  remove,
  widget,
  widgets,
} from './dsl.ts';
import { configuration, denies, gone, hook, soon } from './hooks.ts';

const echo = (pattern: string): ReturnType<typeof answers> => denies(like(pattern));

export const webhookRows: readonly Row[] = [
  {
    id: 'H1',
    title:
      'A validating webhook that denies: 400 without a reason, the message names the webhook and gives its text; 403 Forbidden only if it says so',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [configuration('Validating', hook('/deny'))],
    steps: [
      soon(configMap('x'), denies('admission webhook "deny.{ns}.example" denied the request: not today')),
      create(configMaps, configMap('x'), denies(present)),
      create(widgets, widget('x'), denies(present)),
      get(`${configMaps}/x`, fails(404, 'NotFound')),
      gone('Validating'),
    ],
  },
  {
    id: 'H2',
    title: 'A webhook that denies with a code and a reason of its own: both are in the answer',
    priority: 'P1',
    needs: ['webhooks'],
    setup: [configuration('Validating', hook('/deny-teapot'))],
    steps: [
      soon(configMap('x'), {
        status: 418,
        body: {
          kind: 'Status',
          code: 418,
          reason: 'Teapot',
          message: 'admission webhook "deny-teapot.{ns}.example" denied the request: short and stout',
        },
      }),
      gone('Validating'),
    ],
  },
  {
    id: 'H3',
    title: 'A mutating webhook changes what is stored; nobody owns what it adds to a create',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [configuration('Mutating', hook('/label-a'))],
    steps: [
      soon(configMap('x'), answers(201, { metadata: { labels: exactly({ a: 'yes' }) } })),
      create(
        `${configMaps}?fieldManager=one`,
        configMap('x'),
        answers(
          201,
          {
            metadata: {
              labels: { a: 'yes' },
              managedFields: [{ manager: 'one', fieldsV1: { 'f:metadata': absent } }],
            },
          },
          { same: ['metadata.managedFields'] },
        ),
      ),
      apply(
        `${widgets}/x`,
        'two',
        widget('x', { size: 1 }, { labels: { c: 'd' } }),
        answers(201, { metadata: { labels: exactly({ a: 'yes', c: 'd' }) } }, { same: ['metadata.managedFields'] }),
      ),
      apply(
        `${widgets}/x`,
        'two',
        widget('x', { size: 1 }, { labels: { c: 'd' } }),
        answers(
          200,
          { metadata: { labels: exactly({ a: 'yes', c: 'd' }), generation: 1 } },
          { same: ['metadata.managedFields'] },
        ),
      ),
      gone('Mutating'),
    ],
  },
  {
    id: 'H6',
    title: 'Match conditions in CEL: a webhook is called only where they hold',
    priority: 'P1',
    needs: ['webhooks'],
    notModelled: 'a configuration with match conditions is refused with 501',
    setup: [
      configuration(
        'Validating',
        hook('/deny', { matchConditions: [{ name: 'named', expression: "object.metadata.name == 'tea'" }] }),
      ),
    ],
    steps: [
      soon(configMap('tea'), denies(present)),
      create(configMaps, configMap('x'), answers(201)),
      gone('Validating'),
    ],
  },
  {
    id: 'H7',
    title: 'Object selector: a webhook is called if the object before or after the change is selected',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [
      create(configMaps, configMap('y', {}, { labels: { guard: 'yes' } })),
      configuration('Validating', hook('/deny', { objectSelector: { matchLabels: { guard: 'yes' } } })),
    ],
    steps: [
      soon(configMap('x', {}, { labels: { guard: 'yes' } }), denies(present)),
      create(configMaps, configMap('x'), answers(201)),
      mergePatch(`${configMaps}/x`, { metadata: { labels: { guard: 'yes' } } }, denies(present)),
      mergePatch(`${configMaps}/y`, { metadata: { labels: { guard: null } } }, denies(present)),
      gone('Validating'),
    ],
  },
  {
    id: 'H8',
    title: 'Warnings of a webhook travel to the client',
    priority: 'P1',
    needs: ['webhooks'],
    setup: [configuration('Validating', hook('/warn'))],
    steps: [
      {
        until: { method: 'POST', path: `${configMaps}?dryRun=All`, body: configMap('x') },
        expect: { status: 201, headers: { warning: '299 - "be careful", 299 - "be very careful"' } },
        withinMs: 10_000,
      },
      gone('Validating'),
    ],
  },
  {
    id: 'H9',
    title:
      'What a webhook is told: operation, kind, resource, subresource, name, namespace, user, options, dry run, the object and the one before',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [
      create(configMaps, configMap('x')),
      create(widgets, widget('w')),
      configuration('Validating', hook('/echo')),
    ],
    steps: [
      soon(
        configMap('y'),
        echo(
          'denied the request: \\{"operation":"CREATE","resource":\\{"group":"","version":"v1","resource":"configmaps"\\},"kind":\\{"group":"","version":"v1","kind":"ConfigMap"\\},"name":"y","namespace":"[^"]*","dryRun":true,"options":"CreateOptions","user":"[^"]*","object":"y","oldObject":null\\}$',
        ),
      ),
      mergePatch(
        `${configMaps}/x`,
        { data: { a: 'b' } },
        echo('"operation":"UPDATE".*"dryRun":false,"options":"UpdateOptions".*"object":"x","oldObject":"x"\\}$'),
      ),
      remove(
        `${configMaps}/x`,
        undefined,
        echo('"operation":"DELETE".*"name":"x".*"options":"DeleteOptions".*"object":null,"oldObject":"x"\\}$'),
      ),
      mergePatch(
        `${widgets}/w/status`,
        { status: { a: 1 } },
        echo('"operation":"UPDATE".*"subResource":"status".*"object":"w","oldObject":"w"\\}$'),
      ),
      mergePatch(`${configMaps}/x`, { data: { key: 'value' } }, echo('"operation":"UPDATE"')),
      apply(`${configMaps}/z`, 'one', configMap('z'), echo('"operation":"CREATE".*"options":"CreateOptions"')),
      gone('Validating'),
    ],
  },
  {
    id: 'H10',
    title: 'Mutating webhooks run in order, each seeing the work of the one before; validating ones see the result',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [
      configuration('Mutating', hook('/label-a'), hook('/label-b')),
      configuration('Validating', hook('/deny-labelled', { objectSelector: { matchLabels: { strict: 'yes' } } })),
    ],
    steps: [
      soon(configMap('x'), answers(201, { metadata: { labels: exactly({ a: 'yes', b: 'yes' }) } })),
      soon(configMap('x', {}, { labels: { strict: 'yes' } }), denies(text('labelled$'))),
      gone('Mutating'),
      gone('Validating'),
    ],
  },
];
