// What all parts of one exploration share: the catalogs, the protocol under test, the owners seen, the faults found.
import {
  isInRange,
  nextStep,
  normalizeCatalog,
  type CycleReport,
  type NormalizedProcedure,
  type ProtocolState,
  type Step,
  type VersionCatalog,
} from '@pawl/reconciler';
import { numberOf, versionOf, type Ladder } from './catalogs.ts';
import { PARENT_COURSE, versionsIn, type Contents, type Owner, type State } from './state.ts';

/** Rules that are weakened in the interpreter of the steps, not in the protocol. */
export type Weakness =
  | 'intent after the first write'
  | 'record replaced'
  | 'record shrunk before the prune'
  | 'no settle wait'
  | 'only the last late write is waited for'
  | 'stamps from a cache'
  | 'echo not checked';

export type Outside =
  'requests' | 'adopt' | 'spec' | 'loss' | 'child' | 'stranger' | 'edit' | 'delete' | 'hold' | 'slot';

/** Which moves an exploration makes. */
export interface Profile {
  /** Late writes of deposed leaders. */
  readonly zombie?: boolean;
  /** So many of them may be under way at once. Default 1. */
  readonly lateWrites?: number;
  /** The object belongs to another one, which goes its own course. */
  readonly parent?: boolean;
  /** Cycles that see what was there before the last write. */
  readonly stale?: boolean;
  /** Cycles with a failed action. */
  readonly fail?: boolean;
  readonly outside: readonly Outside[];
  /** Outside events in one run; disappearing costs nothing. */
  readonly budget: number;
  readonly rollbacks?: readonly number[];
  readonly approves?: readonly number[];
}

export interface ModelOptions {
  readonly profile: Profile;
  readonly maxStates: number;
  readonly protocol?: ((state: ProtocolState) => Step) | undefined;
  readonly weakness?: Weakness | undefined;
  /** The procedures own data: a restore is held. */
  readonly ownsData?: boolean;
  /** Catalogs without versions act on anything. */
  readonly anything?: boolean;
}

export class Model {
  readonly options: ModelOptions;
  readonly catalogs: readonly VersionCatalog[];
  /** The versions of the operator that has them all. */
  readonly versions: readonly number[];
  readonly procedures: ReadonlyMap<number, NormalizedProcedure>;
  /** No operator keeps records without mirrors. */
  readonly isMirrored: boolean;
  readonly violations = new Map<string, number>();
  readonly examples = new Map<string, string>();
  readonly owners: Owner[] = [];
  /** How many late writes may be under way. */
  readonly lateWrites: number;
  readonly #ownerIds = new Map<string, number>();
  readonly #parts = new WeakMap<object, number>();
  readonly #partIds = new Map<string, number>();
  readonly #steps = new Map<string, Step>();
  readonly #noSlots: Readonly<Record<string, 'WaitingForSlot'>>;

  constructor(ladder: Ladder, operators: readonly (readonly number[])[], options: ModelOptions) {
    this.options = options;
    this.lateWrites = options.profile.lateWrites ?? 1;
    this.catalogs = operators.map((versions) => normalizeCatalog(versions.map((version) => ladder[version] ?? {})));
    this.versions = operators.at(-1) ?? [];
    const full = this.catalogs.at(-1)?.procedures ?? [];
    const all = [...normalizeCatalog(Object.values(ladder)).procedures, ...full];
    this.#noSlots = Object.fromEntries(all.map(({ version }) => [version, 'WaitingForSlot' as const]));
    this.procedures = new Map(all.map((procedure) => [numberOf(procedure.version), procedure]));
    this.isMirrored = this.catalogs.every(({ plain }) => !plain);
  }

  /** Index of the operator that has every version. */
  get full(): number {
    return this.catalogs.length - 1;
  }

  intern = (owner: Owner): number => {
    const { uid, generation, deleting, finalizer, gone, mirror, record, requests, spec, parent, noSlot } = owner;
    const key = [
      uid,
      generation,
      deleting,
      finalizer,
      gone,
      this.#partId(mirror),
      this.#partId(record),
      this.#partId(requests),
      this.#partId(spec),
      this.#partId(owner.promised),
      parent,
      noSlot,
    ].join();
    const known = this.#ownerIds.get(key);
    if (known !== undefined) return known;
    const id = this.owners.push(owner) - 1;
    this.#ownerIds.set(key, id);
    return id;
  };

  /** A number for each value of a part of an owner; the protocol hands out the same objects again and again. */
  #partId(part: object | undefined): number {
    if (part === undefined) return 0;
    const seen = this.#parts.get(part);
    if (seen !== undefined) return seen;
    const text = JSON.stringify(part);
    const id = this.#partIds.get(text) ?? this.#partIds.size + 1;
    this.#partIds.set(text, id);
    this.#parts.set(part, id);
    return id;
  }

  ownerOf = ({ owner }: State): Owner => {
    const found = this.owners[owner];
    if (found === undefined) throw new Error(`no owner ${owner}`);
    return found;
  };

  /** The state with another owner: whatever a process found out before counts no longer. */
  withOwner = (state: State, owner: Owner, changes: Partial<State> = {}): State => ({
    ...state,
    owner: this.intern(owner),
    verified: undefined,
    ...changes,
  });

  bad = (what: string, state: State, detail?: unknown): void => {
    this.violations.set(what, (this.violations.get(what) ?? 0) + 1);
    if (this.examples.has(what)) return;
    this.examples.set(what, JSON.stringify({ detail, owner: this.ownerOf(state), state }));
  };

  /** The step that an operator takes, with stamps as read from these contents. */
  stepOf = (operator: number, state: State, stampsFrom: Contents, cycle: CycleReport | undefined): Step => {
    const { weakness } = this.options;
    const ignored = weakness === 'no settle wait' ? Infinity : weakness === 'only the last late write is waited for' ? 1 : 0;
    const settled = state.late.length <= ignored;
    const stamps = versionsIn(stampsFrom);
    const key = `${operator}|${state.owner}|${stamps.join()}|${settled ? 1 : 0}|${cycleKey(cycle)}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    const { uid, deleting, spec, requests, finalizer, mirror, record, parent, noSlot } = this.ownerOf(state);
    const { protocol = nextStep, ownsData = false } = this.options;
    const step = protocol({
      catalog: this.catalogs[operator] ?? { procedures: [], plain: false },
      cr: { uid, deleting, spec, requests, finalizer, mirror, record },
      stamps: stamps.map(versionOf),
      facts: {
        settled,
        ownsData,
        ...(parent === undefined ? {} : { parent: PARENT_COURSE[parent] }),
        // Whoever installs asks for no slot.
        ...(noSlot === true && record !== undefined ? { gates: this.#noSlots } : {}),
      },
      scope: [],
      cycle,
    });
    this.#steps.set(key, step);
    return step;
  };

  isIn = (version: number, range: string | undefined): boolean => isInRange(versionOf(version), range);
}

function cycleKey(cycle: CycleReport | undefined): string {
  if (cycle === undefined) return '';
  const { version, clean, verified, extras, failed, finalizePending, ownedLeft } = cycle;
  return `${version},${clean},${verified},${extras},${failed},${finalizePending},${ownedLeft}`;
}
