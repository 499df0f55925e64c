// The bytes that keep a panel at the bottom of a terminal while lines scroll past above it.

/** What is on the screen, as far as this program wrote it. */
export interface Frame {
  /** The bytes to write. */
  readonly bytes: string;
  /** Lines that the panel now takes; to be handed to the next call. */
  readonly height: number;
}

const CLEAR_BELOW = '\u001b[J';
const up = (count: number): string => (count === 0 ? '' : `\u001b[${count}A`);

/**
 * Writes `above` where the old panel stood and the new panel below it.
 *
 * @param height lines of the old panel; 0 if there is none
 * @param above lines that stay for ever
 * @param panel lines that the next frame replaces; no line may be wider than the terminal
 */
export function nextFrame(height: number, above: readonly string[], panel: readonly string[]): Frame {
  const lines = [...above, ...panel];
  const bytes = `${up(height)}${height === 0 ? '' : `\r${CLEAR_BELOW}`}${lines.map((text) => `${text}\n`).join('')}`;
  return { bytes, height: panel.length };
}
