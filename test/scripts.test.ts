// The scripts behind `npm start` and `npm test`, as far as they decide something.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}
type Tally = (tools: readonly boolean[], succeeded: boolean, report?: Report) => { passed: number; failed: number };

const scripts = join(import.meta.dirname, '..', 'scripts');
const load = async (name: string): Promise<unknown> => import(pathToFileURL(join(scripts, name)).href);
const { tally } = (await load('tally.mjs')) as { readonly tally: Tally };
const { installState } = (await load('installed.mjs')) as { readonly installState: (root: string) => string };

describe('the sum of a test run', () => {
  const report: Report = {
    numPassedTests: 5,
    numFailedTests: 0,
    testResults: [{ status: 'passed', assertionResults: [1] }],
  };

  it('is what vitest counted', () => {
    expect(tally([true, true], true, report)).toEqual({ passed: 5, failed: 0 });
    expect(tally([true, true], false, { ...report, numFailedTests: 2 })).toEqual({ passed: 5, failed: 2 });
  });

  it('counts each tool that failed', () => {
    expect(tally([false, false], true, report)).toEqual({ passed: 5, failed: 2 });
  });

  it('counts a file that could not be loaded', () => {
    const broken = { ...report, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(tally([true], false, broken)).toEqual({ passed: 5, failed: 1 });
  });

  it('is never green when vitest was not', () => {
    expect(tally([true], false, report)).toEqual({ passed: 5, failed: 1 });
    expect(tally([true], false)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('the state of the dependencies', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  const workspace = (installed?: string): string => {
    const root = mkdtempSync(join(tmpdir(), 'pawl-setup-'));
    folders.push(root);
    writeFileSync(join(root, 'pnpm-lock.yaml'), 'new');
    if (installed !== undefined) {
      mkdirSync(join(root, 'node_modules', '.pnpm'), { recursive: true });
      writeFileSync(join(root, 'node_modules', '.pnpm', 'lock.yaml'), installed);
    }
    return root;
  };

  it('is told by what was installed, not by times', () => {
    expect(installState(workspace())).toBe('missing');
    expect(installState(workspace('old'))).toBe('outdated');
    expect(installState(workspace('new'))).toBe('fresh');
  });
});
