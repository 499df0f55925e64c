// From `npm start` to Ready: the demo as a newcomer starts it, with its dependencies installed.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Benchmark, Row } from './row.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FIRST_READY_GOAL_S = 5;
/** The whole path: install, check, restart, upgrade, check. Not promised to anybody; a figure to watch. */
const UPGRADE_GOAL_S = 15;

/** The time to the first Ready, and to Ready after the upgrade. */
export const demoBenchmark: Benchmark = {
  what: 'demo',
  measure: async () => {
    const started = performance.now();
    const child = spawn('npm', ['start', '--', '--exit-when-ready', '--port', '0'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const readyAfter: number[] = [];
    for await (const text of createInterface({ input: child.stdout }))
      if (/^\[.* is Ready at /.test(text)) readyAfter.push((performance.now() - started) / 1000);
    const exitCode = await ended;
    const [first, second] = readyAfter;
    if (exitCode !== 0 || first === undefined || second === undefined)
      throw new Error(`the demo ended with exit code ${exitCode ?? 'none'} and was Ready ${readyAfter.length} times`);
    return [
      row('npm start to first Ready', FIRST_READY_GOAL_S, first),
      row('npm start to Ready after the upgrade', UPGRADE_GOAL_S, second),
    ];
  },
};

const row = (what: string, goal: number, measured: number): Row => ({ what, goal, measured, unit: 's' });
