// States from files, on the side of the exploring thread: what they make of its options, and recording them.
import { compareVersions } from '@pawl/reconciler';
import { ANNOTATIONS, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { readStartStates, recordedVersions, recordStates, writeStartStates, type ExploreOptions, type Mask } from '@pawl/testkit';
import { join, relative } from 'node:path';
import { InputError } from '../input-error.ts';
import type { FieldMask, StateSettings } from './state-settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** @throws Error with every fault of the files */
export async function stateOptions({ from, recorded, released, config, masks, mayTouch }: StateSettings, explored: ProcedurePackage): Promise<Partial<ExploreOptions>> {
  if (released !== undefined && released.lock.package !== explored.name)
    throw new InputError([`--lock: found the lock of package ${released.lock.package}; allowed is that of ${explored.name}`]);
  return {
    ...(from === undefined ? {} : { from }),
    ...(recorded === undefined ? {} : { recorded: await readStartStates(recorded) }),
    ...(released === undefined ? {} : { released }),
    ...(config === undefined ? {} : { config }),
    masks: masks.map(fieldMask),
    mayTouch,
  };
}

/**
 * Writes what the versions of a package leave. What stands in the folder already is history and stays as it is.
 * @returns what was done, for people
 */
export async function recordInto({ folder, named, moments }: NonNullable<StateSettings['record']>, from: ProcedurePackage, options: ExploreOptions): Promise<string> {
  const known = await recordedVersions(folder);
  const versions = [...new Set(from.kinds.flatMap(({ procedures }) => procedures.map(({ version }) => version)))].toSorted(compareVersions);
  const wanted = versions.filter((version) => !known.includes(version));
  const written = wanted.length === 0 ? [] : await writeStartStates(folder, await recordStates(from, { ...options, versions: wanted, moments }));
  const kept = versions.filter((version) => known.includes(version));
  return [
    ...written.map((path) => join(named, relative(folder, path))),
    `${written.length} states of ${wanted.join(', ') || 'no version'} were recorded`,
    ...kept.map((version) => `${version} stands in the folder already and was left as it is; delete ${join(named, version)} to record it anew`),
    '',
  ].join('\n');
}

/** Takes a field out of the objects of a kind, and the fingerprint that follows from it. */
function fieldMask({ kind, path, why }: FieldMask): Mask {
  const without = (value: unknown, [field = '', ...rest]: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null || !(field in value)) return value;
    const { [field]: found, ...others } = value as Json;
    return rest.length === 0 ? others : { ...others, [field]: without(found, rest) };
  };
  return {
    says: `${path.join('.')} of ${kind} is not compared: ${why}`,
    apply: (object) => (object['kind'] === kind ? (without(without(object, path), ['metadata', 'annotations', ANNOTATIONS.applied]) as Json) : object),
  };
}
