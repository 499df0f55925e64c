// Server-side apply and the bookkeeping of managedFields.
export { applyPatch } from './apply-patch.ts';
export type { ApplyInput } from './apply-patch.ts';
export type { FieldSet } from './field-set.ts';
export type { ManagedFieldsEntry } from './managers.ts';
export { keepTimesIfUnchanged, recordUpdate } from './record-update.ts';
export type { UpdateInput } from './record-update.ts';
export { resetFields } from './reset-fields.ts';
