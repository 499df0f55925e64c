// `pawl plan`: what a version would change for an object, before anything happens.
import type { FieldChange, ObjectPlan, PlannedChange } from '@pawl/operator';

/** 0: nothing to do; 2: there are changes. 1 is kept for faults. */
export function planExitCode(plans: readonly ObjectPlan[]): number {
  return plans.some(({ changes }) => changes.length > 0) ? 2 : 0;
}

const SIGNS: Readonly<Record<PlannedChange['operation'], string>> = {
  create: '+',
  update: '~',
  delete: '-',
  edit: '~',
  evict: '-',
  status: '~',
  effect: '!',
};
const FRAMEWORK = 'metadata.annotations["procedures.pawl.dev/';

/** One plan as lines for people. */
export function planLines(object: string, plan: ObjectPlan): readonly string[] {
  const { from, to, changes, unknown, blocked, irreversible, guessed, notes } = plan;
  const way = from === undefined ? `install ${to}` : from === to ? `keep ${to}` : `${from} -> ${to}`;
  const marks = changes.filter(isOnlyMarked);
  const real = changes.filter((change) => !isOnlyMarked(change));
  return [
    `${object}: ${way}`,
    ...notes.flatMap(({ action, message }) => message.split('\n').map((line) => `  i ${action}: ${line}`)),
    ...real.flatMap(changeLines),
    ...(marks.length === 0 ? [] : [`  ~ ${counted(marks.length, 'object')} marked as written by ${to}: ${marks.map(({ target }) => target).join(', ')}`]),
    ...[...unknown].map(([action, roots]) => `  ? ${action}: unknown until ${roots.join(' and ')}`),
    ...[...blocked].map(([action, roots]) => `  x ${action}: kept from running by ${roots.join(' and ')}`),
    ...(irreversible.length === 0 ? [] : [`  ! cannot be undone: ${irreversible.join(', ')}`]),
    ...(guessed.length === 0 ? [] : [`  ! you may not write ${guessed.join(', ')}: what the server would add or refuse is not shown`]),
    `  ${summary(plan)}`,
  ];
}

/** One line for a table of many objects. */
export function planRow(object: string, plan: ObjectPlan): readonly string[] {
  const count = (operation: PlannedChange['operation']): string =>
    String(plan.changes.filter((change) => change.operation === operation && !isOnlyMarked(change)).length);
  const restarts = plan.changes.filter(({ restartsPods }) => restartsPods).length;
  const refused = plan.changes.filter((change) => change.refused !== undefined).length;
  return [object, plan.from ?? '-', plan.to, count('create'), count('update'), count('delete'), String(restarts), String(refused)];
}

export const PLAN_COLUMNS = ['OBJECT', 'FROM', 'TO', 'CREATE', 'UPDATE', 'DELETE', 'RESTARTS', 'REFUSED'] as const;

function summary({ changes, unknown }: ObjectPlan): string {
  if (changes.length === 0 && unknown.size === 0) return 'nothing to do';
  const of = (operation: PlannedChange['operation']): number =>
    changes.filter((change) => change.operation === operation && !isOnlyMarked(change)).length;
  const restarts = changes.filter(({ restartsPods }) => restartsPods).length;
  const refused = changes.filter((change) => change.refused !== undefined).length;
  return [
    `${of('create')} to create, ${of('update') + of('edit')} to change, ${of('delete')} to delete`,
    ...(of('effect') > 0 ? [counted(of('effect'), 'effect outside')] : []),
    ...(restarts > 0 ? [`pods of ${counted(restarts, 'object')} restart`] : []),
    ...(refused > 0 ? [`${refused} would be refused`] : []),
  ].join('; ');
}

function changeLines({ operation, target, action, fields, restartsPods, refused }: PlannedChange): readonly string[] {
  const shown = operation === 'update' || operation === 'edit' ? fields.filter(({ path }) => !path.startsWith(FRAMEWORK)) : [];
  return [
    `  ${SIGNS[operation]} ${target}  (${action})${restartsPods ? '  restarts its pods' : ''}`,
    ...(refused === undefined ? [] : [`      refused: ${refused}`]),
    ...shown.map(fieldLine),
  ];
}

function fieldLine({ path, before, after }: FieldChange): string {
  if (before === undefined) return `      + ${path}: ${text(after)}`;
  if (after === undefined) return `      - ${path}: ${text(before)}`;
  return `      ~ ${path}: ${text(before)} -> ${text(after)}`;
}

/** A new version puts its mark on every object once; that changes nothing that runs. */
function isOnlyMarked({ operation, fields, refused }: PlannedChange): boolean {
  return operation === 'update' && refused === undefined && fields.length > 0 && fields.every(({ path }) => path.startsWith(FRAMEWORK));
}

const MOST = 120;
function text(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > MOST ? `${json.slice(0, MOST)}…` : json;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
