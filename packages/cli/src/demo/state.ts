// What the demo knows, and how each thing that happens changes it. No effects: `moves.ts` says what to do next.
import type { ObjectView } from './object-view.ts';

/** One release of the example's operator. */
export interface Release {
  /** The module whose default export is the package. */
  readonly module: string;
  /** Versions that it knows, oldest first. */
  readonly versions: readonly string[];
}

/** The operator's process. Ended: none runs. Leaving: it was told to stop, or killed, and has not ended yet. */
export interface OperatorState {
  readonly state: 'ended' | 'running' | 'leaving';
  readonly pid: number | undefined;
  /** Index into the releases. */
  readonly release: number;
}

export interface DemoState {
  /** Such as `Website default/hello`. */
  readonly name: string;
  readonly releases: readonly Release[];
  readonly operator: OperatorState;
  /** Index into the releases: the one that should run. */
  readonly wantedRelease: number;
  /** Absent: it does not exist (yet, or any more). */
  readonly object: ObjectView | undefined;
  /** Versions at which the object was Ready, in order, without repetition of neighbours. */
  readonly path: readonly string[];
  readonly kills: number;
  /** Every difference from a fresh install that any check found. */
  readonly wrong: readonly string[];
  /** What was checked last: the object's resourceVersion, and the version and generation that it was Ready at. */
  readonly checked: { readonly resourceVersion: string; readonly about: string } | undefined;
  /** When the next release is started by itself. Absent: not planned. */
  readonly upgradeAtMs: number | undefined;
  /** Why the demo ends; absent: it goes on. */
  readonly ending: Ending | undefined;
}

/** How the demo ends. */
export interface Ending {
  readonly exitCode: number;
  /** What is said at last. */
  readonly message: string;
}

/** Something that happened. Times are milliseconds since the start of the demo. */
export type DemoEvent =
  | { readonly type: 'operatorStarted'; readonly pid: number; readonly release: number }
  | { readonly type: 'operatorLeaving'; readonly by: 'kill' | 'stop' }
  | { readonly type: 'operatorEnded'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly type: 'objectSeen'; readonly object: ObjectView }
  | { readonly type: 'objectGone' }
  | {
      readonly type: 'checked';
      readonly resourceVersion: string;
      readonly objects: number;
      readonly wrong: readonly string[];
    }
  | { readonly type: 'upgradePlanned'; readonly atMs: number }
  | { readonly type: 'upgradeWanted'; readonly pick: string }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'ended'; readonly ending: Ending };

/** The demo before anything has happened. */
export function initialState(name: string, releases: readonly Release[]): DemoState {
  return {
    name,
    releases,
    operator: { state: 'ended', pid: undefined, release: 0 },
    wantedRelease: 0,
    object: undefined,
    path: [],
    kills: 0,
    wrong: [],
    checked: undefined,
    upgradeAtMs: undefined,
    ending: undefined,
  };
}

/** The state after an event. */
export function reduce(state: DemoState, event: DemoEvent): DemoState {
  switch (event.type) {
    case 'operatorStarted':
      return { ...state, operator: { state: 'running', pid: event.pid, release: event.release } };
    case 'operatorLeaving':
      return { ...state, operator: { ...state.operator, state: 'leaving' } };
    case 'operatorEnded':
      return {
        ...state,
        operator: { ...state.operator, state: 'ended', pid: undefined },
        kills: state.kills + (event.signal === 'SIGKILL' ? 1 : 0),
      };
    case 'objectSeen':
      return { ...state, object: event.object, path: pathWith(state.path, event.object) };
    case 'objectGone':
      return { ...state, object: undefined, path: [], checked: undefined };
    case 'checked':
      return {
        ...state,
        checked: { resourceVersion: event.resourceVersion, about: aboutOf(state) },
        wrong: [...new Set([...state.wrong, ...event.wrong])],
      };
    case 'upgradePlanned':
      return { ...state, upgradeAtMs: event.atMs };
    case 'upgradeWanted':
      return { ...state, wantedRelease: state.releases.length - 1, upgradeAtMs: undefined };
    case 'ended':
      return { ...state, ending: state.ending ?? event.ending };
    case 'said':
      return state;
  }
}

/** The newest version that a release knows. */
export function newestOf(state: DemoState, release: number): string | undefined {
  return state.releases[release]?.versions.at(-1);
}

/** Whether the object is Ready at the newest version of the last release. */
export function isAtNewest({ object, releases }: DemoState): boolean {
  return object?.isReady === true && object.version === releases.at(-1)?.versions.at(-1);
}

/** Which establishment of the object a check is about; the same after a restart of the operator. */
export function aboutOf({ object }: DemoState): string {
  return object === undefined ? 'gone' : `${object.version ?? ''}/${object.generation}`;
}

function pathWith(path: readonly string[], { isReady, version }: ObjectView): readonly string[] {
  return isReady && version !== undefined && path.at(-1) !== version ? [...path, version] : path;
}
