// A webhook in the test's own process, for tests.
import { isObject, type JsonObject, type KubeObject } from '../json.ts';
import { testServer, type TestServer } from '../testing/server.ts';
import type { ApiServerOptions } from '../server/api-server.ts';
import type { WebhookMessage } from './message.ts';

export const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';

/** Answers a review's request; the uid is added. A text is sent as it is. */
export type Responder = (request: JsonObject, path: string) => JsonObject | string | Promise<JsonObject | string>;

/** A server whose webhooks `respond` answers for. */
export interface HookedServer extends TestServer {
  /** The `request` of every review that was sent. */
  readonly reviews: JsonObject[];
  readonly messages: WebhookMessage[];
  /** Configures webhooks of all operations on ConfigMaps; `webhook` adds to each of them. */
  readonly configure: (type: 'Mutating' | 'Validating', ...webhooks: object[]) => Promise<KubeObject>;
}

export function hookedServer(respond: Responder, options: ApiServerOptions = {}): HookedServer {
  const reviews: JsonObject[] = [];
  const messages: WebhookMessage[] = [];
  const send = async (message: WebhookMessage): Promise<{ status: number; text: string }> => {
    const { request, kind, apiVersion } = message.body;
    if (!isObject(request)) throw new Error('a review without a request');
    reviews.push(request);
    messages.push(message);
    const response = await respond(request, new URL(message.url).pathname);
    if (typeof response === 'string') return { status: 200, text: response };
    return { status: 200, text: JSON.stringify({ kind, apiVersion, response: { uid: request['uid'], ...response } }) };
  };
  const test = testServer({ webhooks: { send }, ...options });
  return {
    ...test,
    reviews,
    messages,
    configure: (type, ...webhooks) =>
      test.ok('POST', `${CONFIGURATIONS}/${type.toLowerCase()}webhookconfigurations`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${type}WebhookConfiguration`,
        metadata: { name: type.toLowerCase() },
        webhooks: webhooks.map((webhook, index) => ({ ...configMapWebhook(`h${index}`), ...webhook })),
      }),
  };
}

/** A webhook for ConfigMaps under `https://hooks.test/NAME`. */
export function configMapWebhook(name: string): object {
  return {
    name: `${name}.test.dev`,
    clientConfig: { url: `https://hooks.test/${name}` },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

/** The answer that changes an object by a JSON patch. */
export function patching(...operations: readonly object[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}
