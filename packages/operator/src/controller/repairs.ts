// Slows down repairs that are undone again and again: two programs that want one object otherwise would write it for ever,
// as fast as the network allows.
import { RetryError } from '@pawl/reconciler';

/** What was applied last to one object, and how often exactly that had to be applied again. */
interface Repaired {
  readonly content: string;
  readonly count: number;
  readonly at: number;
}

/** So many repairs follow the disturbance at once. */
const QUICK_REPAIRS = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** An object that was left alone for so long is repaired at once again. */
const FORGOTTEN_MS = 600_000;

/** The repairs of the objects that one owner holds, as long as the process lives. */
export class Repairs {
  readonly #now: () => number;
  readonly #repaired = new Map<string, Repaired>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * To be asked before `content` is applied to an object.
   * @throws {RetryError} if that was undone so often that the next repair has to wait. Its text stays the same meanwhile.
   */
  assertCalm = (object: string, content: string): void => {
    const known = this.#repaired.get(object);
    if (known === undefined || known.content !== content || known.count <= QUICK_REPAIRS) return;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (known.count - QUICK_REPAIRS - 1));
    const passed = this.#now() - known.at;
    // A wall clock that was set back must not make the pause longer.
    if (passed >= pause || passed < 0) return;
    throw new RetryError(`${object} is changed by somebody else again and again, and is repaired more and more slowly`, {
      afterMs: pause - passed,
    });
  };

  /** `content` was applied, and changed the object. */
  applied = (object: string, content: string): void => {
    const at = this.#now();
    const known = this.#repaired.get(object);
    const isAgain = known?.content === content && at - known.at < FORGOTTEN_MS;
    this.#repaired.set(object, { content, at, count: isAgain ? known.count + 1 : 0 });
  };
}
