// Recorded answers of a real server, in normal form: they hold the in-memory API to it where no real server runs.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, isMatcher, isRecord, show } from './matchers.ts';
import type { Row, Step } from './row.ts';
import type { Recorded, RowResult } from './run-row.ts';

/** What a real server answered to one row. */
export interface Transcript {
  /** Version of the server, such as `v1.35.4`. */
  readonly kubernetes: string;
  /** By position of the step, from 1. */
  readonly steps: Readonly<Record<string, Recorded>>;
}

/** By row. */
export type Transcripts = ReadonlyMap<string, Transcript>;

const folder = join(import.meta.dirname, 'transcripts');

/** All transcripts that the repository holds: one file for each area of rows. */
export function readTranscripts(): Transcripts {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    files.flatMap((name) =>
      Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, Transcript>),
    ),
  );
}

/** Writes the transcripts of one area. */
export function writeTranscripts(area: string, transcripts: Readonly<Record<string, Transcript>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${area}.json`), `${JSON.stringify(transcripts, undefined, 1)}\n`);
}

/**
 * Where the answers of a run differ from the transcript: in the members that the row names as the same, and in those of
 * which it requires less than a value. `whole`: in anything at all.
 */
export function differences(row: Row, result: RowResult, transcripts: Transcripts, whole = false): readonly string[] {
  const transcript = transcripts.get(row.id);
  if (transcript === undefined) return [];
  return row.steps.flatMap((step, i) => {
    const position = String(i + 1);
    const [real, ours] = [transcript.steps[position], result.recorded[position]];
    if (real === undefined || ours === undefined) return [];
    const compared = whole ? [[]] : closely(step);
    return compared.flatMap((path) =>
      unequal(at(real, path), at(ours, path), path).map((difference) => `step ${position}: ${difference}`),
    );
  });
}

/** Paths into a recorded answer that are compared with the real one. */
function closely(step: Step): readonly (readonly string[])[] {
  if ('events' in step) return step.expect.flatMap((event, i) => loose(event, ['events', String(i)]));
  if (!('expect' in step)) return [];
  const same = (step.expect?.same ?? []).map((path) => ['body', ...path.split('.')]);
  return [...same, ...loose(step.expect?.body, ['body']), ...loose(step.expect?.headers, ['headers'])];
}

/** Paths to the members of which an expectation says less than a value. */
function loose(expected: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (isMatcher(expected)) return expected.$ === 'text' ? [path] : [];
  if (Array.isArray(expected)) return expected.flatMap((item, i) => loose(item, [...path, String(i)]));
  if (isRecord(expected)) return Object.entries(expected).flatMap(([key, value]) => loose(value, [...path, key]));
  return [];
}

function unequal(real: unknown, ours: unknown, path: readonly string[]): readonly string[] {
  if (isRecord(real) && isRecord(ours)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])].sort();
    return keys.flatMap((key) => unequal(real[key], ours[key], [...path, key]));
  }
  if (Array.isArray(real) && Array.isArray(ours) && real.length === ours.length) {
    return real.flatMap((item, i) => unequal(item, ours[i], [...path, String(i)]));
  }
  const [wanted, found] = [comparable(real), comparable(ours)];
  return wanted === found ? [] : [`${path.join('.')}: the real server says ${show(real)}, found ${show(ours)}`];
}

/** Numbers inside of texts (the newest resourceVersion in a message, the count of a symbol) are a matter of the run. */
function comparable(value: unknown): string {
  const line = canonical(value) ?? 'nothing';
  return typeof value === 'string' ? line.replace(/\d+/g, '#') : line;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
