// The framing of a watch: one JSON value a line. Bytes in, events out.
import { setImmediate } from 'node:timers/promises';
import type { WatchEvent } from './transport.ts';

const NEWLINE = 10;
/** After so many bytes, some milliseconds of work, whatever else waits in this process gets its turn. */
const SLICE_BYTES = 128 * 1024;

/** A line of a watch that cannot be read: what follows cannot be trusted, so the stream ends with it. */
export class WatchFormatError extends Error {
  override readonly name = 'WatchFormatError';
}

/**
 * Splits a byte stream into watch events. Blank lines are skipped. A character may be cut by a chunk's end. A large list
 * comes faster than it can be read: the event loop turns between slices of it, while the stream waits.
 *
 * @param turn resolves when the event loop has turned
 * @throws {WatchFormatError} on a line that is not an event, and when the stream ends inside a line
 */
export async function* readWatchLines(
  chunks: AsyncIterable<Uint8Array>,
  turn: () => Promise<unknown> = () => setImmediate(),
): AsyncGenerator<WatchEvent, void, void> {
  let rest: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const event = parseLine([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
      if (event !== undefined) yield event;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    read += chunk.length;
    if (read >= SLICE_BYTES) {
      read = 0;
      await turn();
    }
  }
  if (textOf(rest).trim() !== '') throw new WatchFormatError('the watch ended in the middle of a line');
}

function textOf(parts: readonly Uint8Array[]): string {
  const [first = new Uint8Array()] = parts;
  const whole = parts.length < 2 ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(parts);
  return whole.toString('utf8');
}

function parseLine(parts: readonly Uint8Array[]): WatchEvent | undefined {
  const line = textOf(parts);
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new WatchFormatError(`a line of the watch is not JSON: ${excerpt(line)}`);
  }
  if (!isEvent(value)) throw new WatchFormatError(`a line of the watch is not an event: ${excerpt(line)}`);
  return value;
}

const TYPES: ReadonlySet<unknown> = new Set<WatchEvent['type']>(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

function isEvent(value: unknown): value is WatchEvent {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('object' in value)) return false;
  return TYPES.has(value.type) && typeof value.object === 'object' && value.object !== null;
}

/** Only the start: a line may hold a Secret. */
function excerpt(line: string): string {
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}...` : line);
}
