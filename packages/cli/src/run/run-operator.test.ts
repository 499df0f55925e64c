import { describe, expect, it } from 'vitest';
import { runProgram } from '../program.ts';
import { fakePorts } from '../testing/fake-ports.ts';
import { jsonLog } from './json-log.ts';

/** Loads what the verb needs, which may take a while on a busy machine. */
const LOADING = { timeout: 60_000 };

describe('pawl run', () => {
  it('lists every fault of its input at start and ends with 1', LOADING, async () => {
    const ports = fakePorts({ '/work/etc/pawl.yaml': 'workers: 0\ncolour: red\n' });
    const args = [
      'run',
      '--config',
      'etc/pawl.yaml',
      '--package',
      './none.ts',
      '--log-level',
      'loud',
      '--server',
      'ftp://x',
    ];
    expect(await runProgram(args, ports, 0)).toBe(1);
    const told = ports.errors();
    expect(told).toContain('error: colour: is not a setting; the settings are procedures, ');
    expect(told).toContain('error: logLevel: found "loud"; allowed are trace, debug, info, warn, error, silent');
    expect(told).toContain('error: procedures: found "./none.ts", which cannot be loaded');
    expect(told).toContain('error: workers: found 0; allowed is a whole number from 1 to 256');
    expect(told).toContain('ftp');
  });

  it('says why a configuration cannot be read', LOADING, async () => {
    const ports = fakePorts({ '/work/bad.yaml': 'a: [' });
    expect(await runProgram(['run', '--config', 'bad.yaml', '--package', './x.ts'], ports, 0)).toBe(1);
    expect(ports.errors()).toMatch(
      /error: --config: found bad\.yaml, which cannot be read \(.+\); allowed is a YAML file with settings/,
    );
  });
});

describe('the log', () => {
  it('writes one line an entry, from its level on', () => {
    const lines: string[] = [];
    const log = jsonLog(
      'warn',
      (line) => lines.push(line),
      () => 7,
    );
    log.info({ a: 1 }, 'left out');
    log.error({ kind: 'Website', err: new TypeError('boom') }, 'it failed');
    expect(lines).toHaveLength(1);
    const entry: unknown = JSON.parse(lines[0] ?? '');
    expect(entry).toMatchObject({
      level: 50,
      time: 7,
      kind: 'Website',
      err: { type: 'TypeError', message: 'boom' },
      msg: 'it failed',
    });
  });

  it('can be silent', () => {
    const lines: string[] = [];
    jsonLog(
      'silent',
      (line) => lines.push(line),
      () => 7,
    ).error({}, 'x');
    expect(lines).toEqual([]);
  });
});
