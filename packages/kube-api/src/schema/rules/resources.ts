// Requests and limits.
import type { JsonObject } from '../../json.ts';
import { qualifiedNameFaults } from '../../server/names.ts';
import { compareQuantities, quantityValue } from '../quantity.ts';
import { NOT_NEGATIVE, objectAt } from './faults.ts';
import type { Faults } from './faults.ts';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** `resources` of a container. */
export function checkResources(resources: JsonObject, path: string, faults: Faults): void {
  const limits = objectAt(resources, 'limits');
  const requests = objectAt(resources, 'requests');
  for (const [name, quantity] of Object.entries(limits))
    checkQuantity(name, quantity, `${path}.limits[${name}]`, faults);
  for (const [name, quantity] of Object.entries(requests)) {
    checkQuantity(name, quantity, `${path}.requests[${name}]`, faults);
    const limit = limits[name];
    if (limit === undefined && !overcommits(name))
      faults.required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    if (typeof limit !== 'string' || typeof quantity !== 'string') continue;
    const order = compareQuantities(quantity, limit);
    if (order > 0 && overcommits(name)) {
      faults.invalid(`${path}.requests`, quantity, `must be less than or equal to ${name} limit of ${limit}`);
    } else if (order !== 0 && !overcommits(name)) {
      faults.invalid(`${path}.requests`, quantity, `must be equal to ${name} limit of ${limit}`);
    }
  }
}

/** Resources of the machine itself may be promised more often than they exist. */
function overcommits(name: string): boolean {
  return !name.includes('/') && !name.startsWith('hugepages-');
}

function checkQuantity(name: string, quantity: unknown, path: string, faults: Faults): void {
  faults.text(path, name, qualifiedNameFaults);
  if (!name.includes('/') && !STANDARD.has(name) && !name.startsWith('hugepages-')) {
    faults.invalid(path, name, 'must be a standard resource type or fully qualified');
    faults.invalid(path, name, 'must be a standard resource for containers');
  }
  if (typeof quantity !== 'string') return;
  const value = quantityValue(quantity);
  if (value < 0) faults.invalid(path, quantity, NOT_NEGATIVE);
  if (name.includes('/') && !Number.isInteger(value)) faults.invalid(path, quantity, 'must be an integer');
}
