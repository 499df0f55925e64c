// What `spec.conversion` of a CustomResourceDefinition must look like.
import { forbiddenField, notSupported, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import { clientConfigCauses } from './client-config-causes.ts';
import { versionCauses } from './configuration-rules.ts';

const CLIENT = 'spec.conversion.webhookClientConfig';
const VERSIONS = 'spec.conversion.conversionReviewVersions';

/** The causes of a conversion. They name the fields as the real server's internal version does. */
export function conversionCauses(conversion: Json | undefined): readonly Cause[] {
  if (!isObject(conversion)) return [];
  const { strategy } = conversion;
  const { clientConfig, conversionReviewVersions } = isObject(conversion['webhook']) ? conversion['webhook'] : {};
  if (strategy === 'Webhook') {
    const missing = [required(CLIENT, 'required when strategy is set to Webhook')];
    return [
      ...(clientConfig === undefined ? missing : clientConfigCauses(CLIENT, clientConfig)),
      ...versionCauses(VERSIONS, conversionReviewVersions, false),
    ];
  }
  const causes: Cause[] = [];
  if (strategy === undefined) causes.push(required('spec.conversion.strategy'));
  else if (strategy !== 'None') causes.push(notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook']));
  const why = 'should not be set when strategy is not set to Webhook';
  if (clientConfig !== undefined) causes.push(forbiddenField(CLIENT, why));
  if (conversionReviewVersions !== undefined) causes.push(forbiddenField(VERSIONS, why));
  return causes;
}
