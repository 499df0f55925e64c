// One state of the model: the object that is reconciled, the objects that it owns, what is under way, and the truth.
import type { ParentState, ProcedureSettings, RecordMirror, Requests, VersionRecord } from '@pawl/reconciler';
import { UNKNOWN } from './catalogs.ts';

/** The owned objects that may be there. */
export const PLACES = [0, 1, 2] as const;
/** Which of them each version wants. */
export const WANTED: Readonly<Record<number, readonly number[]>> = { 1: [0, 1], 2: [0, 2], 3: [0, 1, 2], 4: [1, 2] };

/** What each place holds: nothing (0), or the version that wrote it last and the generation that it was written for. */
export type Contents = readonly number[];
export const contentOf = (version: number, generation: number): number => version * 2 + generation;
/** An owned object whose stamp somebody has removed. */
export const STRANGER = contentOf(UNKNOWN, 0);

const versionsOf = new Map<string, readonly number[]>();

/** The versions whose traces are there, in the order of their places. */
export function versionsIn(contents: Contents): readonly number[] {
  const key = contents.join();
  const known = versionsOf.get(key);
  if (known !== undefined) return known;
  const versions = [...new Set(contents.filter((content) => content !== 0).map((content) => content >> 1))];
  versionsOf.set(key, versions);
  return versions;
}

/** Which way the user was promised: kept apart from the record, to judge it by. */
export interface Promised {
  /** The version that was asked for. */
  readonly to: number;
  /** It is not reached yet. */
  readonly open: boolean;
  /** Bits of the newer versions that were known when it was asked for: none of them may come back by itself. */
  readonly known: number;
}

export interface Owner {
  readonly uid: string;
  readonly generation: number;
  readonly deleting: boolean;
  readonly finalizer: boolean;
  readonly gone?: boolean;
  readonly mirror?: RecordMirror | undefined;
  readonly record?: VersionRecord | undefined;
  readonly requests: Requests;
  readonly spec: ProcedureSettings;
  /** Where the object that this one belongs to stands: index into the parent's course. */
  readonly parent?: number | undefined;
  /** Too many others are on their way: no new hop. */
  readonly noSlot?: true | undefined;
  /** A promise that counts from the acknowledgement of the intent on. */
  readonly promised?: Promised | undefined;
}

/** A write of a deposed leader that may arrive at any time. */
export interface LateWrite {
  readonly place: number;
  readonly to: number;
  /** A deletion with a precondition. */
  readonly expected?: number | undefined;
}

/** What a process knows of its last verification. */
export interface Verified {
  readonly by: number;
  readonly version: number;
  readonly extras: number;
  readonly finalizePending: boolean;
  readonly teardown: boolean;
}

export interface State {
  /** Index of the owner among all owners seen. */
  readonly owner: number;
  readonly contents: Contents;
  /** In the order of their keys, for the order in which they were sent says nothing. */
  readonly late: readonly LateWrite[];
  readonly verified?: Verified | undefined;
  /** How many outside events may still happen. */
  readonly budget: number;
  /** The last version that was really completed. */
  readonly completed: number;
  /** The highest version whose point of no return was really passed. */
  readonly finalized: number;
  readonly promised?: Promised | undefined;
  /** The kind's definition drops the record. */
  readonly drops: boolean;
  /** Record and mirror were lost together. */
  readonly lost: boolean;
  /** The contents before the last child write: what a stale cache shows. */
  readonly earlier?: Contents | undefined;
  /** Weakened rule only: something was written before its intent. */
  readonly early?: boolean | undefined;
}

/** Tells late writes apart. */
export const lateKeyOf = ({ place, to, expected }: LateWrite): string => `${place},${to},${expected ?? ''}`;

/** The course of a parent: it is installed, then goes on, and only releases its children once it is ready for them. */
export const PARENT_COURSE: readonly ParentState[] = [
  {},
  { target: '2.0.0' },
  { version: '2.0.0' },
  { version: '2.0.0', target: '4.0.0', released: false },
  { version: '2.0.0', target: '4.0.0', released: true },
  { version: '4.0.0' },
];

/** Two states with the same key behave the same. */
export function keyOf(state: State): string {
  const { owner, contents, late, verified, budget, completed, finalized, promised, drops, lost, earlier, early } =
    state;
  const lateKey = late.length === 0 ? '' : late.map(lateKeyOf).join('+');
  const verifiedKey =
    verified === undefined
      ? ''
      : `${verified.by},${verified.version},${verified.extras},${String(verified.finalizePending)},${String(verified.teardown)}`;
  const promisedKey = promised === undefined ? '' : `${promised.to},${String(promised.open)},${promised.known}`;
  return [
    owner,
    contents,
    lateKey,
    verifiedKey,
    budget,
    completed,
    finalized,
    promisedKey,
    drops ? 1 : 0,
    earlier ?? '',
    early === true ? 1 : '',
    lost ? 1 : 0,
  ].join('|');
}
