// Errors that nobody waits for: those of a run are taken, all others go their usual way.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { UnhandledErrors } from './unhandled.ts';

function watched() {
  const source = new EventEmitter();
  const passed: string[] = [];
  const earlier = (error: Error): void => void passed.push(error.message);
  source.on('unhandledRejection', earlier);
  let isInside = true;
  const errors = new UnhandledErrors(source, () => isInside);
  return { source, passed, earlier, errors, leave: () => (isInside = false) };
}

test('an error within a run is taken, once, and told nobody else', () => {
  const { source, passed, errors } = watched();
  source.emit('unhandledRejection', new Error('lost'));
  source.emit('uncaughtException', new Error('lost'));
  source.emit('uncaughtException', 'a text');
  expect(errors.taken()).toEqual([{ by: undefined, says: 'lost' }, { by: undefined, says: 'a text' }]);
  expect([errors.taken(), passed]).toEqual([[], []]);
});

test('an error outside of all runs goes to whoever listened before, or is thrown', () => {
  const { source, passed, errors, leave } = watched();
  leave();
  source.emit('unhandledRejection', new Error('theirs'));
  expect([errors.taken(), passed]).toEqual([[], ['theirs']]);
  expect(() => source.emit('uncaughtException', new Error('fatal'))).toThrow('fatal');
});

test('afterwards everybody listens as before', () => {
  const { source, earlier, errors } = watched();
  errors.restore();
  expect([source.listeners('unhandledRejection'), source.listeners('uncaughtException')]).toEqual([[earlier], []]);
});
