// Rows about admission webhooks.
import { absent, exactly, like, present, text } from '../matchers.ts';
import type { Row, Step } from '../row.ts';
import {
  answers,
  apply,
  configMap,
  configMaps,
  create,
  fails,
  get,
  invalid,
  mergePatch,
  remove,
  send,
  widget,
  widgets,
} from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;
type Kind = 'Validating' | 'Mutating';

const path = (kind: Kind): string => `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;

/** A webhook for ConfigMaps and widgets of the row's namespace. */
function hook(at: string, more: Json = {}): Json {
  return {
    name: `${at.replaceAll('/', '')}.{ns}.example`,
    clientConfig: { url: `{hook.url}${at}`, caBundle: '{hook.caBundle}' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [
      {
        apiGroups: ['', 'conformance.pawl.dev'],
        apiVersions: ['v1'],
        operations: ['*'],
        resources: ['configmaps', 'widgets', 'widgets/status'],
      },
    ],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
    ...more,
  };
}

function configuration(kind: Kind, ...webhooks: readonly Json[]): Step {
  return create(path(kind), {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: '{ns}.example' },
    webhooks,
  });
}

const gone = (kind: Kind): Step => remove(`${path(kind)}/{ns}.example`, undefined, answers(200));
/** A configuration takes effect a moment after it is stored. */
const soon = (body: unknown, expect: ReturnType<typeof answers>): Step => ({
  until: { method: 'POST', path: `${configMaps}?dryRun=All`, body },
  expect,
  withinMs: 10_000,
});
const denies = (message: unknown): ReturnType<typeof answers> => ({
  status: 400,
  body: { kind: 'Status', status: 'Failure', code: 400, reason: absent, message },
});
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
    id: 'H4',
    title: 'A webhook that cannot be reached: failurePolicy Fail refuses with 500 InternalError, Ignore lets pass',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [
      configuration(
        'Validating',
        hook('/allow', {
          name: 'dead.{ns}.example',
          clientConfig: { url: 'https://127.0.0.1:1/', caBundle: '{hook.caBundle}' },
        }),
      ),
    ],
    steps: [
      soon(
        configMap('x'),
        fails(500, 'InternalError', {
          message:
            'Internal error occurred: failed calling webhook "dead.{ns}.example": failed to call webhook: Post "https://127.0.0.1:1/?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
        }),
      ),
      send(
        'PATCH',
        `${path('Validating')}/{ns}.example`,
        [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }],
        answers(200),
        { headers: { 'content-type': 'application/json-patch+json' } },
      ),
      soon(configMap('x'), answers(201)),
      gone('Validating'),
    ],
  },
  {
    id: 'H5',
    title: 'A webhook that answers 500, or with a patch that does not apply: 500 InternalError',
    priority: 'P1',
    needs: ['webhooks'],
    setup: [configuration('Validating', hook('/broken'))],
    steps: [
      soon(
        configMap('x'),
        fails(500, 'InternalError', {
          message: text('failed calling webhook "broken.{ns}.example"'.replace('{ns}', '[^"]*')),
        }),
      ),
      gone('Validating'),
      configuration('Mutating', hook('/bad-patch')),
      soon(configMap('x'), { status: 500, body: { kind: 'Status', code: 500 } }),
      gone('Mutating'),
    ],
  },
  {
    id: 'H7',
    title: 'Object selector and match conditions: a webhook is called only for what they select',
    priority: 'P0',
    needs: ['webhooks'],
    setup: [
      configuration(
        'Validating',
        hook('/deny', { objectSelector: { matchLabels: { guard: 'yes' } } }),
        hook('/deny-teapot', { matchConditions: [{ name: 'named', expression: "object.metadata.name == 'tea'" }] }),
      ),
    ],
    steps: [
      soon(configMap('x', {}, { labels: { guard: 'yes' } }), denies(present)),
      soon(configMap('tea'), answers(418)),
      create(configMaps, configMap('x'), answers(201)),
      mergePatch(`${configMaps}/x`, { metadata: { labels: { guard: 'yes' } } }, denies(present)),
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
        echo('"operation":"UPDATE".*"dryRun":false,"options":"PatchOptions".*"object":"x","oldObject":"x"\\}$'),
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
      apply(`${configMaps}/z`, 'one', configMap('z'), echo('"operation":"CREATE".*"options":"PatchOptions"')),
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
  {
    id: 'H11',
    title: 'A webhook that does not answer within its timeoutSeconds: as if it could not be reached',
    priority: 'P1',
    needs: ['webhooks'],
    setup: [configuration('Validating', hook('/silent', { timeoutSeconds: 1 }))],
    steps: [
      soon(
        configMap('x'),
        fails(500, 'InternalError', {
          message: like(
            'failed calling webhook "silent\\..*": failed to call webhook: Post "https://.*/silent\\?timeout=1s": context deadline exceeded',
          ),
        }),
      ),
      gone('Validating'),
    ],
  },
  {
    id: 'H12',
    title:
      'A configuration is defaulted and validated: failurePolicy Fail, timeoutSeconds 10; sideEffects, review versions, names and URLs are checked',
    priority: 'P1',
    needs: ['webhooks'],
    steps: [
      create(
        path('Validating'),
        { metadata: { name: '{ns}.example' }, webhooks: [hook('/allow')] },
        answers(201, {
          webhooks: [
            {
              failurePolicy: 'Fail',
              matchPolicy: 'Equivalent',
              timeoutSeconds: 10,
              objectSelector: exactly({}),
              rules: [{ scope: '*' }],
            },
          ],
        }),
      ),
      create(
        path('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { sideEffects: undefined })] },
        invalid({ field: 'webhooks[0].sideEffects' }),
      ),
      create(
        path('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { sideEffects: 'Some' })] },
        invalid({ field: 'webhooks[0].sideEffects', reason: 'FieldValueNotSupported' }),
      ),
      create(
        path('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { admissionReviewVersions: [] })] },
        invalid({ field: 'webhooks[0].admissionReviewVersions' }),
      ),
      create(
        path('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { name: 'short' })] },
        invalid({ field: 'webhooks[0].name' }),
      ),
      create(
        path('Validating'),
        {
          metadata: { name: 'bad.{ns}.example' },
          webhooks: [hook('/allow', { clientConfig: { url: 'http://127.0.0.1/' } })],
        },
        invalid({ field: 'webhooks[0].clientConfig.url' }),
      ),
      create(
        path('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { timeoutSeconds: 31 })] },
        invalid({ field: 'webhooks[0].timeoutSeconds' }),
      ),
      gone('Validating'),
    ],
  },
];
