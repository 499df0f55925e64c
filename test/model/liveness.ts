// A fair run: from a state on, the operator that has every version works undisturbed, and people do what they are told.
import { numberOf, versionOf } from './catalogs.ts';
import type { Model } from './model.ts';
import { landed } from './contents.ts';
import { moveOf, type Move } from './moves.ts';
import { contentOf, keyOf, PARENT_COURSE, PLACES, WANTED, type Contents, type Owner, type State } from './state.ts';

/** More moves than any fair run takes. */
const MAX_MOVES = 90;
const MAX_CURES = 8;

export class FairRuns {
  /** How runs ended, with the cures that they needed, and how often. */
  readonly ends = new Map<string, number>();
  longest = 0;
  readonly #model: Model;
  /** The version in which a state ends. */
  readonly #fates = new Map<string, number>();

  constructor(model: Model) {
    this.#model = model;
  }

  /** Runs from here to the end: the newest version that can be reached, or gone. Everything else is a fault. */
  run = (from: State): void => {
    const model = this.#model;
    let state: State = { ...from, earlier: undefined };
    while (state.late.length > 0) state = { ...landed(model, state), earlier: undefined };
    const trail: string[] = [];
    const cures: string[] = [];
    let expected = 0;
    let reached = 0;
    let moves = 0;
    const judge = (version: number): void => {
      if (version > 0 && version < expected)
        model.bad('a fair run ends below what was planned', from, [expected, version]);
    };
    for (; moves < MAX_MOVES; moves += 1) {
      const key = keyOf({ ...state, budget: 0 });
      const fate = this.#fates.get(key);
      if (fate !== undefined) {
        judge(fate);
        for (const passed of trail) this.#fates.set(passed, fate);
        return;
      }
      trail.push(key);
      const owner = model.ownerOf(state);
      if (isQuiet(owner) && !state.drops)
        expected = Math.max(expected, this.#highestFrom(numberOf(owner.record?.version)));
      const move = moveOf(model, model.full, state);
      if (move.next !== undefined) {
        state = { ...move.next, earlier: undefined };
        continue;
      }
      if (move.end === 'Gone') {
        this.#ended('gone', cures);
        break;
      }
      if (move.end === 'ok') {
        reached = numberOf(owner.record?.version);
        judge(reached);
        this.#judgeEnd(state, reached);
        this.#ended('ok', [...new Set(cures)]);
        break;
      }
      const cured = cures.length > MAX_CURES ? undefined : this.#cure(move, state);
      if (cured === undefined) {
        model.bad(`a fair run is stuck: ${move.end ?? 'no move'}`, from, owner);
        break;
      }
      cures.push(move.end ?? '');
      state = cured;
    }
    if (moves >= MAX_MOVES) model.bad('a fair run has no end', from);
    this.longest = Math.max(this.longest, moves);
    for (const passed of trail) this.#fates.set(passed, reached);
  };

  #ended(how: string, cures: readonly string[]): void {
    const end = cures.length === 0 ? how : `${how} after ${cures.join(', ')}`;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
  }

  #judgeEnd(state: State, version: number): void {
    const owner = this.#model.ownerOf(state);
    if (!isExactly(state.contents, version, owner.generation))
      this.#model.bad('a fair run ends in a wrong state', state, version);
    const isHeld = owner.record?.avoid.length !== 0 || owner.requests.rollback !== undefined;
    const isFollowing = owner.parent !== undefined && owner.parent < PARENT_COURSE.length - 1;
    const { version: pin, policy } = owner.spec;
    const isLimited = pin !== undefined || policy !== undefined || owner.noSlot === true || isFollowing;
    if (!isHeld && !isLimited && this.#highestFrom(version) > version)
      this.#model.bad('a fair run stays below what can be reached', state, version);
  }

  #highestFrom(version: number): number {
    const { versions, procedures, isIn } = this.#model;
    const seen = new Set([version]);
    for (const from of seen)
      for (const next of versions) {
        const procedure = procedures.get(next);
        if (next > from && procedure?.withdrawn === false && isIn(from, procedure.from)) seen.add(next);
      }
    return Math.max(...seen);
  }

  /** What the documentation tells a person to do about a reason. */
  #cure({ end = '', step }: Move, state: State): State | undefined {
    const model = this.#model;
    const owner = model.ownerOf(state);
    const { requests, spec } = owner;
    const asked = (name: keyof Owner['requests'], value: string | undefined): State | undefined =>
      value === undefined || requests[name] === value
        ? undefined
        : model.withOwner(state, { ...owner, requests: { ...requests, [name]: value } });
    switch (end) {
      case 'RecordNotPersisted':
        return { ...state, drops: false };
      case 'ApprovalRequired':
        return asked('approve', step?.step === 'hold' ? needed(step.decision) : undefined);
      case 'Paused': {
        const { paused: _paused, ...others } = spec;
        return model.withOwner(state, { ...owner, spec: others });
      }
      case 'ParentSkew':
        return owner.parent === undefined || owner.parent >= PARENT_COURSE.length - 1
          ? undefined
          : model.withOwner(state, { ...owner, parent: owner.parent + 1 });
      case 'WaitingForSlot':
        return model.withOwner(state, { ...owner, noSlot: undefined });
      case 'HeldByAction':
        return model.withOwner(state, { ...owner, record: withoutHold(owner.record) });
      case 'StrandedMidUpgrade':
      case 'Stranded':
      case 'RestoreDetected':
        return asked('adopt', versionOf(Math.max(...model.versions)));
      case 'DeletionBlocked':
        return asked('force-delete', 'inventory');
      case 'Avoided':
        return asked('retry', 'now');
      case 'NothingInstallable': {
        if (requests.retry === undefined) return asked('retry', 'now');
        const { rollback, ...others } = requests;
        return rollback === undefined ? undefined : model.withOwner(state, { ...owner, requests: others });
      }
      default:
        return undefined;
    }
  }
}

function needed(decision: {
  readonly kind: string;
  readonly need?: { readonly version?: string };
}): string | undefined {
  return decision.need?.version;
}

/** The critical section of an action is over. */
function withoutHold(record: Owner['record']): Owner['record'] {
  if (record === undefined) return undefined;
  const { hold: _hold, ...others } = record;
  return others;
}

/** Nobody holds the object back. */
function isQuiet({ record, spec, requests, deleting, parent, noSlot }: Owner): boolean {
  const isLimited = parent !== undefined || noSlot === true;
  const isFree = Object.keys(spec).length === 0 && Object.keys(requests).length === 0 && !isLimited;
  return record?.version !== undefined && record.avoid.length === 0 && isFree && !deleting;
}

function isExactly(contents: Contents, version: number, generation: number): boolean {
  const wanted = WANTED[version] ?? [];
  return PLACES.every((place) => contents[place] === (wanted.includes(place) ? contentOf(version, generation) : 0));
}
