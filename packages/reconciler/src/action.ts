// The Action as a value: what it is called, what it needs, what it touches, how it is evaluated.
import {
  grantsOf,
  levelOf,
  type Access,
  type Declarations,
  type Externals,
  type Grant,
  type Kinds,
  type Level,
} from './access.ts';
import { assertSound, type Fault } from './errors.ts';
import type { Maybe } from './maybe.ts';
import type { ActionResult, Returned, ValueOf } from './result.ts';

/** When an action of a hop runs: before verification, or only past the point of no return. */
export type Stage = 'apply' | 'finalize';

/**
 * How a field that the server lets nobody change in place is changed. `Refuse`: not at all, the plan says so before
 * anything happens. `Recreate`: delete, wait, create. `OrphanRecreate`: the same, but what the object owns stays.
 */
export type ImmutableStrategy = 'Refuse' | 'Recreate' | 'OrphanRecreate';

/** Prerequisites under the alias by which their values are received. */
export type Requires<C> = Readonly<Record<string, Action<C>>>;
export type OutputOf<A> = A extends Action<never, infer Out> ? Out : never;
export type ResultsOf<R> = { readonly [A in keyof R]: OutputOf<R[A]> };

/** The context of one action: the object's context, and a client for each declaration. */
export type Given<C, O extends Kinds = {}, E extends Kinds = {}, R extends Kinds = {}, X extends Externals = {}> = C &
  Access<O, E, R, X>;

/** What an evaluation may ask of the cycle. */
export interface Scope {
  readonly context: unknown;
  readonly results: Readonly<Record<string, unknown>>;
  /** Nothing is written: a rollout shows all its items. */
  readonly planning: boolean;
  /** The result of an action which only runs when asked for, by the name it has in this procedure. */
  readonly evaluate: (name: string) => Maybe<{ readonly level: Level; readonly result: ActionResult }>;
}

/** One step, named as the state it establishes. Frozen and stateless: results belong to the cycle. */
export interface Action<in C, out Out = unknown, out L extends Level = Level> {
  readonly name: string;
  readonly level: L;
  readonly stage: Stage;
  readonly requires: Requires<C>;
  /** Actions which are evaluated only when this one asks for them. */
  readonly alternatives: Requires<C>;
  readonly grants: readonly Grant[];
  readonly timeoutMs: number | undefined;
  readonly cacheForMs: number | undefined;
  readonly revision: number;
  /** The first action of this name that this one descends from by replacement; itself if none. */
  readonly origin: string | symbol;
  readonly when: ((context: C) => boolean) | undefined;
  readonly expected: ((context: C, results: never) => Out) | undefined;
  readonly evaluate: (scope: Scope) => Maybe<ActionResult<Out>>;
}

/** An action that may stand in for another of the same name and value. Made by `replaceAction` only. */
export interface Replacement<in C, out Out = unknown, out L extends Level = Level> extends Action<C, Out, L> {
  readonly replaces: string;
}

/** Where `when` may skip the action, dependants must be ready for no value. `W` is what `when` returns, never if absent. */
export type Skippable<W, Out> = [W] extends [never] ? Out : Out | undefined;
/** Reads as the reason in the compiler's message. */
export type OnlyForChecks<L, T> = L extends 'check' ? T : 'only a check may be cached';

/** What every kind of action declares. */
export interface Declared<
  C,
  R extends Requires<C>,
  O extends Kinds,
  E extends Kinds,
  D extends Kinds,
  X extends Externals,
> {
  /** PascalCase, a state: `EtcdReady`. Public: it stands in status, metrics and field managers. */
  readonly name: string;
  readonly requires?: R;
  /** Kinds whose objects this action creates, changes and removes. In the inventory and in the prune scope. */
  readonly owns?: O;
  /** Kinds of which this action sets single fields on objects that somebody else owns. Never created, deleted or pruned. */
  readonly edits?: E;
  readonly reads?: D;
  readonly external?: X;
  /** What to do when a field of an owned object cannot be changed in place. Default `Refuse`. */
  readonly immutable?: { readonly [A in keyof O]?: ImmutableStrategy };
  readonly stage?: Stage;
  readonly timeoutMs?: number;
  /** Raise it when a body changes without a new version: part of the procedure's digest. Default 0. */
  readonly revision?: number;
}

export interface ActionParts {
  readonly name: string;
  /** Only for groups; otherwise it follows from what is declared. */
  readonly level?: Level;
  readonly stage?: Stage | undefined;
  readonly requires?: Readonly<Record<string, unknown>> | undefined;
  readonly alternatives?: Readonly<Record<string, unknown>> | undefined;
  readonly declared?: Declarations;
  readonly timeoutMs?: number | undefined;
  readonly cacheForMs?: number | undefined;
  /** Of a `forEach`. */
  readonly atATime?: number | undefined;
  /** Of a `forEach`. */
  readonly concurrency?: number | undefined;
  readonly revision?: number | undefined;
  readonly when?: unknown;
  readonly expected?: unknown;
  readonly evaluate: (scope: Scope) => Maybe<ActionResult>;
}

const NAME = /^[A-Z][A-Za-z0-9]{0,62}$/;

/** The one place where an action is built. Untyped inside: the signatures of the kit are its types. */
export function createAction(parts: ActionParts): Action<unknown> {
  const grants = grantsOf(parts.declared ?? {});
  const level = parts.level ?? levelOf(grants);
  assertSound(`action ${parts.name}`, faultsOf(parts, grants, level));
  const action = {
    name: parts.name,
    level,
    stage: parts.stage ?? 'apply',
    requires: Object.freeze({ ...parts.requires }),
    alternatives: Object.freeze({ ...parts.alternatives }),
    grants: Object.freeze(grants),
    timeoutMs: parts.timeoutMs,
    cacheForMs: parts.cacheForMs,
    revision: parts.revision ?? 0,
    origin: Symbol(parts.name),
    when: parts.when,
    expected: parts.expected,
    evaluate: parts.evaluate,
  };
  return Object.freeze(action) as unknown as Action<unknown>;
}

function faultsOf(parts: ActionParts, grants: readonly Grant[], level: Level): Fault[] {
  const faults: Fault[] = [];
  if (!NAME.test(parts.name))
    faults.push({ code: 'A001', message: `name "${parts.name}" must be PascalCase, a state such as TablesCreated, at most 63 characters` });
  const aliases = grants.filter(({ verb }) => verb !== 'external').map(({ alias }) => alias);
  for (const alias of new Set(aliases.filter((alias, index) => aliases.indexOf(alias) !== index)))
    faults.push({ code: 'A002', message: `alias "${alias}" is declared twice; give each declaration its own` });
  if (parts.cacheForMs !== undefined && level === 'change')
    faults.push({ code: 'A003', message: `cacheForMs is ${parts.cacheForMs}, but only a check may be cached; leave it out, or owns, edits and effects` });
  for (const [field, value] of [
    ['timeoutMs', parts.timeoutMs],
    ['cacheForMs', parts.cacheForMs],
  ] as const)
    if (value !== undefined && !(value > 0))
      faults.push({ code: 'A004', message: `${field} must be above 0, is ${value}` });
  for (const [field, value] of [
    ['atATime', parts.atATime],
    ['concurrency', parts.concurrency],
  ] as const)
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      faults.push({ code: 'A004', message: `${field} must be a whole number above 0, is ${value}` });
  return faults;
}

/** `body` as an evaluation: its context and results come from the scope. */
export function evaluateBody<Ret extends Returned>(body: (context: never, results: never) => Ret) {
  return (scope: Scope): Maybe<ActionResult<ValueOf<Ret>>> =>
    body(scope.context as never, scope.results as never) as Maybe<ActionResult<ValueOf<Ret>>>;
}
