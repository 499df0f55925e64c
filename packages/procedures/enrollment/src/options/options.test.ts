import { describe, expect, it } from 'vitest';
import type { EnrollmentSpec } from '../api.ts';
import { parseDuration } from './duration.ts';
import { readOptions } from './options.ts';
import { allowedOf, parseLimit } from './share.ts';

const plain: EnrollmentSpec = { source: { static: [] }, sink: { plugin: { name: 'nfs' } } };
function read(more: Partial<EnrollmentSpec>) {
  const result = readOptions({ ...plain, ...more });
  if ('faults' in result) throw new Error(result.faults.join('\n'));
  return result.options;
}

describe('options', () => {
  it('hold back by default where something could be lost', () => {
    expect(read({})).toMatchObject({
      onSourceKeyError: 'Hold',
      onEnrolledKeyError: 'Hold',
      allowEmptySource: false,
      adopt: 'Never',
      deletionPolicy: 'Orphan',
      duplicates: 'Report',
      drift: 'Update',
      syncIntervalMs: 5_000,
      concurrency: 8,
    });
  });

  it('are refused as a whole, with every fault', () => {
    const spec = {
      source: {},
      sink: { ...plain.sink, template: { apiVersion: 'v1', kind: 'X' }, properties: { a: '{{ x | nope }}' } },
      keys: { source: '{{' },
      syncInterval: '500ms',
      concurrency: 0,
      policy: { drift: 'Maybe', maxRemovals: '130%', batchSize: 0 },
    };
    expect(() => read(spec)).toThrow(
      /^spec\.source: found none.*\nspec\.sink: found template and plugin.*\nspec\.syncInterval: found "500ms"; allowed is a duration of at least 1s/,
    );
    expect(() => read(spec)).toThrow(
      /spec\.concurrency: found 0.*\nspec\.policy\.batchSize.*\nspec\.policy\.maxRemovals: found "130%"/,
    );
    expect(() => read(spec)).toThrow(/spec\.policy\.drift: found "Maybe"; allowed are Ignore, Update, Recreate/);
    expect(() => read(spec)).toThrow(/spec\.sink\.properties\.a: undefined filter: nope/);
  });

  it("may bear the names of InfraKit's controller", () => {
    const options = read({
      options: {
        SyncInterval: '1m30s',
        DestroyOnTerminate: true,
        SourceParseErrPolicy: 'EnableDestroy',
        EnrollmentParseErrPolicy: 'EnableProvision',
        SourceKeySelector: '\\{\\{ .Properties.host.name \\}\\}-{{.ID}}',
      },
    });
    expect(options).toMatchObject({
      syncIntervalMs: 90_000,
      deletionPolicy: 'Delete',
      onSourceKeyError: 'Destroy',
      onEnrolledKeyError: 'Provision',
    });
    expect(options.sourceKey?.({ id: 'a', properties: { host: { name: 'x' } } })).toBe('x-a');
    expect(read({ policy: { onSourceKeyError: 'DisableDestroy' } }).onSourceKeyError).toBe('Hold');
  });

  it('are not taken from two places, nor from a template that says more than a field', () => {
    expect(() => read({ syncInterval: '5s', options: { SyncInterval: '6s' } })).toThrow(
      'spec.options.SyncInterval: found together with spec.syncInterval',
    );
    expect(() => read({ options: { SourceKeySelector: '{{ index .Tags "a" }}' } })).toThrow(
      'anything else belongs into spec.keys',
    );
  });
});

describe('durations and limits', () => {
  it('are read as people write them', () => {
    expect(['5s', '1m30s', '2h', '500ms', '5', '', '-1s', '1.5s'].map(parseDuration)).toEqual([
      5_000,
      90_000,
      7_200_000,
      500,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('count things or a share of them; a share allows at least one', () => {
    const of = (value: number | string, total: number): number | undefined => {
      const limit = parseLimit(value);
      return limit === undefined ? undefined : allowedOf(limit, total);
    };
    expect([of(3, 10), of('3', 10), of('30%', 10), of('30%', 2), of('0%', 10), of(0, 10)]).toEqual([3, 3, 3, 1, 0, 0]);
    expect([of('x', 1), of(-1, 1), of(1.5, 1), of('101%', 1)]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
