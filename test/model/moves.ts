// One move of one operator: the next write that it makes from a state.
import type { CycleReport, MetadataStep, RunActionsStep, Step } from '@pawl/reconciler';
import { numberOf, versionOf } from './catalogs.ts';
import { put, remembered, sentLate } from './contents.ts';
import type { Model } from './model.ts';
import { writeRecord } from './record-moves.ts';
import { contentOf, PLACES, versionsIn, WANTED, type Contents, type Owner, type State } from './state.ts';
import { judgeAct } from './truth.ts';

/** How a move goes. */
export interface How {
  /** The cycle sees what was there before the last child write. */
  readonly stale?: boolean;
  /** The write is sent, and arrives later. */
  readonly inFlight?: boolean;
  /** An action fails. */
  readonly fail?: boolean;
}

export interface Move {
  readonly next?: State;
  /** Why nothing is written: `ok`, or a reason. */
  readonly end?: string;
  readonly step?: Step;
}

/** More steps without a write than any cycle takes. */
const MAX_STEPS = 8;

/** The move that an operator makes from a state, if any. */
export function moveOf(model: Model, operator: number, state: State, how: How = {}): Move {
  const owner = model.ownerOf(state);
  if (owner.gone === true) return { end: 'Gone' };
  const { weakness } = model.options;
  const view = how.stale === true && state.earlier !== undefined ? state.earlier : state.contents;
  const stampsFrom = weakness === 'stamps from a cache' && how.stale === true ? view : state.contents;
  let cycle = cycleOf(state, operator);
  for (let count = 0; count < MAX_STEPS; count += 1) {
    const step = model.stepOf(operator, state, stampsFrom, cycle);
    judgeRefusal(model, operator, { state, step, cycle, how });
    if (step.step === 'report') return { end: 'ok', step };
    if (step.step === 'hold') return { end: step.reason, step };
    if ('record' in step) return writeRecord(model, operator, { state, step, isStale: how.stale === true });
    if (step.step === 'metadata')
      return how.stale === true ? { end: 'conflict' } : { next: patched(model, state, owner, step), step };
    if (step.step === 'prune')
      return prune(model, state, numberOf(step.version), { how, failed: cycle?.failed === true });
    const acted =
      step.mode === 'Teardown'
        ? tearDown(model, operator, state, step, how)
        : act(model, operator, { state, step, view, cycle, how });
    if ('move' in acted) return acted.move;
    if (step.mode === 'Teardown' && count > 2) return { end: 'Settling' };
    cycle = acted.cycle;
  }
  throw new Error(`a cycle does not end: ${JSON.stringify([owner, cycle, state.contents])}`);
}

type Acted = { readonly move: Move } | { readonly cycle: CycleReport };

function cycleOf({ verified }: State, operator: number): CycleReport | undefined {
  if (verified?.by !== operator) return undefined;
  const { version, extras, finalizePending, teardown } = verified;
  const left = teardown ? { ownedLeft: 0 } : {};
  return { version: versionOf(version), clean: true, verified: true, extras, finalizePending, ...left };
}

interface Taken {
  readonly state: State;
  readonly step: Step;
  readonly cycle: CycleReport | undefined;
  readonly how: How;
}

function judgeRefusal(model: Model, operator: number, { state, step, cycle, how }: Taken): void {
  const { kind } = step.decision;
  if (kind !== 'Blocked' && kind !== 'Hold') return;
  if (!['hold', 'metadata', 'intent'].includes(step.step)) model.bad('a write while refused', state, step.step);
  if (model.options.weakness !== 'stamps from a cache' || how.stale !== true) return;
  const live = model.stepOf(operator, state, state.contents, cycle).decision;
  if (live.kind === 'Run') model.bad('a healthy object blocked by a cache', state);
}

function patched(model: Model, state: State, owner: Owner, step: MetadataStep): State {
  const requests = Object.fromEntries(
    Object.entries(owner.requests).filter(([name]) => !step.drop.some((drop) => drop === name)),
  );
  if (step.finalizer === false) {
    if (state.contents.some((content) => content !== 0)) model.bad('an owned object outlives its owner', state, 'left');
    if (state.late.some(({ to }) => to !== 0))
      model.bad('an owned object outlives its owner', state, 'in flight');
    return model.withOwner(state, { ...owner, finalizer: false, gone: true, mirror: undefined, requests: {} });
  }
  if (step.finalizer !== true) return model.withOwner(state, { ...owner, requests });
  const { promised, ...rest } = owner;
  const mirror = step.mirror ?? owner.mirror;
  const changed = promised === undefined ? {} : { promised };
  return model.withOwner(state, { ...rest, requests, finalizer: true, mirror }, changed);
}

/** After a failure the cycle does not know what it would have kept. */
function prune(
  model: Model,
  state: State,
  version: number,
  { how: { inFlight = false }, failed }: { readonly how: How; readonly failed: boolean },
): Move {
  const owner = model.ownerOf(state);
  const wanted = WANTED[version] ?? [];
  const kept = failed ? [] : wanted;
  const place = PLACES.find((each) => (state.contents[each] ?? 0) !== 0 && !kept.includes(each));
  if (place === undefined)
    return state.verified === undefined
      ? { end: 'pruned' }
      : { next: { ...state, verified: undefined }, end: 'pruned' };
  if (wanted.includes(place)) model.bad('a wanted object is pruned', state, place);
  if (model.options.weakness === 'record shrunk before the prune') {
    if (versionsIn(state.contents).some((trace) => trace !== version))
      model.bad('a completion that is not true', state, version);
    return shrunk(model, state, owner, version);
  }
  judgeAct(model, state, version, 'prune');
  if (inFlight) return moved(sentLate(model, state, { place, to: 0, expected: state.contents[place] }));
  return {
    next: { ...state, contents: put(state.contents, place, 0), verified: undefined, ...remembered(model, state) },
  };
}

function shrunk(model: Model, state: State, owner: Owner, version: number): Move {
  const { record } = owner;
  const entry = record?.applied.find((each) => numberOf(each.version) === version);
  if (record === undefined || entry === undefined) return {};
  const { target: _target, ...rest } = record;
  const applied = [{ ...entry, state: 'Complete' as const }];
  const next = { ...rest, epoch: record.epoch + 1, version: versionOf(version), applied, avoid: [] };
  return { next: model.withOwner(state, { ...owner, record: next }, { completed: version }) };
}

function tearDown(
  model: Model,
  operator: number,
  state: State,
  step: RunActionsStep,
  { inFlight = false }: How,
): Acted {
  const place = PLACES.findLast((each) => (state.contents[each] ?? 0) !== 0);
  if (place === undefined) {
    const verified = { by: operator, version: 0, extras: 0, finalizePending: false, teardown: true };
    if (step.verify === true) return { move: { next: { ...state, verified } } };
    return { cycle: { version: step.version ?? '', clean: true, verified: false, extras: 0, ownedLeft: 0 } };
  }
  if (step.how === 'procedure') judgeAct(model, state, numberOf(step.version), 'teardown');
  if (inFlight) return { move: {} };
  return { move: { next: { ...state, contents: put(state.contents, place, 0), ...remembered(model, state) }, step } };
}

interface Acting {
  readonly state: State;
  readonly step: RunActionsStep;
  readonly view: Contents;
  readonly cycle: CycleReport | undefined;
  readonly how: How;
}

/** A cycle of actions up to its first write. */
function act(model: Model, operator: number, { state, step, view, cycle, how }: Acting): Acted {
  const { record, finalizer, generation } = model.ownerOf(state);
  const version = numberOf(step.version);
  if (record === undefined || (record.target ?? record.version) !== step.version)
    model.bad('a write without its record', state, version);
  if (!finalizer) model.bad('a write before the finalizer', state, version);
  if (step.mode === 'Finalize') {
    judgeAct(model, state, version, 'finalize');
    const verified = state.verified && { ...state.verified, finalizePending: false };
    return { move: { next: { ...state, finalized: version, verified } } };
  }
  const cleanly = { version: versionOf(version), clean: true, verified: false, extras: 0 };
  if (how.fail === true)
    return cycle?.failed === true
      ? { move: { end: 'failed' } }
      : { cycle: { ...cleanly, failed: true, verified: true, extras: 1 } };
  const wanted = WANTED[version] ?? [];
  const seen = step.mode === 'Verify' ? state.contents : view;
  const missing = wanted.find((place) => seen[place] !== contentOf(version, generation));
  const extras = PLACES.filter((place) => (state.contents[place] ?? 0) !== 0 && !wanted.includes(place));
  const stray = step.mode === 'Steady' ? extras[0] : undefined;
  const place = missing ?? stray;
  if (place !== undefined) {
    judgeAct(model, state, version, 'write');
    const to = missing === undefined ? 0 : contentOf(version, generation);
    if (how.inFlight === true)
      return {
        move: moved(sentLate(model, state, { place, to, expected: to === 0 ? state.contents[place] : undefined })),
      };
    const contents = put(state.contents, place, to);
    return { move: { next: { ...state, contents, verified: undefined, ...remembered(model, state) } } };
  }
  if (step.mode !== 'Verify') return { cycle: cleanly };
  const finalizePending = model.procedures.get(version)?.finalizes === true && state.finalized < version;
  const verified = { by: operator, version, extras: extras.length, finalizePending, teardown: false };
  return { move: { next: { ...state, verified } } };
}

const moved = (next: State | undefined): Move => (next === undefined ? {} : { next });
