// What the flags of `pawl explore` say about states from files, and about what is not compared.
import { operatorConfig, type OperatorConfigInput } from '@pawl/operator';
import { parseLock, type ProceduresLock } from '@pawl/reconciler';
import { MOMENTS, parseStartState, type Moments, type StartState } from '@pawl/testkit';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { FaultList } from '../fault-list.ts';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';

export interface StateFlags {
  readonly from?: string;
  readonly recorded?: string;
  readonly record?: string;
  readonly moments?: string;
  readonly lock?: string;
  readonly support?: string;
  readonly config?: string;
  readonly mask?: readonly string[];
  readonly mayTouch?: readonly string[];
}

/** A field that is not compared, and why. */
export interface FieldMask {
  readonly kind: string;
  readonly path: readonly string[];
  readonly why: string;
}

/** Plain data. Folders are absolute. */
export interface StateSettings {
  readonly from?: StartState;
  readonly recorded?: string;
  readonly record?: { readonly folder: string; /** As it was typed. */ readonly named: string; readonly moments: Moments };
  readonly released?: { readonly lock: ProceduresLock; readonly support?: string };
  readonly config?: OperatorConfigInput;
  readonly masks: readonly FieldMask[];
  readonly mayTouch: readonly { readonly path: string; readonly why: string }[];
}

const LOCK = 'procedures.lock';

/** Adds faults instead of throwing, so that all flags are told about at once. */
export async function stateSettings(flags: StateFlags, ports: Ports, faults: FaultList): Promise<StateSettings> {
  const { from, recorded, record, moments, mask = [], mayTouch = [] } = flags;
  const wanted = MOMENTS.find((name) => name === (moments ?? 'all'));
  if (wanted === undefined) faults.add(`--moments: found ${moments ?? ''}; allowed are ${MOMENTS.join(', ')}`);
  if ([from, recorded, record].filter((flag) => flag !== undefined).length > 1)
    faults.add('--from, --recorded, --record: found several; allowed is one of them');
  const read = (file: string): Promise<string> => ports.files.read(resolve(ports.workingFolder, file));
  const state = from === undefined ? undefined : await faults.during(async () => parseStartState(yamlOf(await read(from), from), from));
  const released = await releasedIn(flags, ports, faults);
  const config = flags.config === undefined ? undefined : await faults.during(() => configIn(flags.config ?? '', read));
  return {
    ...(state === undefined ? {} : { from: state }),
    ...(recorded === undefined ? {} : { recorded: resolve(ports.workingFolder, recorded) }),
    ...(record === undefined ? {} : { record: { folder: resolve(ports.workingFolder, record), named: record, moments: wanted ?? 'all' } }),
    ...(released === undefined ? {} : { released }),
    ...(config === undefined ? {} : { config }),
    masks: mask.flatMap((text) => maskOf(text, faults)),
    mayTouch: mayTouch.flatMap((text) => touchOf(text, faults)),
  };
}

function yamlOf(text: string, file: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new InputError([`${file}: is neither YAML nor JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Only what also holds while exploring: kinds that objects name, and external systems. */
async function configIn(file: string, read: (file: string) => Promise<string>): Promise<OperatorConfigInput> {
  const value = (parse(await read(file)) ?? {}) as OperatorConfigInput;
  const { openKinds = {}, external = {} } = value;
  operatorConfig({ operatorName: 'explore', openKinds, external });
  return { openKinds, external };
}

/** The lock of the working folder counts only beside recorded states, if there is one. */
async function releasedIn({ lock, support, recorded }: StateFlags, ports: Ports, faults: FaultList): Promise<StateSettings['released']> {
  const path = resolve(ports.workingFolder, lock ?? LOCK);
  if (lock === undefined && (recorded === undefined || !ports.files.exists(path))) return undefined;
  const parsed = await faults.during(async () => parseLock(await ports.files.read(path)));
  return parsed === undefined ? undefined : { lock: parsed, ...(support === undefined ? {} : { support }) };
}

function maskOf(text: string, faults: FaultList): readonly FieldMask[] {
  const [, kind, path, why] = /^(\w+):([^=\s]+)=(.+)$/.exec(text) ?? [];
  if (kind !== undefined && path !== undefined && why !== undefined) return [{ kind, path: path.split('.'), why }];
  faults.add(`--mask: found ${text}; allowed is KIND:FIELD=WHY, such as "Secret:data.password=made up once"`);
  return [];
}

function touchOf(text: string, faults: FaultList): readonly { readonly path: string; readonly why: string }[] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [{ path: text.slice(0, at), why: text.slice(at + 1) }];
  faults.add(`--may-touch: found ${text}; allowed is PATH=WHY, such as "liquidjs=it limits how long a template may render"`);
  return [];
}
