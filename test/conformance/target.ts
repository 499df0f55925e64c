// What rows run against: an API server of some kind and what can be done to it.
import type { ApiRequest, ApiResponse, Transport } from '@pawl/kube-api';
import { canServeHooks } from './hook-server.ts';
import type { Need, Row } from './row.ts';

/** One API server of a kind. */
export interface Target {
  readonly name: 'memory' | 'http' | 'control-plane';
  /** Kubernetes minor version that it is or imitates, such as `1.35`. */
  readonly minor: string;
  /** Full version, such as `v1.35.4`. */
  readonly version: string;
  /** Why a row with this need cannot run here; undefined if it can. */
  readonly lacks: (need: Need) => string | undefined;
  /** How many rows may run at once. */
  readonly parallel: number;
  /** True: all rows meet the same server. */
  readonly shared: boolean;
  readonly open: (row: Row) => Promise<Session>;
  readonly close: () => Promise<void>;
}

/** The server as one row sees it. */
export interface Session {
  /** A namespace of the row's own, which exists. */
  readonly namespace: string;
  /** A webhook server, for rows that need one. */
  readonly hook?: { readonly url: string; readonly caBundle: string };
  readonly transport: (user: 'admin' | 'nobody') => Transport;
  readonly sendText: (request: ApiRequest, text: string) => Promise<ApiResponse>;
  /** Lets others work: about `ms` pass, in virtual time where the server has such. */
  readonly pass: (ms: number) => Promise<void>;
  /** Makes the server forget all but the present state. */
  readonly forget: () => Promise<void>;
  /** Stops the storage of the server or lets it go on. */
  readonly setStorage: (running: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Why `row` cannot be judged by `target`; undefined if it can. */
export function unjudged(row: Row, target: Target): string | undefined {
  if (row.since !== undefined && minorOf(target.minor) < minorOf(row.since))
    return `it holds from Kubernetes ${row.since}`;
  if (row.until !== undefined && minorOf(target.minor) > minorOf(row.until))
    return `it holds until Kubernetes ${row.until}`;
  for (const need of row.needs ?? []) {
    const reason =
      need === 'webhooks' && !canServeHooks()
        ? 'openssl, which makes the certificate of a webhook, is not installed'
        : target.lacks(need);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Reasons that hold for every target. */
export const needsNobodyMeets: Partial<Record<Need, string>> = {
  overload: 'it needs a server that is overloaded',
  outage: 'it needs a server whose storage fails at the right moment',
  'several servers': 'it needs several API servers of which one lags',
  'slow reader': 'it needs a client that reads slower than megabytes of events arrive',
};

/** Reasons that hold for the in-memory API. */
export const notInMemory: Partial<Record<Need, string>> = {
  ...needsNobodyMeets,
  storage: 'the in-memory API has no storage that could stop; a hook of createApiServer stands in for it',
};

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
