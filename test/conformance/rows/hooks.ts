// Short ways to write rows about webhooks.
import { absent } from '../matchers.ts';
import type { Step } from '../row.ts';
import { answers, configMaps, create, remove } from './dsl.ts';

type Json = Readonly<Record<string, unknown>>;
type Kind = 'Validating' | 'Mutating';

/** Where configurations of a kind are. */
export const configurations = (kind: Kind): string =>
  `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;

/** A webhook for ConfigMaps and widgets of the row's namespace. */
export function hook(at: string, more: Json = {}): Json {
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

/** Installs webhooks under the row's own name. */
export function configuration(kind: Kind, ...webhooks: readonly Json[]): Step {
  return create(configurations(kind), {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: '{ns}.example' },
    webhooks,
  });
}

/** Removes what `configuration` installed. */
export const gone = (kind: Kind): Step => remove(`${configurations(kind)}/{ns}.example`, undefined, answers(200));
/** A configuration takes effect a moment after it is stored. */
export const soon = (body: unknown, expect: ReturnType<typeof answers>): Step => ({
  until: { method: 'POST', path: `${configMaps}?dryRun=All`, body },
  expect,
  withinMs: 10_000,
});
/** What a webhook's denial looks like that names no code of its own. */
export const denies = (message: unknown): ReturnType<typeof answers> => ({
  status: 400,
  body: { kind: 'Status', status: 'Failure', code: 400, reason: absent, message },
});
