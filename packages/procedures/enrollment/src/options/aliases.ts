// The options of InfraKit's enrollment controller, under their own names, as the fields that mean the same. Pure.
import type { EnrollmentSpec, UpstreamOptions } from '../api.ts';

/** The spec with its options where they belong. A meaning that is given twice is a fault. */
export function withoutAliases(spec: EnrollmentSpec, faults: string[]): EnrollmentSpec {
  const { options, ...rest } = spec;
  if (options === undefined) return spec;
  const chosen = <T>(
    alias: keyof UpstreamOptions,
    path: string,
    value: T | undefined,
    given: T | undefined,
  ): T | undefined => {
    if (value !== undefined && given !== undefined)
      faults.push(`spec.options.${alias}: found together with ${path}, which means the same; allowed is one of them`);
    return given ?? value;
  };
  const { keys = {}, policy = {} } = spec;
  const deletionPolicy =
    options.DestroyOnTerminate === undefined ? undefined : options.DestroyOnTerminate ? 'Delete' : 'Orphan';
  return {
    ...rest,
    ...present({
      syncInterval: chosen('SyncInterval', 'spec.syncInterval', options.SyncInterval, spec.syncInterval),
      deletionPolicy: chosen('DestroyOnTerminate', 'spec.deletionPolicy', deletionPolicy, spec.deletionPolicy),
    }),
    keys: present({
      source: chosen(
        'SourceKeySelector',
        'spec.keys.source',
        liquidOf('SourceKeySelector', options.SourceKeySelector, faults),
        keys.source,
      ),
      enrolled: chosen(
        'EnrollmentKeySelector',
        'spec.keys.enrolled',
        liquidOf('EnrollmentKeySelector', options.EnrollmentKeySelector, faults),
        keys.enrolled,
      ),
    }),
    policy: {
      ...policy,
      ...present({
        onSourceKeyError: chosen(
          'SourceParseErrPolicy',
          'spec.policy.onSourceKeyError',
          options.SourceParseErrPolicy,
          policy.onSourceKeyError,
        ),
        onEnrolledKeyError: chosen(
          'EnrollmentParseErrPolicy',
          'spec.policy.onEnrolledKeyError',
          options.EnrollmentParseErrPolicy,
          policy.onEnrolledKeyError,
        ),
      }),
    },
  };
}

const FIELD = /\{\{\s*\.(ID|LogicalID|Tags|Properties)((?:\.[A-Za-z_]\w*)*)\s*\}\}/g;
const NAMES: Readonly<Record<string, string>> = {
  ID: 'id',
  LogicalID: 'logicalID',
  Tags: 'tags',
  Properties: 'properties',
};

/** Go templates that only name fields, with or without escaped braces; what does more is to be written anew. */
function liquidOf(alias: keyof UpstreamOptions, text: string | undefined, faults: string[]): string | undefined {
  if (text === undefined || text === '') return undefined;
  const plain = text.replaceAll('\\{', '{').replaceAll('\\}', '}');
  const liquid = plain.replaceAll(FIELD, (_all, name: string, path: string) => `{{ ${NAMES[name]}${path} }}`);
  if (plain.replaceAll(FIELD, '').includes('{{'))
    faults.push(
      `spec.options.${alias}: found ${JSON.stringify(text)}; allowed are fields such as \\{\\{ .ID \\}\\}; anything else belongs into spec.keys`,
    );
  return liquid;
}

function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
