// The events of one watch on their way to one reader.
import type { WatchEvent } from '../transport.ts';

type Waiter = {
  readonly resolve: (result: IteratorResult<WatchEvent>) => void;
  readonly reject: (error: unknown) => void;
};

/** An unbounded queue with one reader. The owner pushes and ends; `onClose` is called once, whoever ends it. */
export class EventQueue implements AsyncIterable<WatchEvent> {
  readonly #onClose: () => void;
  #events: WatchEvent[] = [];
  #next = 0;
  #waiter: Waiter | undefined;
  #ended = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  /** How many events wait for the reader. */
  get backlog(): number {
    return this.#events.length - this.#next;
  }

  push(event: WatchEvent): void {
    if (this.#ended) return;
    const waiter = this.#waiter;
    if (waiter === undefined) {
      this.#events.push(event);
      return;
    }
    this.#waiter = undefined;
    waiter.resolve({ done: false, value: event });
  }

  /** Ends the stream after what is queued. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#close();
    if (this.backlog === 0) this.#waiter?.resolve({ done: true, value: undefined });
    this.#waiter = undefined;
  }

  /** Breaks the stream: the reader gets the error after what is queued. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#failure = { error };
    this.#ended = true;
    this.#close();
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter !== undefined) {
      this.#failure = undefined;
      waiter.reject(error);
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent> {
    return { next: () => this.#read(), return: () => this.#leave() };
  }

  #read(): Promise<IteratorResult<WatchEvent>> {
    const event = this.#events[this.#next];
    if (event !== undefined) {
      this.#next++;
      if (this.#next === this.#events.length) {
        this.#events = [];
        this.#next = 0;
      }
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  #leave(): Promise<IteratorResult<WatchEvent>> {
    this.#events = [];
    this.#next = 0;
    this.#failure = undefined;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
  }
}
