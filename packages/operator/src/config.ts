// What an operator can be told: defaults, limits, and every fault of an input at once.
import { LEASE_TIMING, timingFaults, type LeaseTiming } from './leader/timing.ts';
import { fieldSelectorFault, labelSelectorFault } from './selectors.ts';

/** The settings of one operator process. Durations are in milliseconds. */
export interface OperatorConfig extends LeaseTiming {
  /** Names the operator in Leases, records and logs: a DNS label. */
  readonly operatorName: string;
  /** Release and image of this operator, as records name it for people. Default: the name. */
  readonly release: string;
  /** Namespaces whose objects are reconciled; absent: all. */
  readonly namespaces?: readonly string[];
  /** Only objects of the reconciled kinds with such labels, in the syntax of `kubectl -l`; absent: all. */
  readonly labelSelector?: string;
  /** Only objects of the reconciled kinds with such fields, in the syntax of `kubectl --field-selector`; absent: all. */
  readonly fieldSelector?: string;
  /** Objects of one kind that are reconciled at the same time. */
  readonly workers: number;
  /** Every object is looked at again after so long, even if nothing happened. */
  readonly resyncMs: number;
  /**
   * Namespace of the Lease by which the replicas of the operator agree who of them acts, usually the operator's own.
   * Absent: this process is declared to be the only one of its name, which nothing checks.
   */
  readonly leaseNamespace?: string;
  /** Name of the pod, or another name for this process that people know. Default: the operator's name. */
  readonly podName: string;
  /** Namespace of the pod: Events about this process are told there. Absent: about the objects concerned. */
  readonly podNamespace?: string;
  readonly podUid?: string;
  /**
   * Without a Lease: how long a request of a predecessor that died may still take effect; counted from the start of this
   * process.
   */
  readonly settleMs: number;
  /** What objects do that do not say it themselves: new versions at once, or only when approved. */
  readonly upgradePolicy: 'Automatic' | 'Manual';
  /** Share of the objects of a kind, in percent, that may be on the way to another version; at least one. */
  readonly maxOpenPercent: number;
  /** So many objects on the way without progress, and no further one is begun. */
  readonly maxStalled: number;
  /** An object on the way in which nothing becomes true for so long counts as stalled. */
  readonly progressDeadlineMs: number;
  /** What a release does that would strand objects which are fine now: wait and not be ready, or warn and begin. */
  readonly onStranded: 'hold' | 'warn';
  /**
   * So many requests a second to the API server, other than watches and those about the Lease; 0: as many as the server
   * takes, which shares itself out among its clients by priority and fairness.
   */
  readonly clientQps: number;
  /** So many more at once after a pause; 0: twice `clientQps`. */
  readonly clientBurst: number;
  /** Work in flight may take so long to end when the process is asked to stop. */
  readonly shutdownMs: number;
  /** An Action that does not give the process back for so long is stopped, with the process; 0: never. */
  readonly watchdogMs: number;
  /** Port of `/healthz`, `/readyz` and `/metrics`; 0: none. */
  readonly healthPort: number;
  /** Kinds that objects may name, by the name under which a package declares them. */
  readonly openKinds: Readonly<Record<string, readonly ConfiguredKind[]>>;
  /** What the external systems of packages are told, by the name of the system. */
  readonly external: Readonly<Record<string, unknown>>;
  /** Seed of the order in which independent Actions run; absent: a random one, which is logged. */
  readonly seed?: number;
}

/** A kind as the configuration names it. */
export interface ConfiguredKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Lower-case plural, as in RBAC. */
  readonly plural: string;
  /** Default true. */
  readonly namespaced?: boolean;
}

/** What a file, flags or the environment may give. */
export type OperatorConfigInput = { readonly [K in keyof OperatorConfig]?: unknown };

/** Thrown with every fault of a configuration, each naming the field, what was found and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MS = { least: 1_000, most: 600_000, unit: ' milliseconds' } as const;
const NUMBERS = {
  workers: { fallback: 4, least: 1, most: 256, unit: '' },
  resyncMs: { fallback: 600_000, least: 1_000, most: 86_400_000, unit: ' milliseconds' },
  settleMs: { fallback: 20_000, least: 0, most: 600_000, unit: ' milliseconds' },
  // With the last steps of the process less than the half minute that Kubernetes gives it by default.
  shutdownMs: { fallback: 20_000, least: 0, most: 600_000, unit: ' milliseconds' },
  watchdogMs: { fallback: 30_000, least: 0, most: 600_000, unit: ' milliseconds' },
  healthPort: { fallback: 0, least: 0, most: 65_535, unit: '' },
  clientQps: { fallback: 0, least: 0, most: 10_000, unit: ' requests a second' },
  clientBurst: { fallback: 0, least: 0, most: 100_000, unit: ' requests' },
  maxOpenPercent: { fallback: 5, least: 1, most: 100, unit: ' percent' },
  maxStalled: { fallback: 3, least: 1, most: 1_000_000, unit: '' },
  progressDeadlineMs: { fallback: 900_000, least: 1_000, most: 86_400_000, unit: ' milliseconds' },
  leaseDurationMs: { fallback: LEASE_TIMING.leaseDurationMs, ...MS },
  renewDeadlineMs: { fallback: LEASE_TIMING.renewDeadlineMs, ...MS },
  retryPeriodMs: { fallback: LEASE_TIMING.retryPeriodMs, ...MS },
  requestTimeoutMs: { fallback: LEASE_TIMING.requestTimeoutMs, ...MS },
  skewMs: { fallback: LEASE_TIMING.skewMs, ...MS },
} as const;
const KNOWN = ['operatorName', 'release', 'namespaces', 'labelSelector', 'fieldSelector', 'leaseNamespace', 'podName', 'podNamespace', 'podUid', 'upgradePolicy', 'onStranded', 'openKinds', 'external', 'seed', ...Object.keys(NUMBERS)];

/**
 * A complete configuration from what was given.
 * @throws {ConfigError} with every fault found
 */
export function operatorConfig(input: OperatorConfigInput): OperatorConfig {
  const faults: string[] = [];
  for (const field of Object.keys(input))
    if (!KNOWN.includes(field)) faults.push(`${field}: is not a setting; the settings are ${KNOWN.join(', ')}`);
  const { operatorName, release = operatorName, podName = operatorName, namespaces, leaseNamespace, seed } = input;
  const { upgradePolicy = 'Automatic', onStranded = 'hold' } = input;
  const { openKinds = {}, external = {}, labelSelector, fieldSelector, podNamespace, podUid } = input;
  if (!isRecord(openKinds) || !Object.values(openKinds).every(isKindList))
    faults.push(
      `openKinds: found ${shown(openKinds)}; allowed are lists of { apiVersion, kind, plural, namespaced? } by the name of an open kind`,
    );
  if (!isRecord(external)) faults.push(`external: found ${shown(external)}; allowed are settings by the name of an external system`);
  if (upgradePolicy !== 'Automatic' && upgradePolicy !== 'Manual')
    faults.push(`upgradePolicy: found ${shown(upgradePolicy)}; allowed are Automatic and Manual`);
  if (onStranded !== 'hold' && onStranded !== 'warn')
    faults.push(`onStranded: found ${shown(onStranded)}; allowed are hold and warn`);
  if (typeof operatorName !== 'string' || !DNS_LABEL.test(operatorName))
    faults.push(
      `operatorName: found ${shown(operatorName)}; allowed are lower-case letters, digits and '-', at most 53 characters`,
    );
  if (release !== operatorName && (typeof release !== 'string' || release === '' || release.length > 200))
    faults.push(`release: found ${shown(release)}; allowed is a text of at most 200 characters`);
  if (namespaces !== undefined && !isNames(namespaces))
    faults.push(`namespaces: found ${shown(namespaces)}; allowed is a list of namespace names, or nothing for all`);
  if (leaseNamespace !== undefined && !isNames([leaseNamespace]))
    faults.push(`leaseNamespace: found ${shown(leaseNamespace)}; allowed is the name of a namespace, or nothing for no Lease`);
  faults.push(...selectorFaults('labelSelector', labelSelector, labelSelectorFault, 'app=web,env in (prod,stage)'));
  faults.push(...selectorFaults('fieldSelector', fieldSelector, fieldSelectorFault, 'metadata.name!=test'));
  if (podNamespace !== undefined && !isNames([podNamespace]))
    faults.push(`podNamespace: found ${shown(podNamespace)}; allowed is the name of a namespace, or nothing`);
  if (podUid !== undefined && (typeof podUid !== 'string' || podUid === '' || podUid.length > 200))
    faults.push(`podUid: found ${shown(podUid)}; allowed is a text of at most 200 characters, or nothing`);
  if (podName !== operatorName && (typeof podName !== 'string' || podName === '' || podName.length > 200))
    faults.push(`podName: found ${shown(podName)}; allowed is a text of at most 200 characters`);
  if (seed !== undefined && !Number.isSafeInteger(seed)) faults.push(`seed: found ${shown(seed)}; allowed is an integer`);
  const numbers = Object.entries(NUMBERS).map(([field, { fallback, least, most, unit }]) => {
    const value = input[field as keyof typeof NUMBERS] ?? fallback;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      faults.push(`${field}: found ${shown(value)}; allowed is a whole number from ${least} to ${most}${unit}`);
    return [field, value] as const;
  });
  const settings = Object.fromEntries(numbers) as Record<keyof typeof NUMBERS, number>;
  if (settings.clientBurst > 0 && settings.clientQps === 0)
    faults.push(`clientBurst: found ${settings.clientBurst} while clientQps is 0, which limits nothing; allowed is 0, or both`);
  if (faults.length === 0) faults.push(...timingFaults(settings));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...settings,
    operatorName: operatorName as string,
    release: release as string,
    podName: podName as string,
    openKinds: openKinds as OperatorConfig['openKinds'],
    external: external as OperatorConfig['external'],
    upgradePolicy: upgradePolicy as OperatorConfig['upgradePolicy'],
    onStranded: onStranded as OperatorConfig['onStranded'],
    ...(leaseNamespace === undefined ? {} : { leaseNamespace: leaseNamespace as string }),
    ...(namespaces === undefined ? {} : { namespaces: namespaces as readonly string[] }),
    ...(seed === undefined ? {} : { seed: seed as number }),
    ...(labelSelector === undefined ? {} : { labelSelector: labelSelector as string }),
    ...(fieldSelector === undefined ? {} : { fieldSelector: fieldSelector as string }),
    ...(podNamespace === undefined ? {} : { podNamespace: podNamespace as string }),
    ...(podUid === undefined ? {} : { podUid: podUid as string }),
  };
}

function selectorFaults(
  field: string,
  value: unknown,
  faultOf: (selector: string) => string | undefined,
  example: string,
): readonly string[] {
  if (value === undefined) return [];
  const fault = typeof value === 'string' ? faultOf(value) : undefined;
  if (typeof value === 'string' && fault === undefined) return [];
  const which = fault === undefined || fault === value ? '' : `, of which ${shown(fault)} is not understood`;
  return [`${field}: found ${shown(value)}${which}; allowed is a selector such as ${example}, or nothing for all`];
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isKindList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (each: unknown) =>
      isRecord(each) && ['apiVersion', 'kind', 'plural'].every((field) => typeof each[field] === 'string' && each[field] !== ''),
  );
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string' && NAMESPACE.test(name));
