// What is known of an Action that blocked the process, as it goes from one process to the next, and as people read it. Pure.

/** The Action that runs, and the object that it runs for. */
export interface ActiveAction {
  readonly action: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
}

export interface BlockReport {
  /** Undefined: the process was blocked by something that is no Action. */
  readonly active: ActiveAction | undefined;
  /** Functions and lines, the innermost first; none if the process could not even be asked. */
  readonly where: readonly string[];
  /** For how long the process had not answered, in milliseconds. */
  readonly blockedMs: number;
  /** RFC 3339. */
  readonly at: string;
  readonly release: string;
}

/** `Action Served of Page default/front`. */
export function describeActive({ action, kind, namespace, name }: ActiveAction): string {
  return `Action ${action} of ${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** The termination message: what happened, where, and what to do. */
export function messageOf({ active, where, blockedMs }: BlockReport): string {
  const seconds = Math.round(blockedMs / 100) / 10;
  const culprit = active === undefined ? 'Something that is no Action' : describeActive(active);
  return [
    `${culprit} has blocked the process for ${seconds} seconds, so that it could do nothing else; it ended itself.`,
    ...(where.length === 0 ? [] : [`It was in ${where.join(', called by ')}.`]),
    active === undefined
      ? 'It is started again.'
      : 'It is started again. Once is forgiven; the second time the object is left out, and tried again each hour after all others.',
    'Repair the loop, or the spec that leads into it.',
  ].join('\n');
}

/** The report in a file; undefined if it holds none. Never throws. */
export function parseReport(text: string): BlockReport | undefined {
  try {
    const { active, where, blockedMs, at, release } = JSON.parse(text) as Partial<BlockReport>;
    if (typeof at !== 'string' || typeof release !== 'string') return undefined;
    const lines = Array.isArray(where) ? where.map(String) : [];
    return { active: parseActive(active), where: lines, blockedMs: Number(blockedMs), at, release };
  } catch {
    return undefined;
  }
}

/** An active action from data; undefined if it is none. */
export function parseActive(value: unknown): ActiveAction | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { action, apiVersion, kind, namespace, name, uid, generation } = value as Readonly<Record<string, unknown>>;
  if (typeof action !== 'string' || typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  if (typeof name !== 'string' || typeof uid !== 'string' || typeof generation !== 'number') return undefined;
  return { action, apiVersion, kind, name, uid, generation, ...(typeof namespace === 'string' ? { namespace } : {}) };
}
