// Errors that nobody waits for: a promise that is rejected behind the back of an Action, an error that is thrown in a
// callback. While a run is watched they are taken instead of ending the process.
import type { EventEmitter } from 'node:events';
import { currentAction } from './action-follower.ts';
import type { ActionName } from './action-name.ts';

/** An error and the Action in whose code it arose; undefined: in no Action. */
export interface UnhandledError {
  readonly by: ActionName | undefined;
  readonly says: string;
}

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;
type Listener = (error: unknown, detail: unknown) => void;
/** What tells of them: the process. */
export type ErrorSource = Pick<EventEmitter, 'listeners' | 'removeAllListeners' | 'on' | 'off'>;

const MOST = 5;

/** In force from its making until {@link UnhandledErrors.restore}. */
export class UnhandledErrors {
  readonly #source: ErrorSource;
  readonly #earlier: ReadonlyMap<string, readonly Listener[]>;
  readonly #own = new Map<string, Listener>();
  #taken: UnhandledError[] = [];

  /** @param isWatched whether the caller is within a run */
  constructor(source: ErrorSource, isWatched: () => boolean) {
    this.#source = source;
    this.#earlier = new Map(EVENTS.map((event) => [event, source.listeners(event) as unknown as readonly Listener[]]));
    for (const event of EVENTS) {
      const listener: Listener = (error, detail) => {
        if (isWatched()) this.#take(error);
        else this.#pass(event, error, detail);
      };
      source.removeAllListeners(event);
      source.on(event, listener);
      this.#own.set(event, listener);
    }
  }

  /** What came since this was last asked. */
  taken = (): readonly UnhandledError[] => {
    const taken = this.#taken;
    if (taken.length > 0) this.#taken = [];
    return taken;
  };

  restore = (): void => {
    for (const [event, listener] of this.#own) this.#source.off(event, listener);
    for (const [event, listeners] of this.#earlier) for (const listener of listeners) this.#source.on(event, listener);
  };

  #take(error: unknown): void {
    const says = error instanceof Error ? error.message : String(error);
    const by = currentAction();
    const isKnown = this.#taken.some((one) => one.says === says && one.by === by);
    if (!isKnown && this.#taken.length < MOST) this.#taken.push({ by, says });
  }

  /** Whatever is not of a run goes its usual way. */
  #pass(event: string, error: unknown, detail: unknown): void {
    const listeners = this.#earlier.get(event) ?? [];
    if (listeners.length === 0) throw error;
    for (const listener of listeners) listener(error, detail);
  }
}
