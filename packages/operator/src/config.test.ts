import { expect, test } from 'vitest';
import { ConfigError, operatorConfig } from './config.ts';

test('only the name of the operator must be given', () => {
  expect(operatorConfig({ operatorName: 'web' })).toEqual({
    operatorName: 'web',
    release: 'web',
    workers: 4,
    resyncMs: 600_000,
    settleMs: 20_000,
    shutdownMs: 30_000,
  });
});

test('all faults are listed at once, each with what was found and what is allowed', () => {
  const input = { operatorName: 'Web!', workers: 0, namespaces: [], colour: 'red' };
  const error = (() => {
    try {
      return operatorConfig(input);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).faults).toEqual([
    'colour: is not a setting; the settings are operatorName, release, namespaces, seed, workers, resyncMs, settleMs, shutdownMs',
    'operatorName: found "Web!"; allowed are lower-case letters, digits and \'-\', at most 53 characters',
    'namespaces: found []; allowed is a list of namespace names, or nothing for all',
    'workers: found 0; allowed is a whole number from 1 to 256',
  ]);
});
