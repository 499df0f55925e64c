// What the flags of `pawl explore` say, with every fault at once.
import { resolve } from 'node:path';
import { MODES, type ModeName } from '@pawl/testkit';
import type { ExampleObject } from '@pawl/reconciler/kubernetes';
import { parseAllDocuments } from 'yaml';
import { FaultList } from '../fault-list.ts';
import type { Ports } from '../ports.ts';
import { stateSettings, type StateFlags, type StateSettings } from './state-settings.ts';
import { targetSettings, type TargetFlags, type TargetSettings } from './target-settings.ts';

export interface ExploreFlags extends StateFlags, TargetFlags {
  readonly package: string;
  readonly filename?: string;
  readonly edit?: readonly string[];
  readonly mode?: readonly string[];
  readonly seed: string;
  readonly budget: string;
  readonly replay?: string;
  readonly save: string;
  readonly output?: string;
}

/** Plain data, so that it can be handed to another thread. */
export interface ExploreSettings {
  readonly package: string;
  readonly folder: string;
  readonly objects?: readonly ExampleObject[];
  readonly edits: readonly object[];
  /** Absent: the default. */
  readonly modes?: readonly ModeName[];
  readonly seed: number;
  readonly budgetMs: number;
  readonly output: 'text' | 'json' | 'junit';
  /** Text of the file with a plan. */
  readonly replay?: string;
  readonly states: StateSettings;
  /** Absent: the simulation alone. */
  readonly target?: TargetSettings;
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const OUTPUTS = ['text', 'json', 'junit'] as const;

/** @throws {InputError} with every fault */
export async function exploreSettings(flags: ExploreFlags, ports: Ports): Promise<ExploreSettings> {
  const faults = new FaultList();
  const { seed, budget, mode, output = 'text', replay, edit = [], filename } = flags;
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(budget) ?? [];
  if (amount === undefined || Number(amount) <= 0) faults.add(`--budget: found ${budget}; allowed is a time such as 20s or 5m`);
  if (!Number.isSafeInteger(Number(seed)) || seed.trim() === '') faults.add(`--seed: found ${seed}; allowed is a whole number`);
  const known = OUTPUTS.find((name) => name === output);
  if (known === undefined) faults.add(`--output: found ${output}; allowed are json and junit`);
  for (const name of mode ?? [])
    if (name !== 'all' && !MODES.some((one) => one === name))
      faults.add(`--mode: found ${name}; allowed are ${MODES.join(', ')} and all`);
  const objects = filename === undefined ? undefined : await documents(filename, ports, faults);
  const edits = await Promise.all(edit.map((file) => documents(file, ports, faults)));
  const states = await stateSettings(flags, ports, faults);
  if (flags.from !== undefined && (mode !== undefined || filename !== undefined || edit.length > 0))
    faults.add('--from: found together with --mode, --edit or -f; allowed is --from alone: the state holds the objects, and there is one way to explore it');
  if (mode?.includes('recorded') === true && flags.recorded === undefined) faults.add('--mode: found recorded without --recorded, the folder with the states');
  const plan = replay === undefined ? undefined : await faults.during(() => ports.files.read(resolve(ports.workingFolder, replay)));
  const begun = Object.entries({ '--from': flags.from, '--recorded': flags.recorded, '--record': flags.record }).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  const target = await targetSettings(flags, { replay: plan, output: flags.output, states: begun }, faults);
  faults.throwIfAny();
  const modes = mode?.includes('all') === true ? MODES : MODES.filter((one) => mode?.includes(one) === true);
  return {
    package: flags.package,
    folder: ports.workingFolder,
    ...(objects === undefined ? {} : { objects: objects as readonly ExampleObject[] }),
    edits: edits.flat(),
    ...(mode === undefined ? {} : { modes }),
    seed: Number(seed),
    budgetMs: Number(amount) * (UNITS_MS[unit] ?? 1_000),
    output: known ?? 'text',
    states,
    ...(plan === undefined ? {} : { replay: plan }),
    ...(target === undefined ? {} : { target }),
  };
}

async function documents(file: string, ports: Ports, faults: FaultList): Promise<readonly object[]> {
  const read = await faults.during(async () => parseAllDocuments(await ports.files.read(resolve(ports.workingFolder, file))));
  const values = (read ?? []).map((document): unknown => ('toJS' in document ? document.toJS() : undefined));
  const objects = values.filter((value) => typeof value === 'object' && value !== null);
  if (read !== undefined && objects.length === 0) faults.add(`${file}: found no object; allowed is YAML or JSON with objects`);
  return objects;
}
