// What a spec asks for, checked and compiled. Pure; all faults at once.
import type { EnrollmentSpec, SinkSpec, SourceSpec } from '../api.ts';
import type { Desired } from '../delta/member.ts';
import { withoutAliases } from './aliases.ts';
import { parseDuration } from './duration.ts';
import {
  readPolicy,
  type Adopt,
  type DeletionPolicy,
  type Drift,
  type Duplicates,
  type OnEnrolledKeyError,
  type OnSourceKeyError,
} from './policies.ts';
import { parseLimit, type Limit } from './share.ts';
import { compileValue, type Compiled, type Parsed } from './template.ts';

export interface Options {
  readonly source: SourceSpec;
  readonly sink: SinkSpec;
  /** Absent: the id. */
  readonly sourceKey?: Compiled;
  /** Absent: what the entry carries of its member. */
  readonly enrolledKey?: Compiled;
  /** The entry's content; absent: see {@link SinkSpec.properties}. */
  readonly properties?: Compiled;
  /** Absent: made of the Enrollment's name and the key. */
  readonly name?: Compiled;
  readonly onSourceKeyError: OnSourceKeyError;
  readonly onEnrolledKeyError: OnEnrolledKeyError;
  readonly drift: Drift;
  readonly batchSize: number;
  readonly duplicates: Duplicates;
  readonly adopt: Adopt;
  readonly allowEmptySource: boolean;
  /** Absent: no limit. */
  readonly maxRemovals?: Limit;
  /** Milliseconds in which an entry may be released before it is removed; absent: it is removed at once. */
  readonly releaseTimeoutMs?: number;
  readonly syncIntervalMs: number;
  readonly deletionPolicy: DeletionPolicy;
  readonly concurrency: number;
  /** What was made for a member, as long as neither the member nor these options change. */
  readonly made: WeakMap<object, Desired>;
}

/** Milliseconds. */
const INTERVAL = { least: 1_000, fallback: '5s' } as const;
const CONCURRENCY = { most: 64, fallback: 8 } as const;

export type OptionsResult = { readonly options: Options } | { readonly faults: readonly string[] };

/** Checks a spec, also what the schema checks already: an object may be older than the schema. */
export function readOptions(given: EnrollmentSpec): OptionsResult {
  const faults: string[] = [];
  const spec = withoutAliases(given, faults);
  exactlyOne('spec.source', spec.source, ['static', 'selector', 'plugin'], faults);
  exactlyOne('spec.sink', spec.sink, ['template', 'plugin'], faults);
  const { policy = {}, keys = {}, sink, source, concurrency = CONCURRENCY.fallback } = spec;
  const syncIntervalMs = parseDuration(spec.syncInterval ?? INTERVAL.fallback) ?? 0;
  if (syncIntervalMs < INTERVAL.least)
    faults.push(
      `spec.syncInterval: found ${JSON.stringify(spec.syncInterval)}; allowed is a duration of at least 1s, such as 5s or 1m30s`,
    );
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY.most)
    faults.push(`spec.concurrency: found ${concurrency}; allowed is a whole number from 1 to ${CONCURRENCY.most}`);
  const { batchSize = 1 } = policy;
  if (!Number.isInteger(batchSize) || batchSize < 1)
    faults.push(`spec.policy.batchSize: found ${batchSize}; allowed is a whole number from 1`);
  const maxRemovals = policy.maxRemovals === undefined ? undefined : parseLimit(policy.maxRemovals);
  if (policy.maxRemovals !== undefined && maxRemovals === undefined)
    faults.push(
      `spec.policy.maxRemovals: found ${JSON.stringify(policy.maxRemovals)}; allowed is a number of entries, or a share such as 30%`,
    );
  const releaseTimeoutMs = policy.beforeRemoval === undefined ? undefined : parseDuration(policy.beforeRemoval.timeout);
  if (policy.beforeRemoval !== undefined && releaseTimeoutMs === undefined)
    faults.push(
      `spec.policy.beforeRemoval.timeout: found ${JSON.stringify(policy.beforeRemoval.timeout)}; allowed is a duration, such as 30s or 5m`,
    );
  const take = <N extends string, T>(name: N, parsed: Parsed<T> | undefined): { readonly [K in N]?: Compiled<T> } => {
    if (parsed === undefined) return {};
    if ('compiled' in parsed) return { [name]: parsed.compiled } as { readonly [K in N]?: Compiled<T> };
    faults.push(parsed.fault);
    return {};
  };
  const options: Options = {
    source,
    sink,
    ...take('sourceKey', textAt('spec.keys.source', keys.source)),
    ...take('enrolledKey', textAt('spec.keys.enrolled', keys.enrolled)),
    ...take(
      'properties',
      sink.properties === undefined ? undefined : compileValue(sink.properties, 'spec.sink.properties'),
    ),
    ...take('name', textAt('spec.sink.template.name', sink.template?.name)),
    onSourceKeyError: readPolicy(
      'onSourceKeyError',
      'spec.policy.onSourceKeyError',
      policy.onSourceKeyError,
      'Hold',
      faults,
    ),
    onEnrolledKeyError: readPolicy(
      'onEnrolledKeyError',
      'spec.policy.onEnrolledKeyError',
      policy.onEnrolledKeyError,
      'Hold',
      faults,
    ),
    drift: readPolicy('drift', 'spec.policy.drift', policy.drift, 'Update', faults),
    batchSize,
    duplicates: readPolicy('duplicates', 'spec.policy.duplicates', policy.duplicates, 'Report', faults),
    adopt: readPolicy('adopt', 'spec.policy.adopt', policy.adopt, 'Never', faults),
    allowEmptySource: policy.allowEmptySource ?? false,
    ...(maxRemovals === undefined ? {} : { maxRemovals }),
    ...(releaseTimeoutMs === undefined ? {} : { releaseTimeoutMs }),
    syncIntervalMs,
    deletionPolicy: readPolicy('deletionPolicy', 'spec.deletionPolicy', spec.deletionPolicy, 'Orphan', faults),
    concurrency,
    made: new WeakMap(),
  };
  return faults.length > 0 ? { faults } : { options };
}

function exactlyOne(path: string, value: object | undefined, names: readonly string[], faults: string[]): void {
  const given = names.filter((name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name] !== undefined);
  if (given.length !== 1)
    faults.push(
      `${path}: found ${given.join(' and ') || 'none of them'}; allowed is exactly one of ${names.join(', ')}`,
    );
}

function textAt(path: string, text: string | undefined): Parsed<unknown> | undefined {
  if (text === undefined) return undefined;
  return compileValue(text, path);
}
