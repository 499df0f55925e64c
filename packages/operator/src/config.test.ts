import { expect, test } from 'vitest';
import { ConfigError, operatorConfig } from './config.ts';

test('only the name of the operator must be given', () => {
  expect(operatorConfig({ operatorName: 'web' })).toEqual({
    operatorName: 'web',
    release: 'web',
    podName: 'web',
    upgradePolicy: 'Automatic',
    onStranded: 'hold',
    openKinds: {},
    external: {},
    maxOpenPercent: 5,
    maxStalled: 3,
    progressDeadlineMs: 900_000,
    workers: 4,
    resyncMs: 600_000,
    settleMs: 20_000,
    clientQps: 0,
    clientBurst: 0,
    shutdownMs: 20_000,
    watchdogMs: 30_000,
    healthPort: 0,
    leaseDurationMs: 60_000,
    renewDeadlineMs: 40_000,
    retryPeriodMs: 10_000,
    requestTimeoutMs: 15_000,
    skewMs: 5_000,
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
    'colour: is not a setting; the settings are operatorName, release, namespaces, labelSelector, fieldSelector, leaseNamespace, podName, podNamespace, podUid, upgradePolicy, onStranded, openKinds, external, seed, ' +
      'workers, resyncMs, settleMs, shutdownMs, watchdogMs, healthPort, clientQps, clientBurst, maxOpenPercent, maxStalled, progressDeadlineMs, leaseDurationMs, renewDeadlineMs, retryPeriodMs, requestTimeoutMs, skewMs',
    'operatorName: found "Web!"; allowed are lower-case letters, digits and \'-\', at most 53 characters',
    'namespaces: found []; allowed is a list of namespace names, or nothing for all',
    'workers: found 0; allowed is a whole number from 1 to 256',
  ]);
});

test('selectors and names of pods that are none are refused, with the part that is not understood', () => {
  const input = { labelSelector: 'app=web,env prod', fieldSelector: 7, podNamespace: 'No', podUid: '', clientBurst: 5, namespaces: ['x'.repeat(64)] };
  expect(() => operatorConfig({ operatorName: 'web', ...input })).toThrow(
    [
      `namespaces: found ["${'x'.repeat(64)}"]; allowed is a list of namespace names, or nothing for all`,
      'labelSelector: found "app=web,env prod", of which "env prod" is not understood; allowed is a selector such as app=web,env in (prod,stage), or nothing for all',
      'fieldSelector: found 7; allowed is a selector such as metadata.name!=test, or nothing for all',
      'podNamespace: found "No"; allowed is the name of a namespace, or nothing',
      'podUid: found ""; allowed is a text of at most 200 characters, or nothing',
      'clientBurst: found 5 while clientQps is 0, which limits nothing; allowed is 0, or both',
    ].join('\n'),
  );
});

test('a namespace may have as long a name as a cluster allows', () => {
  expect(operatorConfig({ operatorName: 'web', namespaces: ['x'.repeat(63)] }).namespaces).toEqual(['x'.repeat(63)]);
});

test('durations of the Lease that do not fit together are refused by their names', () => {
  expect(() => operatorConfig({ operatorName: 'web', renewDeadlineMs: 50_000 })).toThrow(
    'requestTimeoutMs + skewMs: found 15000 + 5000; allowed is at most leaseDurationMs - renewDeadlineMs, which is 10000',
  );
});
