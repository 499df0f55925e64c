// The memory that the process and its watchdog share: a beat that counts up as long as the process can do anything, and
// the Action that began last, as a text.
const BEAT = 0;
const LENGTH = 1;
const HEAD_BYTES = 8;
const TEXT_BYTES = 2_048;

export class SharedBeat {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #text: Uint8Array;
  readonly #encoder = new TextEncoder();

  /** @param memory that of the other side; absent: new */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(HEAD_BYTES + TEXT_BYTES)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, 2);
    this.#text = new Uint8Array(memory, HEAD_BYTES);
  }

  beat = (): void => {
    Atomics.add(this.#numbers, BEAT, 1);
  };

  get beats(): number {
    return Atomics.load(this.#numbers, BEAT);
  }

  /** Texts that are too long are left out, never cut. */
  set last(text: string) {
    const bytes = this.#encoder.encode(text);
    Atomics.store(this.#numbers, LENGTH, 0);
    if (bytes.length > TEXT_BYTES) return;
    this.#text.set(bytes);
    Atomics.store(this.#numbers, LENGTH, bytes.length);
  }

  get last(): string {
    const length = Atomics.load(this.#numbers, LENGTH);
    // Decoders take no shared memory.
    return new TextDecoder().decode(Uint8Array.from(this.#text.subarray(0, length)));
  }
}
