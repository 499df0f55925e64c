// Types, defaults and validation of custom resources and built-in kinds. CEL rules are in `cel/`, for they need a library.
export { completeBuiltin } from './builtin-codec.ts';
export type { Completed } from './builtin-codec.ts';
export { schemaOfBuiltin } from './builtin-types.ts';
export { schemaOfCrd } from './crd-types.ts';
export { customSchema } from './custom-schema.ts';
export type { CustomSchema, RuleChecker } from './custom-schema.ts';
export { applyDefaults } from './defaults.ts';
export { embeddedFaults } from './embedded.ts';
export { emptyObject } from './empty-object.ts';
export { listDuplicates } from './list-duplicates.ts';
export { prune } from './prune.ts';
export type { Pruned } from './prune.ts';
export { canonicalQuantity, compareQuantities, quantityValue } from './quantity.ts';
export { structuralFaults } from './structural-faults.ts';
export { deducedSchema, untypedAtomic } from './type-schema.ts';
export type { Field, ListType, MapType, TypeSchema } from './type-schema.ts';
export { validate } from './validate.ts';
