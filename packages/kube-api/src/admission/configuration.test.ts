import { describe, expect, it } from 'vitest';
import { CONFIGURATIONS, configMapWebhook, hookedServer } from './testing.ts';

const allow = (): { allowed: boolean } => ({ allowed: true });

describe('a webhook configuration', () => {
  it('gets its defaults', async () => {
    const { configure } = hookedServer(allow);
    expect((await configure('Mutating', {}))['webhooks']).toMatchObject([
      {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
        rules: [{ scope: '*' }],
      },
    ]);
  });

  it.each([
    [
      'http',
      { clientConfig: { url: 'http://x' } },
      'clientConfig.url',
      `Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    ],
    ['no address', { clientConfig: {} }, 'clientConfig', 'Required value: exactly one of url or service is required'],
    [
      'a short name',
      { name: 'short' },
      'name',
      'Invalid value: "short": should be a domain with at least three segments separated by dots',
    ],
    [
      'no word about side effects',
      { sideEffects: undefined },
      'sideEffects',
      'Required value: must specify one of None, NoneOnDryRun',
    ],
    [
      'no version',
      { admissionReviewVersions: [] },
      'admissionReviewVersions',
      'Required value: must specify one of v1, v1beta1',
    ],
    [
      'a long timeout',
      { timeoutSeconds: 60 },
      'timeoutSeconds',
      'Invalid value: 60: the timeout value must be between 1 and 30 seconds',
    ],
    [
      'an unknown policy',
      { failurePolicy: 'Maybe' },
      'failurePolicy',
      'Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
  ])('with %s is refused', async (_, webhook, field, message) => {
    const { send } = hookedServer(allow);
    const answer = await send('POST', `${CONFIGURATIONS}/mutatingwebhookconfigurations`, {
      metadata: { name: 'x' },
      webhooks: [{ ...configMapWebhook('h'), ...webhook }],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: `webhooks[0].${field}`, message }] } },
    });
  });
});
