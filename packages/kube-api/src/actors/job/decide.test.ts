// Job decisions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Live } from '../base/model.ts';
import { inShort, live, pod, reported, viewOf } from '../testing/view.ts';
import { decideJob } from './decide.ts';

const NOW = Date.parse('2024-01-01T01:00:00Z');
const STARTED = { startTime: '2024-01-01T00:59:00Z' };

const job = (spec: JsonObject = {}, status: JsonObject = STARTED): Live =>
  live(
    'batch/v1',
    'Job',
    { name: 'task' },
    { spec: { completions: 1, parallelism: 1, template: { spec: { containers: [] } }, ...spec }, status },
  );
const run = (owner: Live, name: string, phase?: string): Live =>
  pod(name, owner, {}, phase === undefined ? { ready: 0 } : { phase });
const decide = (...objects: readonly Live[]): ReturnType<typeof decideJob> =>
  decideJob('default/task', viewOf(...objects), NOW);

describe('a Job', () => {
  it('runs as many pods at once as its parallelism and what is missing allow', () => {
    const many = job({ completions: 3, parallelism: 2 });
    expect(inShort(decide(many))).toEqual(['create Pod task-*', 'create Pod task-*']);
    expect(inShort(decide(many, run(many, 'a', 'Succeeded'), run(many, 'b', 'Succeeded')))).toEqual([
      'create Pod task-*',
    ]);
  });

  it('runs another pod after a failure, up to its limit', () => {
    const twice = job({ backoffLimit: 1 });
    expect(inShort(decide(twice, run(twice, 'a', 'Failed')))).toEqual(['create Pod task-*']);
    const decision = decide(twice, run(twice, 'a', 'Failed'), run(twice, 'b', 'Failed'));
    expect(inShort(decision)).toEqual([]);
    expect(reported(decision)?.['conditions']).toContainEqual(
      expect.objectContaining({ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }),
    );
  });

  it('is complete when enough pods have succeeded', () => {
    const one = job();
    const status = reported(decide(one, run(one, 'a', 'Succeeded')));
    expect(status).toMatchObject({ succeeded: 1, completionTime: '2024-01-01T01:00:00Z' });
    expect(status?.['conditions']).toContainEqual(expect.objectContaining({ type: 'Complete', status: 'True' }));
  });

  it('fails at its deadline, and takes its pods away', () => {
    const late = job({ activeDeadlineSeconds: 60 });
    expect(inShort(decide(late, run(late, 'a')))).toEqual(['delete Pod a']);
    const early = job({ activeDeadlineSeconds: 90 });
    expect(decide(early, run(early, 'a')).againAfterMs).toBe(30_000);
  });

  it('runs nothing while suspended', () => {
    const held = job({ suspend: true });
    expect(inShort(decide(held, run(held, 'a')))).toEqual(['delete Pod a']);
    expect(reported(decide(held))?.['conditions']).toContainEqual(
      expect.objectContaining({ type: 'Suspended', status: 'True' }),
    );
  });

  it('goes when its time to live is over', () => {
    const finished = (ttlSecondsAfterFinished: number): Live =>
      job(
        { ttlSecondsAfterFinished },
        { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2024-01-01T00:59:50Z' }] },
      );
    expect(decide(finished(30)).againAfterMs).toBe(20_000);
    expect(inShort(decide(finished(5)))).toEqual(['delete Job task']);
  });
});
