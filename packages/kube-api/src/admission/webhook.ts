// Webhooks as their configurations describe them.
import { at, isList, isObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
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
  return objects(configuration['webhooks']).map((webhook) => {
    const name = text(webhook['name']);
    return {
      id: `${configuration.kind}/${configuration.metadata.name ?? ''}/${name}`,
      name,
      client: clientConfigOf(webhook['clientConfig']),
      rules: objects(webhook['rules']).map(ruleOf),
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
  const caBundle = text(at(value, 'caBundle'));
  return {
    url: isObject(value) && typeof value['url'] === 'string' ? value['url'] : undefined,
    service: isObject(service)
      ? {
          namespace: text(service['namespace']),
          name: text(service['name']),
          port: typeof service['port'] === 'number' ? service['port'] : 443,
          path: text(service['path']) || '/',
        }
      : undefined,
    caBundle: caBundle === '' ? undefined : caBundle,
  };
}

function ruleOf(rule: JsonObject): WebhookRule {
  return {
    operations: texts(rule['operations']),
    apiGroups: texts(rule['apiGroups']),
    apiVersions: texts(rule['apiVersions']),
    resources: texts(rule['resources']),
    scope: text(rule['scope']) || '*',
  };
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

function texts(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
