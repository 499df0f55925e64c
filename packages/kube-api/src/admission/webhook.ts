// Webhooks as their configurations describe them.
import { at, isObject, type Json, type JsonObject, type KubeObject, objectsOf, textOf, textsOf } from '../json.ts';
import type { Store } from '../store/store.ts';
import type { ClientConfig } from './message.ts';

const GROUP = 'admissionregistration.k8s.io';
export const MUTATING_TABLE = `mutatingwebhookconfigurations.${GROUP}`;
export const VALIDATING_TABLE = `validatingwebhookconfigurations.${GROUP}`;

/** Which requests a webhook is called for. */
export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

export interface Webhook {
  /** Names it among all: configuration and webhook. */
  readonly id: string;
  readonly name: string;
  readonly client: ClientConfig;
  readonly rules: readonly WebhookRule[];
  readonly ignoresFailure: boolean;
  readonly matchesEquivalent: boolean;
  readonly namespaceSelector: Json;
  readonly objectSelector: Json;
  readonly timeoutSeconds: number;
  readonly isReinvoked: boolean;
}

const parsed = new WeakMap<KubeObject, readonly Webhook[]>();

/** Whether any webhook is configured. */
export function hasWebhooks(store: Store): boolean {
  return !store.isEmpty(MUTATING_TABLE) || !store.isEmpty(VALIDATING_TABLE);
}

/** The webhooks of one table in the order in which they are called: by the name of the configuration, then as listed. */
export function webhooksOf(store: Store, table: string): readonly Webhook[] {
  return store.objects(table, '').flatMap((configuration) => {
    let webhooks = parsed.get(configuration);
    if (webhooks === undefined) parsed.set(configuration, (webhooks = webhooksIn(configuration)));
    return webhooks;
  });
}

function webhooksIn(configuration: KubeObject): readonly Webhook[] {
  return objectsOf(configuration['webhooks']).map((webhook) => {
    const name = textOf(webhook['name']);
    return {
      id: `${configuration.kind}/${configuration.metadata.name ?? ''}/${name}`,
      name,
      client: clientConfigOf(webhook['clientConfig']),
      rules: objectsOf(webhook['rules']).map(ruleOf),
      ignoresFailure: webhook['failurePolicy'] === 'Ignore',
      matchesEquivalent: webhook['matchPolicy'] !== 'Exact',
      namespaceSelector: webhook['namespaceSelector'] ?? {},
      objectSelector: webhook['objectSelector'] ?? {},
      timeoutSeconds: typeof webhook['timeoutSeconds'] === 'number' ? webhook['timeoutSeconds'] : 10,
      isReinvoked: webhook['reinvocationPolicy'] === 'IfNeeded',
    };
  });
}

/** `clientConfig` of a webhook, also of a conversion webhook. */
export function clientConfigOf(value: Json | undefined): ClientConfig {
  const service = at(value, 'service');
  const caBundle = textOf(at(value, 'caBundle'));
  return {
    url: isObject(value) && typeof value['url'] === 'string' ? value['url'] : undefined,
    service: isObject(service)
      ? {
          namespace: textOf(service['namespace']),
          name: textOf(service['name']),
          port: typeof service['port'] === 'number' ? service['port'] : 443,
          path: textOf(service['path']) || '/',
        }
      : undefined,
    caBundle: caBundle === '' ? undefined : caBundle,
  };
}

function ruleOf(rule: JsonObject): WebhookRule {
  return {
    operations: textsOf(rule['operations']),
    apiGroups: textsOf(rule['apiGroups']),
    apiVersions: textsOf(rule['apiVersions']),
    resources: textsOf(rule['resources']),
    scope: textOf(rule['scope']) || '*',
  };
}
