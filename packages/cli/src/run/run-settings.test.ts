import { describe, expect, it } from 'vitest';
import { readSettings } from './run-settings.ts';

describe('the settings of a run', () => {
  it('come from flags alone', () => {
    const flags = {
      package: ['./a.ts', 'b'],
      name: 'web',
      server: 'http://127.0.0.1:1',
      workers: '2',
      namespace: ['x'],
    };
    expect(readSettings(flags, undefined)).toEqual({
      settings: {
        procedures: ['./a.ts', 'b'],
        connection: { server: 'http://127.0.0.1:1' },
        logLevel: 'info',
        operator: { operatorName: 'web', namespaces: ['x'], workers: 2 },
      },
      faults: [],
    });
  });

  it('come from a file, where flags win', () => {
    const file = { procedures: ['b'], logLevel: 'warn', operatorName: 'web', settleMs: 5, seed: 3 };
    const { settings, faults } = readSettings({ logLevel: 'debug', settleMs: '9' }, file);
    expect(faults).toEqual([]);
    expect(settings).toMatchObject({ procedures: ['b'], logLevel: 'debug', operator: { settleMs: 9, seed: 3 } });
  });

  it('list every fault at once', () => {
    const { faults } = readSettings(
      { kubeconfig: 'k' },
      { server: 'http://x', level: 'info', logLevel: 'loud', context: 3 },
    );
    expect(faults).toMatchInlineSnapshot(`
      [
        "level: is not a setting; the settings are procedures, server, kubeconfig, context, logLevel, operatorName, release, namespaces, workers, resyncMs, leaseNamespace, podName, settleMs, upgradePolicy, maxOpenPercent, maxStalled, progressDeadlineMs, shutdownMs, leaseDurationMs, renewDeadlineMs, retryPeriodMs, requestTimeoutMs, skewMs, seed",
        "context: found 3; allowed is a text",
        "server: found together with kubeconfig or context; allowed is one of the two ways to name an API server",
        "procedures: found nothing; allowed are names of packages or paths of modules, at least one (--package)",
        "logLevel: found "loud"; allowed are trace, debug, info, warn, error, silent",
      ]
    `);
  });

  it('keep a number that is none, for the message about it', () => {
    expect(readSettings({ workers: 'many' }, undefined).settings.operator).toEqual({ workers: 'many' });
  });

  it('must be a mapping', () => {
    expect(readSettings({}, ['a']).faults[0]).toContain('--config: found ["a"]; allowed is a mapping of settings');
  });
});
