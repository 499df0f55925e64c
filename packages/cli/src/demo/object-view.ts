// What the demo reads from an object of the API: only what its status says, nothing guessed.

/** How far an Action is. Reached: its state is established. Active: being worked on. Pending: waits for another. */
export type ActionState = 'reached' | 'active' | 'pending';

/** One row of `status.actions`. */
export interface ActionView {
  readonly name: string;
  readonly state: ActionState;
  /** What it does or waits for; empty if there is nothing to say. */
  readonly detail: string;
  /** 0 to 1: how much of this Action is done. */
  readonly share: number;
}

/** An object as the demo shows it. */
export interface ObjectView {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** Ready, for the generation that stands in `spec`, with no upgrade open. */
  readonly isReady: boolean;
  readonly isDeleting: boolean;
  readonly phase: string;
  /** The version that was reached and verified. */
  readonly version: string | undefined;
  /** The version of an upgrade under way. */
  readonly target: string | undefined;
  readonly summary: string;
  readonly actions: readonly ActionView[];
}

type Json = Readonly<Record<string, unknown>>;

/** Reads an object of the API. Fields that are missing or of another type count as absent. */
export function viewObject(object: unknown): ObjectView {
  const metadata = record(object, 'metadata');
  const status = record(object, 'status');
  const procedure = record(status, 'procedure');
  const generation = typeof metadata['generation'] === 'number' ? metadata['generation'] : 0;
  const version = optionalText(procedure, 'version');
  const target = optionalText(procedure, 'target');
  const isCurrent = status['observedGeneration'] === generation;
  const isDeleting = metadata['deletionTimestamp'] !== undefined;
  const isReady = isCurrent && !isDeleting && conditionStatus(status, 'Ready') === 'True';
  return {
    uid: text(metadata, 'uid'),
    resourceVersion: text(metadata, 'resourceVersion'),
    generation,
    isReady: isReady && version !== undefined && target === undefined,
    isDeleting,
    phase: text(procedure, 'phase'),
    version,
    target,
    summary: text(procedure, 'summary'),
    actions: list(status, 'actions').map(viewAction),
  };
}

/** How much of all Actions is done: 0 to 1, and 0 without any. */
export function shareOf(actions: readonly ActionView[]): number {
  return actions.length === 0 ? 0 : actions.reduce((sum, { share }) => sum + share, 0) / actions.length;
}

function viewAction(action: unknown): ActionView {
  const fields = asRecord(action);
  const name = text(fields, 'name');
  if (fields['status'] === 'True') return { name, state: 'reached', detail: '', share: 1 };
  const blockedBy = list(fields, 'blockedBy').filter((cause) => typeof cause === 'string');
  if (blockedBy.length > 0) return { name, state: 'pending', detail: `waits for ${blockedBy.join(', ')}`, share: 0 };
  const message = text(fields, 'message');
  const { done, total } = record(fields, 'progress');
  const isCounted = typeof done === 'number' && typeof total === 'number' && total > 0;
  const told = [message === '' ? text(fields, 'reason') : message, isCounted ? `${done} of ${total}` : ''];
  const detail = told.filter((part) => part !== '').join(', ');
  return { name, state: 'active', detail, share: isCounted ? done / total : 0 };
}

function conditionStatus(status: Json, type: string): string {
  const found = list(status, 'conditions')
    .map(asRecord)
    .find((condition) => condition['type'] === type);
  return found === undefined ? '' : text(found, 'status');
}

function asRecord(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
function record(value: unknown, field: string): Json {
  return asRecord(asRecord(value)[field]);
}
function list(value: Json, field: string): readonly unknown[] {
  const found = value[field];
  return Array.isArray(found) ? found : [];
}
function optionalText(value: Json, field: string): string | undefined {
  const found = value[field];
  return typeof found === 'string' && found !== '' ? found : undefined;
}
function text(value: Json, field: string): string {
  return optionalText(value, field) ?? '';
}
