import { dirname } from 'node:path';
import { createApiServer } from '@pawl/kube-api';
import { describe, expect, it } from 'vitest';
import { inProcess } from '../testing/in-process.ts';
import { exampleFolder } from './example.ts';
import type { DemoOptions } from './options.ts';
import { runDemo } from './run-demo.ts';

const SLOW = { timeout: 60_000 };

const options: DemoOptions = {
  port: 0,
  exitWhenReady: true,
  timeoutMs: 50_000,
  upgradeAfterMs: 0,
  podsReadyWithinMs: 0,
  example: exampleFolder(dirname(import.meta.dirname)),
  startedAtMs: performance.now(),
};

describe('the demo without a terminal', () => {
  it('installs, upgrades in place, and ends with one line that sums it up', SLOW, async () => {
    const taken = await createApiServer().listen();
    const { ports, output, files } = inProcess();
    expect(await runDemo({ ...options, port: taken.port }, ports)).toBe(0);
    await taken.close();
    const lines = output().trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/^Website default\/hello is Ready at 2\.0\.0, path 1\.0\.0 -> 2\.0\.0, \d+\.\d s$/);
    expect(output()).toContain(`port ${taken.port} is not free, another one was picked`);
    expect(output()).toContain('export KUBECONFIG=/memory/pawl-demo-1/kubeconfig');
    expect(output()).toContain('checked 3 objects: all are as a fresh install of 1.0.0 makes them');
    expect(output()).toContain('it picks 2.0.0, for the record says 1.0.0 complete, and 2.0.0 takes over from >=1.0.0');
    expect(output()).toContain('checked 3 objects: all are as a fresh install of 2.0.0 makes them');
    expect(files.size).toBe(0);
  });

  it('fails with a reason when the object is not Ready in time', SLOW, async () => {
    const idle = inProcess({ operator: (_args, { onStop }) => new Promise((resolve) => onStop(() => resolve(0))) });
    expect(await runDemo({ ...options, timeoutMs: 1 }, idle.ports)).toBe(1);
    expect(idle.output()).toContain('failed: not Ready after 0 s\n');
    expect(idle.output().endsWith('log of the operator: /memory/pawl-demo-1/operator.log\n')).toBe(true);
  });

  it('fails when the operator gives up', SLOW, async () => {
    const broken = inProcess({ operator: () => Promise.resolve(1) });
    expect(await runDemo(options, broken.ports)).toBe(1);
    expect(broken.output()).toContain('failed: the operator ended with exit code 1');
  });
});

describe('the demo in a terminal', () => {
  it('survives its keys: kill, upgrade, edit, delete, apply again, quit', SLOW, async () => {
    const { ports, output } = inProcess({
      steps: [
        { after: 'fresh install of 1.0.0 makes them', press: 'k' },
        { after: 'kills 1', press: 'u' },
        { after: 'fresh install of 2.0.0 makes them', press: 'u' },
        { after: '2.0.0 is the newest version', press: 'e' },
        { after: 'fresh install of 2.0.0 makes them', press: 'd' },
        { after: 'as after a deletion', press: 'e' },
        { after: 'fresh install of 2.0.0 makes them', press: 'q' },
      ],
    });
    expect(await runDemo({ ...options, exitWhenReady: false, upgradeAfterMs: 60_000 }, ports)).toBe(0);
    expect(output()).toContain('checked 0 objects: all are as after a deletion');
    expect(output().trimEnd().split('\n').at(-1)).toBe('quit: 1 kills, 0 wrong objects');
  });
});
