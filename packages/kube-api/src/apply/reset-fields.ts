// Which fields an endpoint sets back after a write, so that nobody comes to own them through it.
import { EMPTY } from './field-set.ts';
import type { FieldSet } from './field-set.ts';

const STATUS: FieldSet = { 'f:status': {} };
const SPEC: FieldSet = { 'f:spec': {} };
const DEPLOYMENT: FieldSet = { 'f:metadata': { 'f:labels': {} }, 'f:spec': {} };
const POD: FieldSet = { 'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} }, 'f:spec': {} };

/**
 * The fields that the main endpoint, or a subresource, of a kind sets back. `hasStatus`: the kind has a status
 * subresource.
 */
export function resetFields(apiVersion: string, kind: string, hasStatus: boolean, subresource?: string): FieldSet {
  if (!hasStatus) return EMPTY;
  if (subresource === undefined) return STATUS;
  if (subresource !== 'status') return EMPTY;
  if (kind === 'Deployment' && apiVersion === 'apps/v1') return DEPLOYMENT;
  return kind === 'Pod' && apiVersion === 'v1' ? POD : SPEC;
}
