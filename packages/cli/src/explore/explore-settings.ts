// What the flags of `pawl explore` say, with every fault at once.
import { resolve } from 'node:path';
import { MODES, type ModeName } from '@pawl/testkit';
import type { ExampleObject } from '@pawl/reconciler/kubernetes';
import { parseAllDocuments } from 'yaml';
import { FaultList } from '../fault-list.ts';
import type { Ports } from '../ports.ts';

export interface ExploreFlags {
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
  const plan = replay === undefined ? undefined : await faults.during(() => ports.files.read(resolve(ports.workingFolder, replay)));
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
    ...(plan === undefined ? {} : { replay: plan }),
  };
}

async function documents(file: string, ports: Ports, faults: FaultList): Promise<readonly object[]> {
  const read = await faults.during(async () => parseAllDocuments(await ports.files.read(resolve(ports.workingFolder, file))));
  const values = (read ?? []).map((document): unknown => ('toJS' in document ? document.toJS() : undefined));
  const objects = values.filter((value) => typeof value === 'object' && value !== null);
  if (read !== undefined && objects.length === 0) faults.add(`${file}: found no object; allowed is YAML or JSON with objects`);
  return objects;
}
