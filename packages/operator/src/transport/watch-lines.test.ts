// Slices of a large list: everything else in the process gets its turn between them. Framing is tested over real connections.
import { expect, test } from 'vitest';
import { readWatchLines } from './watch-lines.ts';

const line = (index: number, bytes: number): string =>
  `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: `n${index}` }, data: 'x'.repeat(bytes) } })}\n`;

async function* inChunks(text: string, bytes: number): AsyncGenerator<Uint8Array, void, void> {
  const whole = Buffer.from(text);
  for (let start = 0; start < whole.length; start += bytes) yield whole.subarray(start, start + bytes);
}

test('a large list is read in slices, in order', async () => {
  const text = Array.from({ length: 200 }, (_, index) => line(index, 4_000)).join('');
  const told: string[] = [];
  const turn = (): Promise<void> => Promise.resolve(void told.push('turn'));
  for await (const { object } of readWatchLines(inChunks(text, 30_000), turn)) told.push((object as { metadata: { name: string } }).metadata.name);
  expect(told.filter((word) => word !== 'turn')).toEqual(Array.from({ length: 200 }, (_, index) => `n${index}`));
  const turns = told.flatMap((word, index) => (word === 'turn' ? [index] : []));
  expect(turns).toHaveLength(5);
  for (const [index, at] of turns.entries()) expect(at - (turns[index - 1] ?? 0)).toBeLessThanOrEqual(40);
});

test('the event loop turns while a large list is read that is all there already', async () => {
  const text = Array.from({ length: 5_000 }, (_, index) => line(index, 1_000)).join('');
  let turnsOfTheLoop = 0;
  let isRead = false;
  const look = (): void => {
    turnsOfTheLoop += 1;
    if (!isRead) setImmediate(look);
  };
  setImmediate(look);
  for await (const _ of readWatchLines(inChunks(text, 64 * 1024)));
  isRead = true;
  expect(turnsOfTheLoop).toBeGreaterThanOrEqual(30);
});

test('what happens now and then is passed on at once', async () => {
  const turns: number[] = [];
  const text = line(1, 100) + line(2, 100);
  for await (const _ of readWatchLines(inChunks(text, 40), () => Promise.resolve(turns.push(1))));
  expect(turns).toEqual([]);
});
