// What clients did to a server, counted as it arrives: nothing is lost when a log is full.
import type { ApiServer, LoggedRequest } from '@pawl/kube-api';

/** Counts of the requests of one client that could change something. Dry runs and Leases do not count. */
export interface RequestTally {
  /** All that were answered, in order, as `verb resource name status`, of the newest `limit`. */
  readonly lines: () => readonly string[];
  readonly total: () => number;
  /** Creates by `resource namespace/name`: requests that were answered as having created. */
  readonly created: ReadonlyMap<string, number>;
  readonly deleted: ReadonlyMap<string, number>;
  /** Keys that were created more than `once` times, with the number. */
  readonly createdTwice: () => readonly string[];
  readonly reset: () => void;
}

const LIMIT = 10_000;

/**
 * Counts what `userAgent` changes from now on. Whether an apply creates is seen by the status of its answer.
 */
export function tallyRequests(api: ApiServer, userAgent = 'pawl/'): RequestTally {
  let lines: string[] = [];
  let total = 0;
  const created = new Map<string, number>();
  const deleted = new Map<string, number>();
  const count = (map: Map<string, number>, { resource, namespace, name }: LoggedRequest): void => {
    const key = `${resource} ${namespace}/${name}`;
    map.set(key, (map.get(key) ?? 0) + 1);
  };
  api.log.onRequest((entry) => {
    const { mutating, dryRun, userAgent: by, resource, verb, name, status } = entry;
    if (!mutating || dryRun || !by.startsWith(userAgent) || resource.startsWith('leases')) return;
    total += 1;
    lines.push(`${verb} ${resource} ${name} ${status}`);
    if (lines.length > 2 * LIMIT) lines = lines.slice(-LIMIT);
    if (status === 201 && !resource.includes('/')) count(created, entry);
    if (verb === 'delete' && status < 300) count(deleted, entry);
  });
  return {
    lines: () => lines.slice(-LIMIT),
    total: () => total,
    created,
    deleted,
    createdTwice: () => [...created].filter(([, times]) => times > 1).map(([key, times]) => `${key}: ${times}`),
    reset: () => {
      lines = [];
      total = 0;
      created.clear();
      deleted.clear();
    },
  };
}
