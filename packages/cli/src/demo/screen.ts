// Shows the demo: a panel below scrolling lines in a terminal, lines with a time everywhere else.
import type { Terminal } from '../ports.ts';
import { paintLine, span, type Line } from '../terminal/lines.ts';
import { nextFrame } from '../terminal/screen.ts';

/** Writes lines and keeps the panel below them. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #elapsedMs: () => number;
  #panel: readonly Line[] = [];
  #height = 0;
  #isClosed = false;

  /** @param elapsedMs milliseconds since the start of the demo */
  constructor(terminal: Terminal, elapsedMs: () => number) {
    this.#terminal = terminal;
    this.#elapsedMs = elapsedMs;
  }

  /** Adds lines that stay, and replaces the panel. */
  show = (lines: readonly Line[], panel: readonly Line[]): void => {
    this.#panel = this.#isClosed ? [] : panel;
    this.#write(lines);
  };

  /** Adds lines that stay. */
  tell = (...lines: readonly Line[]): void => {
    this.#write(lines);
  };

  /** Draws the panel anew, as far as it is shown at all. */
  refresh = (panel: readonly Line[]): void => {
    if (this.#terminal.isInteractive && !this.#isClosed) this.show([], panel);
  };

  /** Removes the panel, for good. Lines may still follow. */
  close = (): void => {
    this.#isClosed = true;
    this.#panel = [];
    this.#write([]);
  };

  #write(lines: readonly Line[]): void {
    const { paint, write, isInteractive, columns, rows } = this.#terminal;
    const time = span(`[${(this.#elapsedMs() / 1000).toFixed(1).padStart(5)} s] `, 'faint');
    const above = lines.map((spans) => paintLine([time, ...spans], paint));
    if (!isInteractive) {
      if (above.length > 0) write(above.map((text) => `${text}\n`).join(''));
      return;
    }
    const panel = this.#panel.slice(0, Math.max(0, rows() - 1)).map((spans) => paintLine(spans, paint, columns()));
    const frame = nextFrame(this.#height, above, panel);
    this.#height = frame.height;
    write(frame.bytes);
  }
}
