// Rows about webhooks that are out of order, and about their configurations.
import { absent, exactly, like, text } from '../matchers.ts';
import type { Row, Step } from '../row.ts';
import { answers, configMap, configMaps, create, fails, invalid, remove, send } from './dsl.ts';

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

export const webhookFaultRows: readonly Row[] = [
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
