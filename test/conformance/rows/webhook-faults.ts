// Rows about webhooks that are out of order, and about their configurations.
import { exactly, like, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, configMap, create, fails, invalid, send } from './dsl.ts';
import { configuration, configurations, gone, hook, soon } from './hooks.ts';

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
        `${configurations('Validating')}/{ns}.example`,
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
        configurations('Validating'),
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
        configurations('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { sideEffects: undefined })] },
        invalid({ field: 'webhooks[0].sideEffects' }),
      ),
      create(
        configurations('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { sideEffects: 'Some' })] },
        invalid({ field: 'webhooks[0].sideEffects', reason: 'FieldValueNotSupported' }),
      ),
      create(
        configurations('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { admissionReviewVersions: [] })] },
        invalid({ field: 'webhooks[0].admissionReviewVersions' }),
      ),
      create(
        configurations('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { name: 'short' })] },
        invalid({ field: 'webhooks[0].name' }),
      ),
      create(
        configurations('Validating'),
        {
          metadata: { name: 'bad.{ns}.example' },
          webhooks: [hook('/allow', { clientConfig: { url: 'http://127.0.0.1/' } })],
        },
        invalid({ field: 'webhooks[0].clientConfig.url' }),
      ),
      create(
        configurations('Validating'),
        { metadata: { name: 'bad.{ns}.example' }, webhooks: [hook('/allow', { timeoutSeconds: 31 })] },
        invalid({ field: 'webhooks[0].timeoutSeconds' }),
      ),
      gone('Validating'),
    ],
  },
];
