// Writes of the record: compare-and-swap, the echo, and what the user is promised by them.
import type { Step, VersionRecord } from '@pawl/reconciler';
import { numberOf, UNKNOWN } from './catalogs.ts';
import { put } from './contents.ts';
import type { Model } from './model.ts';
import { contentOf, PLACES, versionsIn, WANTED, type Owner, type Promised, type State } from './state.ts';
import { judgeAct, judgeIntent } from './truth.ts';

/** A new state, or why there is none. */
export interface RecordMove {
  readonly next?: State;
  readonly end?: string;
  readonly step?: Step;
}

export type RecordStep = Extract<Step, { readonly record: VersionRecord }>;

/** A write of the record, with the checks of the server, and what it promises the user. */
export function writeRecord(
  model: Model,
  operator: number,
  { state, step, isStale }: { readonly state: State; readonly step: RecordStep; readonly isStale: boolean },
): RecordMove {
  const { weakness } = model.options;
  const owner = model.ownerOf(state);
  if (isStale && weakness !== 'stamps from a cache') return { end: 'conflict' };
  if (isStale && isPhantom(owner, step.record, state)) {
    model.bad('a version recorded that was never there', state);
    return {};
  }
  const to = numberOf(step.record.target);
  const isHop = step.step === 'intent' && to > 0;
  if (state.drops && weakness === 'echo not checked' && isHop && owner.finalizer) {
    const unwritten = firstUnwritten(state, to, owner.generation);
    if (unwritten !== undefined)
      return { next: { ...state, contents: put(state.contents, unwritten, contentOf(to, owner.generation)) } };
  }
  if (state.drops) return { end: 'RecordNotPersisted' };
  if (weakness === 'intent after the first write' && isHop && state.early !== true) {
    const unwritten = firstUnwritten(state, to, owner.generation);
    if (unwritten !== undefined) {
      judgeAct(model, state, to, 'write');
      return {
        next: { ...state, contents: put(state.contents, unwritten, contentOf(to, owner.generation)), early: true },
      };
    }
  }
  const isReplaced = weakness === 'record replaced' && isHop;
  const record = isReplaced
    ? { ...step.record, applied: step.record.applied.filter(({ version }) => version === step.record.target) }
    : step.record;
  if (owner.record !== undefined && record.epoch <= owner.record.epoch) model.bad('the epoch does not rise', state);
  return { next: recorded(model, operator, { state, step, record }), step };
}

function isPhantom(owner: Owner, record: VersionRecord, { contents }: State): boolean {
  const known = owner.record?.applied.map(({ version }) => version) ?? [];
  return record.applied.some(
    ({ version }) =>
      version !== record.target && !known.includes(version) && !versionsIn(contents).includes(numberOf(version)),
  );
}

function firstUnwritten({ contents }: State, version: number, generation: number): number | undefined {
  const wanted = WANTED[version] ?? [];
  return PLACES.find((place) => wanted.includes(place) && contents[place] !== contentOf(version, generation));
}

/** The state after a record was written, with what the user was promised by it. */
function recorded(
  model: Model,
  operator: number,
  { state, step, record }: { readonly state: State; readonly step: RecordStep; readonly record: VersionRecord },
): State {
  const owner = model.ownerOf(state);
  const changed: { -readonly [K in keyof State]?: State[K] } = { early: undefined };
  if (step.step === 'complete') {
    const version = numberOf(record.version);
    changed.completed = version;
    const { promised } = state;
    if (promised?.open === true && version === promised.to) changed.promised = { ...promised, open: false };
    else if (promised !== undefined && version > promised.to) changed.promised = undefined;
    if (versionsIn(state.contents).some((trace) => trace !== version && trace !== UNKNOWN))
      model.bad('a completion that is not true', state, version);
  }
  if (step.step === 'intent' && step.why === 'retry' && state.promised?.open === false) changed.promised = undefined;
  if (step.step !== 'intent' || record.target === undefined)
    return model.withOwner(state, { ...owner, record }, changed);
  judgeIntent(model, state, record);
  const { approve, adopt } = owner.requests;
  const isApproved = approve === record.target || (adopt === record.target && state.promised?.open === false);
  if (state.promised !== undefined && numberOf(record.target) > state.promised.to && isApproved)
    changed.promised = undefined;
  const promised = promisedBy(model, operator, owner, record);
  return model.withOwner(state, { ...owner, record, promised }, changed);
}

/** A rollback by request: nothing newer that is applied or known to its operator may come back by itself. */
function promisedBy(model: Model, operator: number, owner: Owner, record: VersionRecord): Promised | undefined {
  const to = numberOf(record.target);
  const top = Math.max(0, ...(owner.record?.applied ?? []).map(({ version }) => numberOf(version)));
  const isPlain = record.applied.every(({ plain }) => plain === true);
  if (to >= top || owner.requests.rollback !== record.target || isPlain) return undefined;
  const procedures = model.catalogs[operator]?.procedures ?? [];
  const newer = [...record.applied, ...procedures]
    .map(({ version }) => numberOf(version))
    .filter((version) => version > to);
  return { to, open: true, known: newer.reduce((bits, version) => bits | (1 << version), 0) };
}
