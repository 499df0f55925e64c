// What the flags of `pawl certify` say, with every fault at once.
import { exploreSettings, type ExploreSettings } from '../explore/explore-settings.ts';
import { FaultList } from '../fault-list.ts';
import type { Ports } from '../ports.ts';
import { sourceOf, type ReleasedSource } from './released.ts';

export interface CertifyFlags {
  readonly package: string;
  readonly against: string;
  readonly out: string;
  readonly filename?: string;
  readonly edit?: readonly string[];
  readonly mode?: readonly string[];
  readonly config?: string;
  readonly mask?: readonly string[];
  readonly mayTouch?: readonly string[];
  readonly seed: string;
  readonly budget: string;
  readonly replay?: string;
  readonly output?: string;
}

/** @throws {InputError} with every fault */
export async function certifySettings(flags: CertifyFlags, ports: Ports): Promise<{ readonly explored: ExploreSettings; readonly source: ReleasedSource }> {
  const faults = new FaultList();
  const { against, out, output, mode, ...rest } = flags;
  if (output !== undefined && output !== 'json') faults.add(`--output: found ${output}; allowed is json`);
  if (mode?.includes('recorded') === true) faults.add('--mode: found recorded, which begins in states from files; allowed is what begins with the released package');
  if (out.trim() === '') faults.add('--out: found nothing; allowed is a folder');
  const source = await faults.during(() => sourceOf(against, ports));
  // Everything that has something to work with is the default here, and not the modes of a test.
  const asked = mode === undefined || mode.includes('all') ? {} : { mode: mode.filter((name) => name !== 'recorded') };
  const explored = await faults.during(() => exploreSettings({ ...rest, ...asked, save: out }, ports));
  faults.throwIfAny();
  if (explored === undefined || source === undefined) throw new Error('settings without a fault are there');
  return { explored, source };
}
