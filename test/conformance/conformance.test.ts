// All rows against the in-memory API, in process and over HTTP, and against a real control plane where there is one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries, howToGetBinaries } from '../control-plane/binaries.ts';
import { docsAreFresh } from './docs.ts';
import type { Row } from './row.ts';
import { allRows } from './rows/index.ts';
import { judge, judgeAll } from './suite.ts';
import type { Verdict } from './suite.ts';
import { unjudged } from './target.ts';
import type { Target } from './target.ts';
import { imitated } from './targets/open.ts';
import { httpTarget, memoryTarget } from './targets/memory.ts';
import { readTranscripts } from './transcript.ts';

const transcripts = readTranscripts();
const rowTimeoutMs = 60_000;

function disagreements(verdict: Verdict | undefined): readonly string[] {
  return verdict?.outcome === 'failed' ? verdict.disagreements : [];
}

function announce(target: Target): void {
  const lines = allRows.flatMap((row) => {
    const reason =
      unjudged(row, target) ??
      (target.shared || row.notModelled === undefined ? undefined : `not modelled: ${row.notModelled}`);
    return reason === undefined ? [] : [`  ${row.id}  ${row.title}\n      ${reason}`];
  });
  if (lines.length > 0) console.warn([`${target.name} does not judge:`, ...lines].join('\n'));
}

describe.each([memoryTarget(imitated), httpTarget(imitated)])('the API, $name', (target) => {
  beforeAll(() => {
    announce(target);
  });

  const rows = allRows.filter((row) => unjudged(row, target) === undefined);
  it.concurrent.each(rows.map((row): [string, string, Row] => [row.id, row.title, row]))(
    '%s: %s',
    async (_, __, row) => {
      expect(disagreements(await judge(row, target, transcripts))).toEqual([]);
    },
    rowTimeoutMs,
  );
});

const useCluster = process.env['PAWL_USE_KUBECONFIG'] === '1';
const present = useCluster || findBinaries() !== undefined;
const required = process.env['PAWL_REQUIRE_CONTROL_PLANE'] === '1';

function withControlPlane(): void {
  let target: Target | undefined;
  let verdicts: readonly Verdict[] = [];

  beforeAll(async () => {
    const { controlPlaneTarget } = await import('./targets/control-plane.ts');
    target = await controlPlaneTarget();
    announce(target);
    verdicts = await judgeAll(allRows, target, transcripts);
  }, 600_000);

  afterAll(async () => {
    await target?.close();
  }, 60_000);

  it.each(allRows.map((row): [string, string, Row] => [row.id, row.title, row]))('%s: %s', (_, __, row) => {
    expect(disagreements(verdicts.find((one) => one.row === row))).toEqual([]);
  });

  it('judges almost all rows', () => {
    expect(verdicts.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(allRows.length * 0.9);
  });
}

function withoutControlPlane(): void {
  it('says what is not checked here', () => {
    const text = `No row was judged by a real control plane: ${howToGetBinaries}.`;
    if (required) throw new Error(text);
    console.warn(text);
  });
}

if (present) describe('a real control plane', withControlPlane);
else describe('without a real control plane', withoutControlPlane);

describe('the rows', () => {
  it('have ids of their own', () => {
    const ids = allRows.map(({ id }) => id.toLowerCase());
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it('include every numbered row from 1 to 162', () => {
    const ids = new Set(allRows.map(({ id }) => id));
    expect(Array.from({ length: 162 }, (_, i) => String(i + 1)).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('are what docs/conformance.md was generated from', () => {
    expect(docsAreFresh(), 'run `npm run conformance -- --write-docs`').toBe(true);
  });
});
