// Which faults of a plan strike at which request and which event of one process.
import type { ApiRequest, WatchEvent } from '@pawl/operator';
import type { Fault, WatchFailure } from './faults.ts';

/** A request as the process sends it, with its places in the order of all. */
export interface SentRequest extends Pick<ApiRequest, 'method' | 'path' | 'body'> {
  /** Counted from 1 among all requests of the process, watches included. */
  readonly request: number;
  /** Counted from 1 among those that can change something; undefined for others. */
  readonly write: number | undefined;
}

/** An effect on an external system has no request. */
export type Sent = SentRequest | { readonly write: number };

/** Asked once for each request, effect and event, in the order in which they come. */
export interface FaultScript {
  readonly faultsOf: (sent: Sent) => readonly Fault[];
  readonly failureOf: (event: WatchEvent, number: number) => WatchFailure | undefined;
}

const NONE: readonly Fault[] = [];

/** The faults as the plan addresses them: by count. */
export function scriptByCount(faults: readonly Fault[], process: number): FaultScript {
  const own = faults.filter((fault) => fault.process === process);
  if (own.length === 0) return { faultsOf: () => NONE, failureOf: () => undefined };
  return {
    faultsOf: (sent) =>
      own.filter((fault) =>
        'write' in fault ? fault.write === sent.write : fault.kind === 'request' && 'request' in sent && fault.request === sent.request,
      ),
    failureOf: (_event, number) => {
      const fault = own.find((one) => one.kind === 'watch' && one.event === number);
      return fault?.kind === 'watch' ? fault.failure : undefined;
    },
  };
}
