import { describe, expect, it } from 'vitest';
import { runProgram } from '../program.ts';
import { fakePorts } from '../testing/fake-ports.ts';
import { terminationText } from './termination.ts';

/** Loads what the verb needs, which may take a while on a busy machine. */
const LOADING = { timeout: 60_000 };

describe('pawl run', () => {
  it('lists every fault of its input at start and ends with 1', LOADING, async () => {
    const ports = fakePorts({ '/home/author/etc/pawl.yaml': 'workers: 0\ncolour: red\n' });
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

  it('leaves what is wrong as the termination message', LOADING, async () => {
    const written = new Map<string, string>();
    const fake = fakePorts();
    const files = {
      ...fake.files,
      write: (path: string, text: string) => {
        written.set(path, text);
        return Promise.resolve();
      },
    };
    const environment = { TERMINATION_MESSAGE_PATH: '/tmp/last-words', PAWL_WORKERS: '0' };
    expect(await runProgram(['run', '--package', './none.ts'], { ...fake, files, environment }, 0)).toBe(1);
    expect(written.get('/tmp/last-words')).toMatch(
      /^The operator was not started\. Correct these settings:\n[^]*workers: found 0; allowed is a whole number from 1 to 256/,
    );
  });

  it('says why a configuration cannot be read', LOADING, async () => {
    const ports = fakePorts({ '/home/author/bad.yaml': 'a: [' });
    expect(await runProgram(['run', '--config', 'bad.yaml', '--package', './x.ts'], ports, 0)).toBe(1);
    expect(ports.errors()).toMatch(
      /error: --config: found bad\.yaml, which cannot be read \(.+\); allowed is a YAML file with settings/,
    );
  });
});

describe('a termination message', () => {
  it('is cut to what Kubernetes keeps, never within a character', () => {
    const text = terminationText(['é'.repeat(4_000)]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
    expect(text).toMatch(/^é+\.\.\.$/);
  });
});
