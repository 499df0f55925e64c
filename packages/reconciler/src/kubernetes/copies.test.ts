// Two copies of this package in one process, as when a released package brings its own: what one makes, the other knows.
import { expect, test } from 'vitest';
import { TerminalError, isNamed } from '../errors.ts';
import { ApiError } from './port.ts';
import { isSensitive } from './sensitive.ts';

const another = async <T>(path: string): Promise<T> => (await import(/* @vite-ignore */ `${path}?copy`)) as T;

test('an error of the server is one for the copy that an Action was written with', async () => {
  const copy = await another<{ readonly ApiError: typeof ApiError }>('./port.ts');
  expect(copy.ApiError).not.toBe(ApiError);
  class Narrower extends ApiError {}
  const [ours, theirs] = [new Narrower(404, 'NotFound', 'gone'), new copy.ApiError(409, 'Conflict', 'changed')];
  expect([ours instanceof copy.ApiError, theirs instanceof ApiError]).toEqual([true, true]);
  expect([theirs instanceof Narrower, ours instanceof Narrower]).toEqual([false, true]);
  expect([new Error('x') instanceof ApiError, {} instanceof ApiError]).toEqual([false, false]);
});

test('errors that authors throw are known by name, and sensitive values by their mark', async () => {
  const errors = await another<{ readonly TerminalError: typeof TerminalError }>('../errors.ts');
  expect(errors.TerminalError).not.toBe(TerminalError);
  expect(isNamed(new errors.TerminalError('never'), 'TerminalError')).toBe(true);
  const { Sensitive } = await another<{ readonly Sensitive: new (value: string) => object }>('./sensitive.ts');
  expect(isSensitive(new Sensitive('c2VjcmV0'))).toBe(true);
});
