// What happens to fields that the schema does not know: nothing, a warning, or an error.
import { badRequest } from '../errors.ts';
import type { Call } from './core.ts';
import type { FieldValidation } from './options.ts';

/**
 * Reports unknown fields as the client asked.
 *
 * @throws StatusError 400 with validation Strict.
 */
export function reportUnknownFields(call: Call, unknown: readonly string[], validation: FieldValidation): void {
  if (unknown.length === 0 || validation === 'Ignore') return;
  const faults = unknown.map((path) => `unknown field "${path}"`);
  if (validation === 'Warn') {
    call.warnings.push(...faults);
    return;
  }
  throw badRequest(`strict decoding error: ${faults.join(', ')}`);
}
