// What the flags of `pawl explore` say about a real API server.
import { parsePlans, type Plan } from '@pawl/testkit';
import type { FaultList } from '../fault-list.ts';

export interface TargetFlags {
  readonly target?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes?: boolean;
  readonly sample?: string;
  readonly patience?: string;
}

/** Where plans are carried out, and which. Plain data. */
export interface TargetSettings {
  readonly target: 'control-plane' | 'cluster';
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Plans of a file; absent: a sample of so many is drawn. */
  readonly plans?: readonly Plan[];
  readonly sample: number;
  readonly patienceMs: number;
}

/** The rest of the command line, as far as the two do not fit together. */
export interface Beside {
  readonly replay: string | undefined;
  readonly output: string | undefined;
  /** Flags that begin in states from files. */
  readonly states: readonly string[];
}

const TARGETS = ['control-plane', 'cluster'] as const;
const DEFAULT_SAMPLE = 10;

/**
 * Adds faults instead of throwing, so that all flags are told about at once.
 * @returns undefined: plans are carried out in the simulation only
 */
export async function targetSettings(flags: TargetFlags, { replay, output, states }: Beside, faults: FaultList): Promise<TargetSettings | undefined> {
  const { target, kubeconfig, context, yes, sample, patience = '60s' } = flags;
  const known = TARGETS.find((name) => name === target);
  if (target === undefined) {
    const stray = Object.entries({ '--kubeconfig': kubeconfig, '--context': context, '--yes': yes, '--sample': sample, '--patience': flags.patience });
    for (const [flag] of stray.filter(([, value]) => value !== undefined)) faults.add(`${flag}: found without --target; allowed is --target ${TARGETS.join(' or ')} with it`);
    return undefined;
  }
  if (known === undefined) faults.add(`--target: found ${target}; allowed are ${TARGETS.join(' and ')}`);
  if (known === 'cluster' && kubeconfig === undefined && context === undefined)
    faults.add('--target: found cluster without --kubeconfig or --context; allowed is a cluster that is named, so that it is never the one that happens to be current');
  if (known === 'cluster' && yes !== true)
    faults.add('--target: found cluster without --yes; it gets definitions, namespaces and objects that are deleted in the end: say --yes if it is there to be thrown away');
  if (known === 'control-plane' && (kubeconfig ?? context) !== undefined)
    faults.add('--kubeconfig, --context: found with --target control-plane, which is started for the purpose; allowed are both with --target cluster');
  const count = Number(sample ?? DEFAULT_SAMPLE);
  if (!Number.isSafeInteger(count) || count < 1) faults.add(`--sample: found ${sample ?? ''}; allowed is a whole number from 1`);
  if (sample !== undefined && replay !== undefined) faults.add('--sample: found with --replay; allowed is one of them');
  const [, amount, unit = 's'] = /^(\d+)(s|m)?$/.exec(patience) ?? [];
  if (amount === undefined || Number(amount) === 0) faults.add(`--patience: found ${patience}; allowed is a time such as 60s or 5m`);
  if (output === 'junit') faults.add('--output: found junit with --target; allowed is json');
  for (const flag of states) faults.add(`${flag}: found with --target; allowed are plans that begin with nothing or with an install`);
  const plans = replay === undefined ? undefined : await faults.during(() => parsePlans(replay));
  return {
    target: known ?? 'cluster',
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(plans === undefined ? {} : { plans }),
    sample: count,
    patienceMs: Number(amount) * (unit === 'm' ? 60_000 : 1_000),
  };
}
