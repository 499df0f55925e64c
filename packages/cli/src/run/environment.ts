// Settings from the environment: `PAWL_` and the name of the setting in capitals, such as PAWL_LOG_LEVEL. Pure.
import { parse } from 'yaml';

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'PAWL_';
/** What Kubernetes puts into the environment of a pod for each Service whose name begins with `pawl-`. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)$/;
const LISTS: ReadonlySet<string> = new Set(['procedures', 'namespaces']);
const MAPPINGS: ReadonlySet<string> = new Set(['openKinds', 'external']);
const TEXTS: ReadonlySet<string> = new Set([
  'server',
  'kubeconfig',
  'context',
  'logLevel',
  'operatorName',
  'release',
  'labelSelector',
  'fieldSelector',
  'leaseNamespace',
  'podName',
  'podNamespace',
  'podUid',
  'upgradePolicy',
  'onStranded',
]);

/** What the environment says, and which of its variables look like settings and are none. */
export interface EnvironmentSettings {
  readonly given: Readonly<Record<string, unknown>>;
  readonly unknown: readonly string[];
}

/** The variable of a setting: `healthPort` is PAWL_HEALTH_PORT. */
export function variableOf(field: string): string {
  return `${PREFIX}${field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/**
 * Reads the variables of these settings. Lists are separated by commas, mappings are YAML or JSON. A variable that is
 * empty counts as absent. What is not what it should be stays the text that it was, for the message about it.
 */
export function settingsFrom(environment: Environment, fields: readonly string[]): EnvironmentSettings {
  const byVariable = new Map(fields.map((field) => [variableOf(field), field] as const));
  const given: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || text === undefined || text.trim() === '') continue;
    const field = byVariable.get(variable);
    if (field !== undefined) given[field] = valueOf(field, text.trim());
    else if (!SERVICE_LINK.test(variable)) unknown.push(variable);
  }
  return { given, unknown };
}

function valueOf(field: string, text: string): unknown {
  if (LISTS.has(field)) return text.split(',').map((item) => item.trim()).filter((item) => item !== '');
  if (MAPPINGS.has(field)) return mappingOf(text);
  return TEXTS.has(field) ? text : numberOf(text);
}

function mappingOf(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A number if it is one; else the text itself, for the message about it. */
export function numberOf(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}
