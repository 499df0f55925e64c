import { describe, expect, it } from 'vitest';
import { variableOf } from './environment.ts';
import { FIELDS, readSettings } from './run-settings.ts';

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
        proceduresAreFromFile: false,
        connection: { server: 'http://127.0.0.1:1' },
        logLevel: 'info',
        operator: { operatorName: 'web', namespaces: ['x'], workers: 2 },
      },
      faults: [],
      strayVariables: [],
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
        "level: is not a setting; the settings are procedures, server, kubeconfig, context, logLevel, operatorName, release, namespaces, labelSelector, fieldSelector, workers, resyncMs, leaseNamespace, podName, podNamespace, podUid, settleMs, healthPort, upgradePolicy, onStranded, maxOpenPercent, maxStalled, progressDeadlineMs, clientQps, clientBurst, shutdownMs, watchdogMs, leaseDurationMs, renewDeadlineMs, retryPeriodMs, requestTimeoutMs, skewMs, openKinds, external, seed",
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

  it('come from the environment, which wins over the file and not over flags', () => {
    const environment = {
      PAWL_WORKERS: '3',
      PAWL_LOG_LEVEL: 'error',
      PAWL_NAMESPACES: 'shop, blog',
      PAWL_HEALTH_PORT: '8080',
      PAWL_OPEN_KINDS: '{"sink":[{"apiVersion":"v1","kind":"ConfigMap","plural":"configmaps"}]}',
      PAWL_RELEASE: ' ',
    };
    const { settings, faults } = readSettings({ workers: '2' }, { procedures: ['b'], workers: 1, logLevel: 'warn' }, environment);
    expect(faults).toEqual([]);
    expect(settings).toEqual({
      procedures: ['b'],
      proceduresAreFromFile: true,
      connection: {},
      logLevel: 'error',
      operator: {
        workers: 2,
        namespaces: ['shop', 'blog'],
        healthPort: 8080,
        openKinds: { sink: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }] },
      },
    });
  });

  it('may come from the environment alone, each of them', () => {
    for (const field of FIELDS.filter((known) => known !== 'procedures' && known !== 'logLevel')) {
      const { settings, strayVariables } = readSettings({ package: ['b'] }, undefined, { [variableOf(field)]: '7' });
      expect(strayVariables).toEqual([]);
      expect(JSON.stringify(settings)).toContain('7');
    }
  });

  it('keep what is wrong in a variable for the message about it', () => {
    const { settings, faults } = readSettings({}, undefined, { PAWL_WORKERS: 'many', PAWL_LOG_LEVEL: 'loud', PAWL_PROCEDURES: 'a' });
    expect(settings.operator).toEqual({ workers: 'many' });
    expect(faults).toEqual(['logLevel: found "loud"; allowed are trace, debug, info, warn, error, silent']);
  });

  it('name variables that are no settings, but not those that Kubernetes sets for a Service', () => {
    const environment = { PAWL_WORKER: '3', PAWL_WEB_SERVICE_HOST: '10.0.0.1', PAWL_WEB_PORT_80_TCP_ADDR: '10.0.0.1', PATH: '/' };
    expect(readSettings({ package: ['b'] }, undefined, environment).strayVariables).toEqual(['PAWL_WORKER']);
  });

  it('must be a mapping', () => {
    expect(readSettings({}, ['a']).faults[0]).toContain('--config: found ["a"]; allowed is a mapping of settings');
  });
});
