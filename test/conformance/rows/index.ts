// All rows, by area; each area has one file of transcripts and one or two files of rows.
import type { Row } from '../row.ts';
import { conflictRows } from './apply-conflicts.ts';
import { metadataRows } from './apply-metadata.ts';
import { applyRows } from './apply.ts';
import { builtinApplyRows } from './builtin-apply.ts';
import { dataRows } from './builtin-data.ts';
import { claimRows } from './claims.ts';
import { collectRows } from './collect.ts';
import { refusedCreateRows } from './create-refused.ts';
import { createRows } from './create.ts';
import { deleteOptionRows } from './delete-options.ts';
import { deleteRows } from './delete.ts';
import { discoveryRows } from './discovery.ts';
import { errorRows } from './errors.ts';
import { eventRows } from './events.ts';
import { kindRows } from './kinds.ts';
import { lifecycleRows } from './lifecycle.ts';
import { managedFieldRows } from './managed-fields.ts';
import { optionRows } from './options.ts';
import { overloadRows } from './overload.ts';
import { patchRows } from './patch.ts';
import { podRows } from './pods.ts';
import { readRows } from './read.ts';
import { ruleRows } from './rules.ts';
import { schemaRows } from './schema.ts';
import { selectorRows } from './selectors.ts';
import { statusRows } from './status.ts';
import { strategicRows } from './strategic.ts';
import { refusedUpdateRows } from './update-refused.ts';
import { updateRows } from './update.ts';
import { versionRows } from './versions.ts';
import { watchStartRows } from './watch-start.ts';
import { watchRows } from './watch.ts';
import { webhookFaultRows } from './webhook-faults.ts';
import { webhookRows } from './webhooks.ts';
import { workloadRows } from './workloads.ts';

/** Rows that belong together. */
export interface Area {
  /** Name of the file of transcripts. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

export const areas: readonly Area[] = [
  { name: 'errors', title: 'Errors and their envelope', rows: [...errorRows, ...overloadRows] },
  { name: 'create', title: 'Create', rows: [...createRows, ...refusedCreateRows] },
  { name: 'update', title: 'Replace', rows: [...updateRows, ...refusedUpdateRows] },
  { name: 'patch', title: 'Patch', rows: [...patchRows, ...strategicRows] },
  {
    name: 'apply',
    title: 'Server-side apply',
    rows: [...applyRows, ...conflictRows, ...managedFieldRows, ...metadataRows],
  },
  {
    name: 'workloads',
    title: 'Apply and roll-out of built-in types',
    rows: [...builtinApplyRows, ...dataRows, ...workloadRows],
  },
  { name: 'claims', title: 'Claims on other objects, events, labels', rows: [...claimRows, ...eventRows] },
  { name: 'status', title: 'Status, generation and scale', rows: statusRows },
  { name: 'delete', title: 'Delete and finalizers', rows: [...deleteRows, ...deleteOptionRows] },
  { name: 'collect', title: 'Garbage collection', rows: collectRows },
  { name: 'read', title: 'Get and list', rows: [...readRows, ...selectorRows] },
  { name: 'watch', title: 'Watch', rows: [...watchStartRows, ...watchRows] },
  { name: 'options', title: 'Dry run and field validation', rows: optionRows },
  {
    name: 'definitions',
    title: 'Custom resource definitions',
    rows: [...schemaRows, ...ruleRows, ...lifecycleRows, ...versionRows],
  },
  { name: 'webhooks', title: 'Admission webhooks', rows: [...webhookRows, ...webhookFaultRows] },
  { name: 'kinds', title: 'Rules of built-in kinds', rows: [...podRows, ...kindRows] },
  { name: 'discovery', title: 'Discovery, health and access', rows: discoveryRows },
];

export const allRows: readonly Row[] = areas.flatMap(({ rows }) => rows);
