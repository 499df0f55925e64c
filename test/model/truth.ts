// What must be true of every state and every move, judged by what is really there and not by the record.
import type { VersionRecord } from '@pawl/reconciler';
import { numberOf, UNKNOWN, versionOf } from './catalogs.ts';
import type { Model } from './model.ts';
import { PARENT_COURSE, versionsIn, type State } from './state.ts';

/** A procedure acts: on each trace that is there it must be allowed to, by what was declared, whatever is recorded. */
export function judgeAct(model: Model, state: State, version: number, what: string): void {
  if (model.options.anything === true) return;
  const accepted = acceptedBy(model, state, version);
  for (const trace of versionsIn(state.contents)) {
    if (trace === version || accepted.includes(versionOf(trace))) continue;
    if (!isAllowed(model, state, version, trace)) model.bad(`unsound ${what}`, state, `${version} acts on ${trace}`);
  }
  if (state.finalized > version) model.bad('acts behind a point of no return', state, version);
}

function isAllowed(model: Model, state: State, version: number, trace: number): boolean {
  const { completed } = state;
  const acting = model.procedures.get(version);
  // Under a record that knows of nothing strange, a stamp was only removed from an object that is ours.
  if (trace === UNKNOWN) return !isStrange(model, state) || acting?.adopts.includes('unknown') === true;
  if (trace > version) return model.isIn(version, model.procedures.get(trace)?.rollbackTo);
  return model.isIn(trace, trace === completed && acting !== undefined ? acting.from : acting?.fromPartial);
}

function isStrange(model: Model, state: State): boolean {
  const applied = model.ownerOf(state).record?.applied ?? [];
  return applied.length === 0 || applied.some(({ version }) => version === 'unknown');
}

function acceptedBy(model: Model, state: State, version: number): readonly string[] {
  const applied = model.ownerOf(state).record?.applied ?? [];
  return applied.find((entry) => numberOf(entry.version) === version)?.accepted ?? [];
}

/** Invariants of one state. */
export function judgeState(model: Model, state: State): void {
  const owner = model.ownerOf(state);
  const traces = versionsIn(state.contents);
  if (owner.gone === true) {
    if (traces.length > 0) model.bad('an owned object outlives its owner', state);
    return;
  }
  const { record, mirror, deleting, uid } = owner;
  if (deleting) return;
  if (record !== undefined) judgeRecord(model, state, record, traces);
  if (!model.isMirrored || state.lost) return;
  const mirrored = mirror?.applied.map((entry) => numberOf(entry.version)) ?? [];
  if (mirror?.uid === uid)
    for (const trace of traces)
      if (trace !== UNKNOWN && !mirrored.includes(trace)) model.bad('a stamp outside of the mirror', state, trace);
  if (record === undefined && traces.length > 0 && mirrored.length === 0)
    model.bad('a stamp without any record', state, traces);
}

function judgeRecord(model: Model, state: State, record: VersionRecord, traces: readonly number[]): void {
  const { applied, target, version } = record;
  const known = applied.map((entry) => numberOf(entry.version));
  for (const trace of traces)
    if (trace !== UNKNOWN && !known.includes(trace)) model.bad('a stamp outside of the record', state, trace);
  const complete = applied.filter((entry) => entry.state === 'Complete');
  const [only] = applied;
  if (complete.length > 1) model.bad('more than one version is complete', state);
  if (target === undefined) {
    if (applied.length !== 1 || complete.length !== 1)
      model.bad('a record without target is not one complete version', state);
    if (version !== only?.version) model.bad('the version is not the complete one', state);
    if (
      state.completed > 0 &&
      numberOf(version) === state.completed &&
      traces.some((trace) => trace !== state.completed && trace !== UNKNOWN)
    )
      model.bad('a stamp beside a complete version', state);
  } else if (!applied.some((entry) => entry.version === target)) model.bad('the target is not applied', state);
  for (const entry of applied)
    if (entry.finalized === true && entry.rollbackTo !== 'none')
      model.bad('a finalized version permits a way back', state);
}

/** A new target is recorded. */
export function judgeIntent(model: Model, state: State, record: VersionRecord): void {
  const owner = model.ownerOf(state);
  const to = numberOf(record.target);
  const { rollback, approve } = owner.requests;
  const top = Math.max(0, ...(owner.record?.applied ?? []).map((entry) => numberOf(entry.version)));
  const isPlain = record.applied.every((entry) => entry.plain === true);
  const isBack = to < top && !isPlain;
  if (isBack && owner.record?.target !== record.target && rollback !== record.target)
    model.bad('a downgrade that nobody asked for', state, to);
  if (isBack && rollback === record.target && approve !== undefined)
    model.bad('an old approval survives a rollback', state);
  const isAdopted = owner.requests.adopt === record.target;
  const isNewHop = owner.record?.target !== record.target && to > top && top > 0;
  if (owner.record?.hold !== undefined && owner.record.target !== record.target)
    model.bad('a critical section is interrupted', state, to);
  if (owner.noSlot === true && isNewHop && !isAdopted && owner.record !== undefined)
    model.bad('a hop begins without a slot', state, to);
  const parent = owner.parent === undefined ? undefined : PARENT_COURSE[owner.parent];
  if (parent !== undefined && isNewHop && !isAdopted && to > highestUnder(parent))
    model.bad('a child runs ahead of its parent', state, to);
  const { promised } = state;
  if (promised === undefined) return;
  const isTurned = promised.open
    ? to > promised.to && approve !== versionOf(to) && rollback !== versionOf(to)
    : ((promised.known >> to) & 1) === 1 && approve !== versionOf(to) && !isAdopted;
  if (isTurned) model.bad('the direction turned by itself', state, `${to} after a rollback to ${promised.to}`);
}

/** What a child may go up to: the parent's version, or where the parent goes once it says so or has nothing yet. */
function highestUnder({ version, target, released }: (typeof PARENT_COURSE)[number]): number {
  return numberOf(target !== undefined && (released === true || version === undefined) ? target : version);
}
