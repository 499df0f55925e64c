// Notices when a run reaches out of its world: for real time, chance, the network or the process. Only what is called from
// within a run counts, so that the test runner around it may do as it likes.
import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { currentAction } from './action-follower.ts';
import { nameOfAction } from './action-name.ts';
import { UnhandledErrors } from './unhandled.ts';

type Call = (...args: never[]) => unknown;
type Holder = Record<string, Call>;

interface Wire {
  readonly holder: Holder;
  readonly name: string;
  readonly says: string;
}

const wires = (): readonly Wire[] => [
  ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => wire(globalThis, name, 'a real timer')),
  wire(globalThis, 'fetch', 'the network'),
  wire(Date, 'now', 'the real clock'),
  wire(performance, 'now', 'the real clock'),
  wire(Math, 'random', 'real chance'),
  ...['randomUUID', 'getRandomValues'].map((name) => wire(globalThis.crypto, name, 'real chance')),
  ...['randomUUID', 'randomBytes', 'randomInt'].map((name) => wire(crypto, name, 'real chance')),
  ...['connect', 'createConnection'].map((name) => wire(net, name, 'the network')),
  ...['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync'].map((name) => wire(childProcess, name, 'another process')),
  ...['exit', 'kill', 'abort', 'chdir'].map((name) => wire(process, name, 'the process')),
];

const wire = (holder: object, name: string, what: string): Wire => ({ holder: holder as Holder, name, says: `${what} (${name})` });

const MOST = 3;

/** Set once for an exploration; {@link Tripwire.restore} puts everything back. */
export class Tripwire {
  readonly #inside = new AsyncLocalStorage<true>();
  readonly #originals: { readonly wire: Wire; readonly original: Call }[] = [];
  readonly #date = globalThis.Date;
  readonly #stackTraceLimit = Error.stackTraceLimit;
  readonly #allowed: readonly string[];
  /** Errors that nobody waits for. */
  readonly unhandled: UnhandledErrors;
  #taken: string[] = [];

  /** @param allowed parts of paths: what is called from there is not reported */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed;
    for (const each of wires()) {
      const original = each.holder[each.name];
      if (typeof original !== 'function') continue;
      this.#originals.push({ wire: each, original });
      const touched = (): void => this.#touched(each.says);
      each.holder[each.name] = function (this: unknown, ...args: never[]): unknown {
        touched();
        return Reflect.apply(original, this, args);
      };
    }
    globalThis.Date = this.#watchedDate();
    this.unhandled = new UnhandledErrors(process, () => this.#inside.getStore() !== undefined);
    // Refusals are part of a run: making thousands of stacks that nobody reads takes longer than the run.
    Error.stackTraceLimit = 0;
    syncBuiltinESMExports();
  }

  /** What is done here, and all that follows from it, is watched. */
  watch = <T>(work: () => Promise<T>): Promise<T> => this.#inside.run(true, work);

  /** What was touched since this was last asked, each with the place in the code. */
  taken = (): readonly string[] => {
    const taken = this.#taken;
    if (taken.length > 0) this.#taken = [];
    return taken;
  };

  restore = (): void => {
    this.unhandled.restore();
    for (const { wire: each, original } of this.#originals) each.holder[each.name] = original;
    globalThis.Date = this.#date;
    Error.stackTraceLimit = this.#stackTraceLimit;
    syncBuiltinESMExports();
  };

  #touched(says: string): void {
    if (this.#inside.getStore() === undefined || this.#taken.length >= MOST) return;
    Error.stackTraceLimit = 20;
    const { stack } = new Error('here');
    Error.stackTraceLimit = 0;
    const place = stack
      ?.split('\n')
      .slice(1)
      .find((line) => !line.includes('tripwire') && !line.includes('node:'));
    if (place !== undefined && this.#allowed.some((part) => place.includes(part))) return;
    const by = currentAction();
    const text = `${by === undefined ? '' : `${nameOfAction(by)}: `}${says} was touched${place === undefined ? '' : ` ${place.trim()}`}`;
    if (!this.#taken.includes(text)) this.#taken.push(text);
  }

  /** `new Date()` reads the clock, `new Date(1)` does not. */
  #watchedDate(): DateConstructor {
    const touched = (): void => this.#touched('the real clock (new Date)');
    return new Proxy(this.#date, {
      construct: (target, args, newTarget) => {
        if (args.length === 0) touched();
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
  }
}
