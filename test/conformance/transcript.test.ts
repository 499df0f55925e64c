// Answers held against recorded ones.
import { describe, expect, it } from 'vitest';
import { text } from './matchers.ts';
import type { Row } from './row.ts';
import { answers, get } from './rows/dsl.ts';
import { differences } from './transcript.ts';

const body = { message: 'too old: 17', spec: { a: 1 }, metadata: { uid: '<uid 1>' } };
const row: Row = {
  id: 'T',
  title: 'a test',
  priority: 'P1',
  steps: [get('/x', answers(200, { message: text('^too old') }, { same: ['spec'] }))],
};
const transcripts = new Map([['T', { kubernetes: 'v1.35.4', steps: { 1: { status: 200, body } } }]]);
const compare = (ours: object, whole = false): readonly string[] =>
  differences(
    row,
    { disagreements: [], recorded: { 1: { status: 200, body: { ...body, ...ours } } } },
    transcripts,
    whole,
  );

describe('differences', () => {
  it('finds none in the same answer, whatever its numbers', () => {
    expect(compare({ message: 'too old: 23' })).toEqual([]);
  });

  it('compares a text to the letter, although the row says less', () => {
    expect(compare({ message: 'too old, sorry' })).toEqual([
      'step 1: body.message: the real server says "too old: 17", found "too old, sorry"',
    ]);
  });

  it('compares what the row names as the same, to the bottom', () => {
    expect(compare({ spec: { a: 1, b: 2 } })).toEqual(['step 1: body.spec.b: the real server says nothing, found 2']);
  });

  it('leaves the rest alone unless asked for the whole', () => {
    expect(compare({ extra: 1 })).toEqual([]);
    expect(compare({ extra: 1 }, true)).toEqual(['step 1: body.extra: the real server says nothing, found 1']);
  });
});
