// The behaviour that kinds share unless they say otherwise.
import { without, type KubeObject } from '../../json.ts';
import { subdomainName } from '../../server/names.ts';
import type { Rules } from '../resource-type.ts';

/** Rules of a kind without peculiarities: a name, no generation, replaced without questions. */
export const plainRules: Rules = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  createOnUpdate: false,
  generation: false,
  returnsDeleted: false,
  decode: (object) => ({ object, unknown: [] }),
  prepareCreate: (object) => object,
  prepareUpdate: (next) => next,
  validate: () => [],
  validateStatus: () => [],
  versionedPart: specOf,
  refusesUpdate: () => undefined,
  refusesDelete: () => undefined,
  deletionFinalizers: [],
  onTerminating: (object) => object,
  holdsDeletion: () => false,
  gracePeriod: () => undefined,
  warnings: () => [],
};

function specOf(object: KubeObject): KubeObject {
  return without(without(object, 'metadata'), 'status');
}
