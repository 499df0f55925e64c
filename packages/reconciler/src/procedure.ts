// A Procedure: a version, what it may take over from, and a validated graph of actions. Immutable.
import semver from 'semver';
import type { Action, Replacement } from './action.ts';
import { assertSound, type Fault } from './errors.ts';
import { closureOf, edgesOf, faultsOf, isPureCheck, onDemandNames, type ActionsByName } from './graph.ts';
import { isNewer, isVersion, UNVERSIONED } from './versions/version.ts';

/** What a procedure says about versions. With a single procedure every field may be left out. */
export interface Versioning<C> {
  /**
   * Strict semver, independent of the operator's release. Raise it only when older code must not touch the result, or
   * newer code must know what is there.
   */
  readonly version?: string;
  /**
   * The oldest completed version that this one may act on; short for `from: '>=...'`. Default: the version of the
   * procedure that this one is derived from; the lowest procedure of a catalog accepts everything older.
   */
  readonly minVersion?: string;
  /** The same as a range. Excludes `minVersion`. */
  readonly from?: string;
  /** Half-applied versions that this one may supersede. Default none: finish first. */
  readonly fromPartial?: string;
  /** Older versions that may act on this one's traces until it finalizes. Default none. */
  readonly rollbackTo?: string;
  /** Checks that must be True before a hop to this version is recorded. */
  readonly preconditions?: readonly Action<C, unknown, 'check'>[];
  /** Begin only when the older version has verified the object's newest generation. Default false. */
  readonly settled?: boolean;
  /** When the finalize actions may run. Default: after 24 hours if there are any and `rollbackTo` is given, else at once. */
  readonly finalize?: 'Auto' | 'Manual' | { readonly soakMs: number };
  /** Kept only to be left or finished; never a new target. Default false. */
  readonly withdrawn?: boolean;
  /** Whether fresh objects may get it. Default true. */
  readonly install?: boolean;
  /** `['unknown']`: may take over objects whose origin nobody knows. */
  readonly adopts?: readonly 'unknown'[];
}

export interface ProcedureSpec<C> extends Versioning<C> {
  /** The actions that make up the desired state; their prerequisites come along. */
  readonly actions: readonly Action<C>[];
  /**
   * What must be True before the objects of the inventory are deleted: a graph of its own. Absent: nothing is waited for.
   */
  readonly teardown?: readonly Action<C>[];
}

export interface ProcedureChanges<C> extends Versioning<C> {
  readonly version: string;
  readonly add?: readonly Action<C>[];
  readonly replace?: readonly Replacement<C>[];
  /** By value, so that a typing mistake cannot name nothing. */
  readonly remove?: readonly Action<C>[];
  /** Replaces the whole teardown graph. Default: inherited. */
  readonly teardown?: readonly Action<C>[];
}

declare const CONTEXT: unique symbol;

/** A validated procedure. Made by `defineProcedure` and `deriveProcedure` only. */
export interface Procedure<in C> extends Versioning<never> {
  /** 0.0.0 if the author gave none. */
  readonly version: string;
  /** Whether the author gave a version. */
  readonly isVersioned: boolean;
  /** Version of the procedure that this one was derived from. */
  readonly derivedFrom?: string;
  /** Name to action, prerequisites first. */
  readonly actions: ActionsByName;
  readonly teardown: ActionsByName;
  /** Names that the author listed. */
  readonly roots: ReadonlySet<string>;
  /** Actions which run only when a `firstOf` asks for them. */
  readonly onDemand: ReadonlySet<string>;
  readonly [CONTEXT]?: (context: C) => void;
}

type AnyAction = Action<never>;

/** Builds a procedure from a whole list. */
export function buildProcedure<C>(spec: ProcedureSpec<C>): Procedure<C> {
  const faults: Fault[] = [];
  const { actions, teardown = [], ...versioning } = spec;
  return finish({
    versioning,
    actions: closureOf(actions, new Map(), faults),
    roots: namesOf(actions),
    teardown,
    faults,
  });
}

/** Builds a procedure as a difference to another. Nothing leaves it but by `remove`. */
export function deriveFrom<C>(base: Procedure<C>, changes: ProcedureChanges<C>): Procedure<C> {
  const faults: Fault[] = [];
  const { add = [], replace = [], remove = [], teardown = [...base.teardown.values()], ...versioning } = changes;
  const kept = new Map<string, AnyAction>(base.actions);
  for (const { name } of remove)
    if (!kept.delete(name)) faults.push({ code: 'V011', message: `remove names ${name}, but ${base.version} has none; leave it out` });
  for (const action of replace) {
    const old = base.actions.get(action.name);
    if (old === undefined)
      faults.push({ code: 'V011', message: `replace names ${action.name}, but ${base.version} has none; add it instead` });
    else if (old.origin !== action.origin)
      faults.push({ code: 'V011', message: `replace names another ${action.name} than ${base.version} has; replace that one` });
    kept.set(action.name, action);
  }
  const actions = closureOf([...add, ...replace.flatMap(edgesOf)], kept, faults);
  const roots = new Set([...base.roots, ...namesOf(add)]);
  return finish<C>({ versioning, derivedFrom: base.version, actions, roots, teardown, faults });
}

interface Parts<C> {
  readonly versioning: Versioning<C>;
  readonly derivedFrom?: string;
  readonly actions: ActionsByName;
  readonly roots: ReadonlySet<string>;
  readonly teardown: readonly AnyAction[];
  readonly faults: Fault[];
}

function finish<C>({ versioning, derivedFrom, actions, roots, teardown, faults }: Parts<C>): Procedure<C> {
  const down = closureOf(teardown, new Map(), faults);
  const { version = UNVERSIONED } = versioning;
  faults.push(...versionFaults(versioning), ...faultsOf(actions), ...faultsOf(down));
  for (const check of versioning.preconditions ?? [])
    if (!isPureCheck(check, closureOf([check], new Map(), [])))
      faults.push({ code: 'V011', message: `preconditions names ${check.name}, which needs an action that changes something; only checks may` });
  assertSound(`procedure ${version}`, faults);
  const procedure: Procedure<C> = {
    ...(versioning as Versioning<never>),
    version,
    isVersioned: versioning.version !== undefined,
    ...(derivedFrom === undefined ? {} : { derivedFrom }),
    actions,
    roots,
    teardown: down,
    onDemand: onDemandNames(actions, roots),
  };
  return Object.freeze(procedure);
}

function namesOf(actions: readonly AnyAction[]): ReadonlySet<string> {
  return new Set(actions.map(({ name }) => name));
}

const RANGES = ['from', 'fromPartial', 'rollbackTo'] as const;

function versionFaults(versioning: Versioning<never> | Versioning<unknown>): Fault[] {
  const { version, minVersion, from } = versioning;
  const faults: Fault[] = [];
  for (const [field, value] of Object.entries({ version, minVersion }))
    if (value !== undefined && !isVersion(value))
      faults.push({ code: 'V001', message: `${field} "${value}" is not strict semver, such as 1.2.0` });
  if (minVersion !== undefined && from !== undefined)
    faults.push({ code: 'V004', message: `minVersion ${minVersion} and from "${from}" exclude each other; leave one out` });
  else if (minVersion !== undefined && version !== undefined && faults.length === 0 && isNewer(minVersion, version))
    faults.push({ code: 'V003', message: `minVersion ${minVersion} is above ${version}; name an older version` });
  const { finalize } = versioning;
  if (typeof finalize === 'object' && !(finalize.soakMs >= 0))
    faults.push({ code: 'V011', message: `finalize.soakMs must be 0 or above, is ${finalize.soakMs}` });
  for (const field of RANGES) {
    const range = versioning[field];
    if (range !== undefined && range !== 'none' && (semver.validRange(range) === null || range.includes(',')))
      faults.push({ code: 'V002', message: `${field} "${range}" is not a range, such as ">=1.2.0 <2.0.0-0"` });
  }
  return faults;
}
