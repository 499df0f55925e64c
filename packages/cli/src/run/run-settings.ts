// From flags, environment and a file to the settings of an operator process: the first of them that says something wins.
// Pure: faults are answered, not thrown.
import { LOG_LEVELS, type LogLevel, type OperatorConfigInput } from '@pawl/operator';
import { numberOf, settingsFrom } from './environment.ts';

/** What the command line gave. Texts are as they were typed. */
export interface RunFlags {
  readonly config?: string;
  readonly package?: readonly string[];
  readonly name?: string;
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly leaseNamespace?: string;
  readonly podName?: string;
  readonly release?: string;
  readonly healthPort?: string;
  readonly upgradePolicy?: string;
  readonly onStranded?: string;
  readonly workers?: string;
  readonly resyncMs?: string;
  readonly settleMs?: string;
  readonly shutdownMs?: string;
  readonly logLevel?: string;
  readonly stopWithStdin?: boolean;
}

/** Where the API server is. Nothing given: the kubeconfig of the environment, or the pod's own account. */
export interface Connection {
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What a run needs to know before anything is loaded. */
export interface RunSettings {
  /** Names or paths of procedure packages. */
  readonly procedures: readonly string[];
  /** What the file names is looked up from its folder, anything else from where the process was started. */
  readonly proceduresAreFromFile: boolean;
  readonly connection: Connection;
  readonly logLevel: LogLevel;
  /** The operator's own settings, still to be validated by it. */
  readonly operator: OperatorConfigInput;
}

/** Settings as far as they could be understood, and every fault found. */
export interface ReadSettings {
  readonly settings: RunSettings;
  readonly faults: readonly string[];
  /** Variables that look like settings and are none. They may be somebody else's, so they are no fault. */
  readonly strayVariables: readonly string[];
}

/** Every setting of the operator itself may stand in the file: a new one is a compile error here. */
const OPERATOR_FIELDS: Readonly<Record<keyof OperatorConfigInput, true>> = {
  operatorName: true,
  release: true,
  namespaces: true,
  labelSelector: true,
  fieldSelector: true,
  workers: true,
  resyncMs: true,
  leaseNamespace: true,
  podName: true,
  podNamespace: true,
  podUid: true,
  settleMs: true,
  healthPort: true,
  upgradePolicy: true,
  onStranded: true,
  maxOpenPercent: true,
  maxStalled: true,
  progressDeadlineMs: true,
  clientQps: true,
  clientBurst: true,
  shutdownMs: true,
  watchdogMs: true,
  leaseDurationMs: true,
  renewDeadlineMs: true,
  retryPeriodMs: true,
  requestTimeoutMs: true,
  skewMs: true,
  openKinds: true,
  external: true,
  seed: true,
};
const OWN_FIELDS = ['procedures', 'server', 'kubeconfig', 'context', 'logLevel'];
/** Everything that file and environment may say. */
export const FIELDS: readonly string[] = [...OWN_FIELDS, ...Object.keys(OPERATOR_FIELDS)];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Joins flags, environment and file.
 * @param file the parsed configuration file; undefined if there is none
 */
export function readSettings(
  flags: RunFlags,
  file: unknown,
  environment: Readonly<Record<string, string | undefined>> = {},
): ReadSettings {
  const faults: string[] = [];
  const fromEnvironment = settingsFrom(environment, FIELDS);
  const given = { ...(file === undefined ? {} : fieldsOf(file, faults)), ...fromEnvironment.given };
  const text = (field: string, flag: string | undefined): string | undefined => {
    const value = flag ?? given[field];
    if (value === undefined || typeof value === 'string') return value;
    faults.push(`${field}: found ${JSON.stringify(value)}; allowed is a text`);
    return undefined;
  };
  const connection = withoutAbsent({
    server: text('server', flags.server),
    kubeconfig: text('kubeconfig', flags.kubeconfig),
    context: text('context', flags.context),
  });
  if (connection.server !== undefined && (connection.kubeconfig ?? connection.context) !== undefined)
    faults.push(
      'server: found together with kubeconfig or context; allowed is one of the two ways to name an API server',
    );
  const operator = {
    ...Object.fromEntries(Object.entries(given).filter(([field]) => field in OPERATOR_FIELDS)),
    ...withoutAbsent({
      operatorName: flags.name,
      namespaces: flags.namespace,
      labelSelector: flags.labelSelector,
      fieldSelector: flags.fieldSelector,
      leaseNamespace: flags.leaseNamespace,
      podName: flags.podName,
      release: flags.release,
      upgradePolicy: flags.upgradePolicy,
      onStranded: flags.onStranded,
      healthPort: numberIn(flags.healthPort),
      workers: numberIn(flags.workers),
      resyncMs: numberIn(flags.resyncMs),
      settleMs: numberIn(flags.settleMs),
      shutdownMs: numberIn(flags.shutdownMs),
    }),
  };
  const proceduresAreFromFile = (flags.package ?? fromEnvironment.given['procedures']) === undefined;
  const procedures = proceduresOf(flags.package ?? given['procedures'], faults);
  const logLevel = levelOf(text('logLevel', flags.logLevel), faults);
  const { unknown: strayVariables } = fromEnvironment;
  return { settings: { procedures, proceduresAreFromFile, connection, logLevel, operator }, faults, strayVariables };
}

function fieldsOf(file: unknown, faults: string[]): Fields {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    faults.push(`--config: found ${JSON.stringify(file)}; allowed is a mapping of settings: ${FIELDS.join(', ')}`);
    return {};
  }
  for (const field of Object.keys(file))
    if (!FIELDS.includes(field)) faults.push(`${field}: is not a setting; the settings are ${FIELDS.join(', ')}`);
  return file as Fields;
}

function proceduresOf(value: unknown, faults: string[]): readonly string[] {
  if (Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')) return value;
  const found = value === undefined ? 'nothing' : JSON.stringify(value);
  faults.push(
    `procedures: found ${found}; allowed are names of packages or paths of modules, at least one (--package)`,
  );
  return [];
}

function levelOf(level: string | undefined, faults: string[]): LogLevel {
  if (level === undefined) return 'info';
  const known = LOG_LEVELS.find((candidate) => candidate === level);
  if (known === undefined) faults.push(`logLevel: found "${level}"; allowed are ${LOG_LEVELS.join(', ')}`);
  return known ?? 'info';
}

const numberIn = (text: string | undefined): number | string | undefined => (text === undefined ? undefined : numberOf(text));

function withoutAbsent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
