// The connection of one process to the simulated API: every request waits for its turn, is written down, and meets the
// faults of the plan. After a crash nothing is sent and nothing is answered any more.
import type { ApiServer } from '@pawl/kube-api';
import type { ApiRequest, ApiResponse, Transport, WatchResponse } from '@pawl/operator';
import { isWrite, objectPathOf } from './api-paths.ts';
import type { Fault, RequestFailure } from './faults.ts';
import type { HistoryEvent } from './history.ts';
import type { Scheduler } from './scheduler.ts';
import { simWatch } from './sim-watch.ts';

export interface SimTransportParts {
  readonly process: number;
  readonly api: ApiServer;
  readonly scheduler: Scheduler;
  readonly now: () => number;
  readonly setTimer: (ms: number, callback: () => void) => void;
  readonly faults: readonly Fault[];
  readonly history: HistoryEvent[];
  readonly onCrash: () => void;
  readonly onClockJump: (byMs: number) => void;
  readonly onEdit: (edit: number) => void;
  /** Called right before a write is sent or an effect happens, and after it was done. */
  readonly onWrite?: ((write: number, moment: 'before' | 'after') => void) | undefined;
  /** Who holds the Lease at this moment. */
  readonly holder?: (() => string | undefined) | undefined;
}

export interface ExternalCall {
  readonly system: string;
  readonly call: string;
  readonly args: readonly unknown[];
  readonly isEffect: boolean;
  readonly run: () => Promise<unknown>;
}

const DELAY_MS = 20_000;
/** A request takes effect so long after it was sent at most; a write that is cut off arrives just before. */
const LATE_MS = 18_000;
const FOREIGN = 'explore.pawl.dev/touched';
const never = <T>(): Promise<T> => new Promise<T>(() => {});

export class SimTransport implements Transport {
  readonly #parts: SimTransportParts;
  readonly #watches = new Set<{ readonly close: () => void }>();
  #isDead = false;
  #requests = 0;
  #writes = 0;
  #events = 0;
  #stale: Promise<void> | undefined;
  #cut: Promise<void> | undefined;

  constructor(parts: SimTransportParts) {
    this.#parts = parts;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get requests(): number {
    return this.#requests;
  }

  get writes(): number {
    return this.#writes;
  }

  get events(): number {
    return this.#events;
  }

  /** The process is no more. */
  kill = (): void => {
    this.#isDead = true;
    for (const watch of this.#watches) watch.close();
  };

  request = async (request: ApiRequest): Promise<ApiResponse> => {
    const { scheduler, process } = this.#parts;
    if (this.#isDead) return never();
    await scheduler.park(`p${process}`);
    if (this.#isDead) return never();
    if (request.signal?.aborted === true) throw request.signal.reason as Error;
    const number = (this.#requests += 1);
    const write = isWrite(request) ? (this.#writes += 1) : undefined;
    const wasCut = this.#cut !== undefined;
    if (write !== undefined && this.#beforeWrite(write)) return never();
    if (!wasCut && this.#cut !== undefined) await this.#after(LATE_MS);
    else if (wasCut) await this.#healed(request);
    if (this.#isDead) return never();
    const failure = this.#failureOf(number);
    const answer = await this.#send(request, { number, write, failure });
    if (write !== undefined && this.#afterWrite(write)) return never();
    if (answer === undefined) return failure === 'timeout-after' ? never() : broken();
    return answer;
  };

  watch = async (request: ApiRequest): Promise<WatchResponse> => {
    const { scheduler, api, process } = this.#parts;
    if (this.#isDead) return never();
    await scheduler.park(`p${process}`);
    await this.#healed(request);
    if (this.#isDead) return never();
    this.#requests += 1;
    const answer = await api.watch(request);
    if (answer.status !== 200) return answer;
    const watch = simWatch(answer.events, {
      isDead: () => this.#isDead,
      hold: () => this.#cut ?? this.#stale,
      failureOf: ({ type }) => {
        if (type === 'BOOKMARK') return undefined;
        const event = (this.#events += 1);
        const fault = this.#fault((one) => one.kind === 'watch' && one.event === event);
        return fault?.kind === 'watch' ? fault.failure : undefined;
      },
      delayed: () => this.#after(DELAY_MS),
      closed: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return { ...answer, events: watch };
  };

  /** A call of an external system. Effects count as writes. */
  external = async ({ system, call, args, isEffect, run }: ExternalCall): Promise<unknown> => {
    const { scheduler, history, process, now } = this.#parts;
    if (this.#isDead) return never();
    await scheduler.park(`p${process}`);
    if (this.#isDead) return never();
    if (!isEffect) return run();
    const write = (this.#writes += 1);
    if (this.#beforeWrite(write)) return never();
    const result = await run();
    history.push({ type: 'effect', atMs: now(), process, system, call, args, write, committed: true });
    if (this.#afterWrite(write)) return never();
    return result;
  };

  /** Waits for the end of a partition. @throws the reason of the request's signal if that was aborted meanwhile */
  async #healed({ signal }: ApiRequest): Promise<void> {
    while (this.#cut !== undefined) await this.#cut;
    if (signal?.aborted === true) throw signal.reason as Error;
  }

  /** Faults that begin with a write; answers whether the process is dead. */
  #beforeWrite(write: number): boolean {
    const { onWrite, onClockJump, onEdit } = this.#parts;
    onWrite?.(write, 'before');
    for (const fault of this.#faultsAt(write)) {
      if (fault.kind === 'crash' && fault.moment === 'before') return this.#crash(`killed before write ${write}`);
      if (fault.kind === 'edit') onEdit(fault.edit);
      if (fault.kind === 'clock') onClockJump(fault.byMs);
      if (fault.kind === 'stale') this.#stale = this.#after(fault.forMs).then(() => void (this.#stale = undefined));
      if (fault.kind === 'partition') this.#cut = this.#after(fault.forMs).then(() => void (this.#cut = undefined));
    }
    return false;
  }

  #afterWrite(write: number): boolean {
    this.#parts.onWrite?.(write, 'after');
    const fault = this.#faultsAt(write).find((one) => one.kind === 'crash' && one.moment === 'after');
    return fault !== undefined && this.#crash(`killed right after write ${write}`);
  }

  #crash(says: string): true {
    const { history, now, process, onCrash } = this.#parts;
    history.push({ type: 'note', atMs: now(), process, says });
    this.kill();
    onCrash();
    return true;
  }

  /** Sends it, unless a fault keeps it from the server, and writes it down. Undefined: no answer comes. */
  async #send(
    request: ApiRequest,
    { number, write, failure }: { readonly number: number; readonly write: number | undefined; readonly failure: RequestFailure | undefined },
  ): Promise<ApiResponse | undefined> {
    const { api, history, now, process, holder } = this.#parts;
    const { method, path, body } = request;
    const target = write === undefined ? undefined : objectPathOf(request);
    if (failure === 'conflict' && target !== undefined)
      void api.request({
        method: 'PATCH',
        path: target,
        headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'somebody-else' },
        body: { metadata: { annotations: { [FOREIGN]: String(number) } } },
      });
    const before = target === undefined ? undefined : api.request({ method: 'GET', path: target });
    const refused = refusalOf(failure);
    const sent = refused === undefined ? await api.request(request) : refused;
    const answer = sent === 'reset' ? undefined : sent;
    const found = before === undefined ? undefined : await before;
    const committed = refused === undefined && (answer?.status ?? 500) < 300;
    const isLost = failure === 'timeout-after' || failure === 'reset-after' || failure === 'reset-before';
    const seen = failure === '500-after' ? internalError() : isLost ? undefined : answer;
    history.push({
      type: 'request',
      atMs: now(),
      process,
      method,
      path,
      body,
      request: number,
      write,
      status: seen?.status ?? 0,
      before: found?.status === 200 ? found.body : undefined,
      after: committed && write !== undefined ? answer?.body : undefined,
      committed,
      fault: failure,
      ...(holder === undefined || write === undefined ? {} : { holder: holder() }),
    });
    return seen;
  }

  #failureOf(request: number): RequestFailure | undefined {
    const fault = this.#fault((one) => one.kind === 'request' && one.request === request);
    return fault?.kind === 'request' ? fault.failure : undefined;
  }

  #fault(isMeant: (fault: Fault) => boolean): Fault | undefined {
    const { faults, process } = this.#parts;
    return faults.length === 0 ? undefined : faults.find((fault) => fault.process === process && isMeant(fault));
  }

  #faultsAt(write: number): readonly Fault[] {
    const { faults, process } = this.#parts;
    return faults.filter((fault) => fault.process === process && 'write' in fault && fault.write === write);
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.setTimer(ms, resolve));
  }
}

function broken(): never {
  throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

function refusalOf(failure: RequestFailure | undefined): ApiResponse | 'reset' | undefined {
  if (failure === '429') return { status: 429, headers: { 'retry-after': '1' }, body: 'too many requests' };
  if (failure === '500-before') return internalError();
  return failure === 'reset-before' ? 'reset' : undefined;
}

function internalError(): ApiResponse {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'internal error', reason: 'InternalError', code: 500 };
  return { status: 500, headers: {}, body };
}
