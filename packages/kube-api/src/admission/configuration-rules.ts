// What a MutatingWebhookConfiguration or ValidatingWebhookConfiguration must satisfy.
import { duplicate, invalidValue, notSupported, required } from '../causes.ts';
import { notImplemented, type Cause } from '../errors.ts';
import { isList, type Json, type JsonObject, type KubeObject, objectsOf, textOf } from '../json.ts';
import type { Rules } from '../kinds/resource-type.ts';
import { isSubdomain } from '../server/names.ts';
import { selectorCauses } from './selector-causes.ts';
import { clientConfigCauses } from './client-config-causes.ts';

export const webhookConfigurationRules: Partial<Rules> = { generation: true, validate: webhookCauses };

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

function webhookCauses(configuration: KubeObject): readonly Cause[] {
  const names = new Set<Json | undefined>();
  return objectsOf(configuration['webhooks']).flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const causes = [...oneWebhook(webhook, path)];
    const { name } = webhook;
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name ?? ''));
    names.add(name);
    return causes;
  });
}

function oneWebhook(webhook: JsonObject, path: string): readonly Cause[] {
  if (objectsOf(webhook['matchConditions']).length > 0) throw notImplemented(`${path}.matchConditions`);
  const { name, failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy } = webhook;
  const causes: Cause[] = [...nameCauses(`${path}.name`, textOf(name))];
  for (const [rule, at] of objectsOf(webhook['rules']).map((one, index) => [one, index] as const)) {
    causes.push(...ruleCauses(rule, `${path}.rules[${at}]`));
  }
  causes.push(...oneOf(`${path}.failurePolicy`, failurePolicy, ['Fail', 'Ignore']));
  causes.push(...oneOf(`${path}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']));
  const effects = ['None', 'NoneOnDryRun'];
  if (sideEffects === undefined) {
    causes.push(required(`${path}.sideEffects`, `must specify one of ${effects.join(', ')}`));
  } else causes.push(...oneOf(`${path}.sideEffects`, sideEffects, effects));
  if (typeof timeoutSeconds === 'number' && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const why = 'the timeout value must be between 1 and 30 seconds';
    causes.push(invalidValue(`${path}.timeoutSeconds`, timeoutSeconds, why));
  }
  for (const selector of ['namespaceSelector', 'objectSelector']) {
    causes.push(...selectorCauses(`${path}.${selector}`, webhook[selector]));
  }
  causes.push(...clientConfigCauses(`${path}.clientConfig`, webhook['clientConfig']));
  causes.push(...versionCauses(`${path}.admissionReviewVersions`, webhook['admissionReviewVersions']));
  return [...causes, ...oneOf(`${path}.reinvocationPolicy`, reinvocationPolicy, ['IfNeeded', 'Never'])];
}

function nameCauses(path: string, name: string): readonly Cause[] {
  if (name === '') return [required(path)];
  if (!isSubdomain(name)) return [invalidValue(path, name, 'must be a DNS subdomain in lower case')];
  if (name.split('.').length >= 3) return [];
  return [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')];
}

function ruleCauses(rule: JsonObject, path: string): readonly Cause[] {
  const operations = list(rule['operations']);
  const causes: Cause[] = [...listCauses(`${path}.operations`, operations, '*', 'operations')];
  for (const [index, operation] of operations.entries()) {
    causes.push(...oneOf(`${path}.operations[${index}]`, operation, OPERATIONS));
  }
  causes.push(...listCauses(`${path}.apiGroups`, list(rule['apiGroups']), '*', 'API groups'));
  causes.push(...listCauses(`${path}.apiVersions`, list(rule['apiVersions']), '*', 'API versions'));
  causes.push(...resourcesCauses(`${path}.resources`, list(rule['resources'])));
  return [...causes, ...oneOf(`${path}.scope`, rule['scope'], ['*', 'Cluster', 'Namespaced'])];
}

function listCauses(path: string, values: readonly Json[], all: string, what: string): readonly Cause[] {
  if (values.length === 0) return [required(path)];
  if (values.length === 1 || !values.includes(all)) return [];
  return [invalidValue(path, values, `if '${all}' is present, must not specify other ${what}`)];
}

function resourcesCauses(path: string, resources: readonly Json[]): readonly Cause[] {
  if (resources.length === 0) return [required(path)];
  const causes: Cause[] = [];
  for (const [index, resource] of resources.entries()) {
    const [plural = '', subresource] = textOf(resource).split('/');
    const wider = subresource === undefined ? [] : [`${plural}/*`, `*/${subresource}`, '*/*'];
    const found = wider.find((one) => one !== resource && resources.includes(one));
    if (found !== undefined) {
      causes.push(
        invalidValue(`${path}[${index}]`, resource, `if '${found}' is present, must not specify ${textOf(resource)}`),
      );
    }
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  const plain = resources.filter((one) => !textOf(one).includes('/'));
  if (plain.length > 1 && plain.includes('*')) {
    causes.push(
      invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  }
  return causes;
}

/** The versions of reviews that a webhook understands: at least one that is known. */
export function versionCauses(path: string, value: Json | undefined, missing = true): readonly Cause[] {
  const versions = list(value);
  if (versions.length === 0) {
    return [missing ? required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`) : required(path)];
  }
  if (versions.some((version) => REVIEW_VERSIONS.includes(textOf(version)))) return [];
  return [invalidValue(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}

function oneOf(path: string, value: Json | undefined, allowed: readonly string[]): readonly Cause[] {
  return value === undefined || allowed.includes(textOf(value)) ? [] : [notSupported(path, value, allowed)];
}

function list(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
