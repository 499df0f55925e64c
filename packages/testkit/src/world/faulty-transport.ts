// The connection of one process to an API, simulated or real: every request waits for its turn, is written down, and meets
// the faults of the plan. After a crash nothing is sent and nothing is answered any more.
import type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from '@pawl/operator';
import { currentAction, noteLiveRead } from './action-follower.ts';
import { isWrite, objectPathOf } from './api-paths.ts';
import type { FaultScript } from './fault-script.ts';
import type { AdmissionAnswer, Fault, RequestFailure } from './faults.ts';
import type { HistoryEvent } from './history.ts';
import { faultyWatch, type FaultyWatch } from './faulty-watch.ts';
import { askedToWaitMs, LAGGING, refusalByWebhook, thrownFor, treatmentOf } from './refusals.ts';

export interface FaultyTransportParts {
  readonly process: number;
  readonly api: Transport;
  /** Resolves when it is the turn of a request. */
  readonly turn: () => Promise<void>;
  readonly now: () => number;
  readonly setTimer: (ms: number, callback: () => void) => void;
  readonly script: FaultScript;
  readonly history: HistoryEvent[];
  readonly onCrash: () => void;
  readonly onClockJump: (byMs: number) => void;
  /** Applies an edit; the write goes on when that is done. */
  readonly onEdit: (edit: number) => Promise<void>;
  /** Lets a fault strike that is not about the connection; the write goes on when that is done. Absent: it strikes nothing. */
  readonly onStrike?: ((fault: Fault, request: Pick<ApiRequest, 'method' | 'path' | 'body'>) => Promise<void>) | undefined;
  /** The process stands still for so long: its timers too. */
  readonly onPause?: ((forMs: number) => void) | undefined;
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

export class FaultyTransport implements Transport {
  readonly #parts: FaultyTransportParts;
  readonly #watches = new Set<FaultyWatch>();
  #isDead = false;
  #requests = 0;
  #writes = 0;
  #events = 0;
  #underWay = 0;
  #stale: Promise<void> | undefined;
  #lagging: Promise<void> | undefined;
  #paused: Promise<void> | undefined;
  #cut: Promise<void> | undefined;

  constructor(parts: FaultyTransportParts) {
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

  /** Requests without an answer, and watches that are open. */
  get open(): number {
    return this.#underWay + this.#watches.size;
  }

  /** The process is no more. */
  kill = (): void => {
    this.#isDead = true;
    for (const watch of this.#watches) watch.close();
  };

  request = async (request: ApiRequest): Promise<ApiResponse> => {
    this.#underWay += 1;
    try {
      const answer = await this.#request(request);
      while (this.#paused !== undefined) await this.#paused;
      return answer;
    } finally {
      this.#underWay -= 1;
    }
  };

  async #request(request: ApiRequest): Promise<ApiResponse> {
    if (this.#isDead) return never();
    if (request.method === 'GET') noteLiveRead();
    await this.#parts.turn();
    if (this.#isDead) return never();
    if (request.signal?.aborted === true) throw request.signal.reason as Error;
    const { method, path, body } = request;
    const number = (this.#requests += 1);
    const write = isWrite(request) ? (this.#writes += 1) : undefined;
    const faults = this.#parts.script.faultsOf({ method, path, body, request: number, write });
    const wasCut = this.#cut !== undefined;
    if (write !== undefined && this.#beforeWrite(write, faults)) return never();
    await this.#strike(faults, request);
    if (!wasCut && this.#cut !== undefined) await this.#after(LATE_MS);
    else if (wasCut) await this.#healed(request);
    if (this.#isDead) return never();
    const failure = faults.find((fault) => fault.kind === 'request')?.failure;
    const webhook = faults.find((fault) => fault.kind === 'admission')?.answer;
    const answer = await this.#send(request, { number, write, failure, webhook });
    if (write !== undefined && this.#afterWrite(write, faults)) return never();
    if (answer === 'silence') return never();
    if (answer === 'broken' || answer === 'truncated') throw thrownFor(answer);
    return answer;
  }

  watch = async (request: ApiRequest): Promise<WatchResponse> => {
    const { api, turn, script } = this.#parts;
    if (this.#isDead) return never();
    await turn();
    await this.#healed(request);
    if (this.#isDead) return never();
    this.#requests += 1;
    const isLate = this.#lagging !== undefined && request.path.includes('sendInitialEvents=true');
    if (isLate) return { ...LAGGING, events: NO_EVENTS };
    const answer = await api.watch(request);
    if (answer.status !== 200) return answer;
    const watch = faultyWatch(answer.events, {
      isDead: () => this.#isDead,
      hold: () => this.#cut ?? this.#paused ?? this.#stale ?? this.#lagging,
      failureOf: (event) => {
        if (event.type === 'BOOKMARK') return undefined;
        return script.failureOf(event, (this.#events += 1));
      },
      delayed: () => this.#after(DELAY_MS),
      closed: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return { ...answer, events: watch };
  };

  /** A call of an external system. Effects count as writes. */
  external = async ({ system, call, args, isEffect, run }: ExternalCall): Promise<unknown> => {
    const { turn, script, history, process, now } = this.#parts;
    if (this.#isDead) return never();
    await turn();
    if (this.#isDead) return never();
    if (!isEffect) return run();
    const write = (this.#writes += 1);
    const faults = script.faultsOf({ write });
    if (this.#beforeWrite(write, faults)) return never();
    await this.#strike(faults);
    const result = await run();
    history.push({ type: 'effect', atMs: now(), process, system, call, args, write, committed: true, by: currentAction() });
    if (this.#afterWrite(write, faults)) return never();
    return result;
  };

  /** Waits for the end of a partition. @throws the reason of the request's signal if that was aborted meanwhile */
  async #healed({ signal }: ApiRequest): Promise<void> {
    while (this.#cut !== undefined) await this.#cut;
    if (signal?.aborted === true) throw signal.reason as Error;
  }

  /** Faults that begin with a write; answers whether the process is dead. */
  #beforeWrite(write: number, faults: readonly Fault[]): boolean {
    const { onWrite, onClockJump } = this.#parts;
    onWrite?.(write, 'before');
    for (const fault of faults) {
      if (fault.kind === 'crash' && fault.moment === 'before') return this.#crash(`killed before write ${write}`);
      if (fault.kind === 'clock') onClockJump(fault.byMs);
      if (fault.kind === 'stale') this.#stale = this.#after(fault.forMs).then(() => void (this.#stale = undefined));
      if (fault.kind === 'lagging') this.#lagging = this.#after(fault.forMs).then(() => void (this.#lagging = undefined));
      if (fault.kind === 'pause') this.#pause(fault.forMs);
      if (fault.kind === 'partition') this.#cut = this.#after(fault.forMs).then(() => void (this.#cut = undefined));
    }
    return false;
  }

  #pause(forMs: number): void {
    this.#parts.onPause?.(forMs);
    this.#paused = this.#after(forMs).then(() => void (this.#paused = undefined));
  }

  /** What happens to others before the write goes on. */
  async #strike(faults: readonly Fault[], request?: ApiRequest): Promise<void> {
    const { onEdit, onStrike } = this.#parts;
    for (const fault of faults) {
      if (fault.kind === 'edit') await onEdit(fault.edit);
      else if (request !== undefined) await onStrike?.(fault, request);
      if (fault.kind === 'lagging' || fault.kind === 'compaction') for (const watch of this.#watches) watch.break();
    }
    while (this.#paused !== undefined) await this.#paused;
  }

  #afterWrite(write: number, faults: readonly Fault[]): boolean {
    this.#parts.onWrite?.(write, 'after');
    const isKilled = faults.some((one) => one.kind === 'crash' && one.moment === 'after');
    return isKilled && this.#crash(`killed right after write ${write}`);
  }

  #crash(says: string): true {
    const { history, now, process, onCrash } = this.#parts;
    history.push({ type: 'note', atMs: now(), process, says });
    this.kill();
    onCrash();
    return true;
  }

  /** Sends it, unless a fault keeps it from the server, and writes it down. */
  async #send(request: ApiRequest, { number, write, failure, webhook }: Sending): Promise<ApiResponse | 'silence' | 'broken' | 'truncated'> {
    const { api, history, now, process, holder } = this.#parts;
    const { method, path, body } = request;
    const target = write === undefined ? undefined : objectPathOf(request);
    if (failure === 'conflict' && target !== undefined)
      await api.request({
        method: 'PATCH',
        path: target,
        headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'somebody-else' },
        body: { metadata: { annotations: { [FOREIGN]: String(number) } } },
      });
    const found = target === undefined ? undefined : await api.request({ method: 'GET', path: target });
    const { isDone, answer: instead } = treatmentOf(failure);
    const refused = webhook === undefined ? undefined : refusalByWebhook(webhook);
    const answer = isDone && refused === undefined ? await api.request(request) : undefined;
    const committed = answer !== undefined && answer.status < 300;
    const seen = instead ?? refused ?? answer ?? 'silence';
    history.push({
      type: 'request',
      atMs: now(),
      process,
      method,
      path,
      body,
      request: number,
      write,
      status: typeof seen === 'string' ? 0 : seen.status,
      before: found?.status === 200 ? found.body : undefined,
      after: committed && write !== undefined ? answer.body : undefined,
      committed,
      fault: failure ?? webhook,
      by: currentAction(),
      ...(typeof seen === 'string' ? {} : { retryAfterMs: askedToWaitMs(seen), ...(method === 'GET' ? { revision: revisionOf(seen) } : {}) }),
      ...(holder === undefined || write === undefined ? {} : { holder: holder() }),
    });
    return seen;
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.setTimer(ms, resolve));
  }
}

function revisionOf({ body }: ApiResponse): string | undefined {
  return (body as { readonly metadata?: { readonly resourceVersion?: string } } | undefined)?.metadata?.resourceVersion;
}

interface Sending {
  readonly number: number;
  readonly write: number | undefined;
  readonly failure: RequestFailure | undefined;
  readonly webhook: AdmissionAnswer | undefined;
}

const NO_EVENTS: AsyncIterable<WatchEvent> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};
