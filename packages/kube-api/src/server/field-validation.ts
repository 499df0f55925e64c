// What happens to fields that the schema does not know: nothing, a warning, or an error.
import { badRequest } from '../errors.ts';
import type { Call } from './core.ts';
import type { FieldValidation } from './options.ts';
import { repeatedIn } from './repeated-members.ts';

/**
 * Reports unknown fields as the client asked.
 *
 * @throws StatusError 400 with validation Strict.
 */
export function reportUnknownFields(call: Call, unknown: readonly string[], validation: FieldValidation): void {
  if (validation === 'Ignore') return;
  const repeated = repeatedIn(call.request.body).map((path) => `duplicate field "${path}"`);
  const faults = [...repeated, ...unknown.map((path) => `unknown field "${path}"`)];
  if (faults.length === 0) return;
  if (validation === 'Warn') {
    call.warnings.push(...faults);
    return;
  }
  throw badRequest(`strict decoding error: ${faults.join(', ')}`);
}
