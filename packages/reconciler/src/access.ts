// What an action declares that it touches, and what it is given for it. The engine knows names and verbs, no Kubernetes.
import { AccessError } from './errors.ts';

declare const CLIENTS: unique symbol;
declare const CLIENT: unique symbol;

/** All that the engine knows of something in the cluster. */
export interface Resource {
  readonly id: string;
}

/**
 * Something inside the cluster that can be read, edited or owned. The phantom member says which client each verb hands
 * over; a value carries only its `id`.
 */
export interface Kind<out Reads = unknown, out Edits = unknown, out Owns = unknown> extends Resource {
  readonly [CLIENTS]?: { readonly reads: Reads; readonly edits: Edits; readonly owns: Owns };
}

/** A system outside the API server. `effectful` is false for the view that only reads. */
export interface ExternalView<out Client = unknown, out Effectful extends boolean = boolean> {
  readonly key: string;
  readonly effectful: Effectful;
  readonly [CLIENT]?: Client;
}

export type Kinds = Readonly<Record<string, Kind>>;
export type Externals = Readonly<Record<string, ExternalView>>;

export type ReadsOf<K> = K extends Kind<infer Client> ? Client : never;
export type EditsOf<K> = K extends Kind<unknown, infer Client> ? Client : never;
export type OwnsOf<K> = K extends Kind<unknown, unknown, infer Client> ? Client : never;
export type ClientOf<X> = X extends ExternalView<infer Client> ? Client : never;

/** One client per declared alias. */
export type Cluster<O extends Kinds, E extends Kinds, R extends Kinds> = {
  readonly [A in keyof O | keyof E | keyof R]: A extends keyof O
    ? OwnsOf<O[A]>
    : A extends keyof E
      ? EditsOf<E[A]>
      : A extends keyof R
        ? ReadsOf<R[A]>
        : never;
};
export type External<X extends Externals> = { readonly [A in keyof X]: ClientOf<X[A]> };

/** What the cycle adds to the context of one action. */
export interface Access<O extends Kinds, E extends Kinds, R extends Kinds, X extends Externals> {
  readonly cluster: Cluster<O, E, R>;
  readonly external: External<X>;
  /** Aborted at the action's timeout, at shutdown and when the lease is lost. */
  readonly signal: AbortSignal;
}

/** `change` when something is owned, edited or acted upon outside; `check` otherwise. Never declared, always derived. */
export type Level = 'check' | 'change';
export type LevelOf<O, E, X> = [keyof O | keyof E] extends [never]
  ? X[keyof X] extends { readonly effectful: false }
    ? 'check'
    : 'change'
  : 'change';

export type Verb = 'owns' | 'edits' | 'reads' | 'external';

/** One declared alias, as values. */
export interface Grant {
  readonly alias: string;
  readonly verb: Verb;
  readonly target: Kind | ExternalView;
  /** For `owns`: the strategy for immutable fields. */
  readonly immutable?: string | undefined;
}

export interface Declarations {
  readonly owns?: Kinds;
  readonly edits?: Kinds;
  readonly reads?: Kinds;
  readonly external?: Externals;
  readonly immutable?: Readonly<Record<string, string | undefined>>;
}

const VERBS = ['owns', 'edits', 'reads', 'external'] as const satisfies readonly Verb[];

/** All declarations of an action in one list. */
export function grantsOf(declared: Declarations): readonly Grant[] {
  return VERBS.flatMap((verb) =>
    Object.entries(declared[verb] ?? {}).map(([alias, target]): Grant => ({
      alias,
      verb,
      target,
      ...(verb === 'owns' ? { immutable: declared.immutable?.[alias] } : {}),
    })),
  );
}

/** The level that follows from the declarations. */
export function levelOf(grants: readonly Grant[]): Level {
  const writes = grants.some(({ verb, target }) =>
    verb === 'external' ? (target as ExternalView).effectful : verb !== 'reads',
  );
  return writes ? 'change' : 'check';
}

interface Declaring {
  readonly name: string;
  readonly grants: readonly Grant[];
}
type RecordName = 'cluster' | 'external';
type AccessRecords = Readonly<Record<RecordName, object>>;

/** The `cluster` and `external` of one running action: its clients by alias, and an error for every other name. */
export function accessRecords(action: Declaring, open: (grant: Grant) => unknown): AccessRecords {
  const traps = trapsOf(action);
  if (action.grants.length === 0) return traps;
  const records: Record<RecordName, Record<string, unknown>> = {
    cluster: Object.create(traps.cluster) as Record<string, unknown>,
    external: Object.create(traps.external) as Record<string, unknown>,
  };
  for (const grant of action.grants) records[recordOf(grant)][grant.alias] = open(grant);
  return records;
}

const recordOf = ({ verb }: Grant): RecordName => (verb === 'external' ? 'external' : 'cluster');
/** By grants, which every copy of an action shares. */
const TRAPS = new WeakMap<readonly Grant[], { readonly name: string; readonly traps: AccessRecords }>();

/** What is reached only by a name that is not declared. */
function trapsOf({ name, grants }: Declaring): AccessRecords {
  const known = TRAPS.get(grants);
  if (known?.name === name) return known.traps;
  const traps = { cluster: trap({ name, grants }, 'cluster'), external: trap({ name, grants }, 'external') };
  TRAPS.set(grants, { name, traps });
  return traps;
}

function trap({ name, grants }: Declaring, record: RecordName): object {
  const known =
    grants
      .filter((grant) => recordOf(grant) === record)
      .map(({ alias }) => alias)
      .join(', ') || 'nothing';
  const get = (_target: object, key: string | symbol): unknown => {
    if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined;
    throw new AccessError(`${name} did not declare ${record}.${key}; it declares ${known}`);
  };
  // With an ordinary object in front: what is made over a proxy takes long to make.
  return Object.create(new Proxy({}, { get })) as object;
}
