// Judges every request that arrives at the server: who changed what, in which order, and what was made twice.
import type { ApiRequest } from '@pawl/kube-api';

/** One fault, said for people. */
export type Violation = string;

interface Writer {
  readonly replica: string;
  /** Milliseconds since the start. */
  first: number;
  last: number;
  writes: number;
}

const PATH = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/namespaces\/([^/]+)\/([^/?]+)\/([^/?]+)(?:\/([^/?]+))?/;

/**
 * Knows the replicas by the tokens that they send. A change that an operator sends counts when it arrives, for it takes
 * effect then; Leases, Events and dry runs are no changes.
 */
export class Ledger {
  readonly violations: Violation[] = [];
  readonly byKind = new Map<string, number>();
  /** One entry for each stretch of changes without those of another replica between them. */
  readonly stretches: Writer[] = [];
  readonly #now: () => number;
  readonly #creates = new Map<string, number>();
  readonly #othersDeletes = new Map<string, number>();
  readonly #done = new Set<string>();
  /** When an operator changed something last, in milliseconds since the start. */
  lastWriteAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A request arrives. */
  arrives = (request: ApiRequest): void => {
    const { method, path } = request;
    const replica = replicaOf(request);
    if (replica === undefined) return;
    const kind = kindOf(request);
    this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + 1);
    if (isChange(request)) this.#changes(replica, `${method} ${path.split('?')[0] ?? ''}`);
  };

  /** A request was answered. */
  answered = (request: ApiRequest, status: number): void => {
    const { method, path } = request;
    const [, namespace, resource, name, subresource] = PATH.exec(path) ?? [];
    if (subresource !== undefined || path.includes('dryRun')) return;
    const key = `${resource} ${namespace}/${name}`;
    const isOperators = replicaOf(request) !== undefined;
    if (method === 'DELETE' && status < 300 && !isOperators) this.#othersDeletes.set(key, (this.#othersDeletes.get(key) ?? 0) + 1);
    if (!isOperators || status !== 201 || !isChange(request)) return;
    const times = (this.#creates.get(key) ?? 0) + 1;
    this.#creates.set(key, times);
  };

  /** Objects that operators created again although nobody else had deleted them, except those named by content. */
  duplicates = (): readonly Violation[] =>
    [...this.#creates].flatMap(([key, times]) => {
      const allowed = 1 + (this.#othersDeletes.get(key) ?? 0);
      return times > allowed ? [`${key} was created ${times} times and deleted by others ${allowed - 1} times`] : [];
    });

  #changes(replica: string, what: string): void {
    const at = this.#now();
    this.lastWriteAt = at;
    const latest = this.stretches.at(-1);
    if (latest?.replica === replica) {
      Object.assign(latest, { last: at, writes: latest.writes + 1 });
      return;
    }
    if (this.#done.has(replica))
      this.violations.push(`${replica} wrote after ${latest?.replica ?? 'another'} had begun, at ${(at / 1000).toFixed(1)} s: ${what}`);
    if (latest !== undefined) this.#done.add(latest.replica);
    this.stretches.push({ replica, first: at, last: at, writes: 1 });
  }
}

/** Such as `PATCH websites/status`, `LIST configmaps`. */
function kindOf({ method, path }: ApiRequest): string {
  const [, , resource, , subresource] = PATH.exec(path) ?? [];
  const suffix = path.includes('dryRun') ? ' (dry run)' : '';
  if (resource !== undefined) return `${method} ${resource}${subresource === undefined ? '' : `/${subresource}`}${suffix}`;
  const [, collection = 'discovery'] = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([^/?]+)(?:\?|$)/.exec(path) ?? [];
  const verb = path.includes('watch=true') ? 'WATCH' : method === 'GET' && collection !== 'discovery' ? 'LIST' : method;
  return `${verb} ${collection}${suffix}`;
}

function isChange({ method, path, body }: ApiRequest): boolean {
  if (method === 'GET' || path.includes('dryRun') || /\/(leases|events)\b/.test(path)) return false;
  return (body as { readonly dryRun?: unknown } | undefined)?.dryRun === undefined;
}

/** The token is the name. */
function replicaOf({ headers }: ApiRequest): string | undefined {
  return /^bearer (pod-\d+)$/i.exec(headers?.['authorization'] ?? '')?.[1];
}
