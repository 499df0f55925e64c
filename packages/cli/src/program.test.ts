import { describe, expect, it } from 'vitest';
import { runProgram } from './program.ts';
import { fakePorts } from './testing/fake-ports.ts';

async function run(...args: readonly string[]): Promise<{ code: number; output: string; errors: string }> {
  const ports = fakePorts();
  const code = await runProgram(args, ports, 0);
  return { code, output: ports.output(), errors: ports.errors() };
}

/** Loads what the verb needs, which may take a while on a busy machine. */
const LOADING = { timeout: 60_000 };

describe('the command', () => {
  it('shows its verbs in groups', async () => {
    const { code, output } = await run('--help');
    expect(code).toBe(0);
    expect(output).toMatch(/Write an operator:\n {2}demo /);
    expect(output).toMatch(/Release an operator:\n(?: {2}.*\n)* {2}run /);
  });

  it('names the verbs when it does not know one', async () => {
    const { code, errors } = await run('dmo');
    expect(code).toBe(1);
    expect(errors).toContain("unknown command 'dmo'");
    expect(errors).toMatch(/the commands are: demo, .*run\n/);
  });

  it('names the flags of a verb when it does not know one', async () => {
    const { code, errors } = await run('demo', '--prt', '3');
    expect(code).toBe(1);
    expect(errors).toContain('the flags of demo are: --port, --exit-when-ready, --timeout, --pause, --example, --help');
  });

  it('says which values a flag takes', async () => {
    expect((await run('demo', '--port', '70000')).errors).toContain('Allowed is a whole number from 0 to 65535.');
  });

  it('says what an example must be', LOADING, async () => {
    const { code, errors } = await run('demo', '--example', 'nowhere');
    expect(code).toBe(1);
    expect(errors).toBe(
      'error: --example: found /home/author/nowhere, which has no website.yaml, src/release-1.ts, src/index.ts; allowed is a folder laid out as examples/website\n',
    );
  });
});
