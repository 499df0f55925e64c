// Electors of several processes over one API in memory: each with its own network and its own clock, in a time that is pushed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { seeded, type Clock, type Logger, type Random } from '@pawl/reconciler';
import { KubeClient } from '../../client/kube-client.ts';
import type { MonotonicClock } from '@pawl/reconciler';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../transport/transport.ts';
import { pause } from '../../waiting.ts';
import { createElector } from '../elect.ts';
import { LEASES } from '../lease.ts';
import type { LeaderElector } from '../leader-elector.ts';
import { WriteLedger } from '../write-ledger.ts';

/** The network of one process. Delays are in milliseconds. */
export interface Network {
  /** Before a request reaches the server, and before the answer is back. */
  requestMs: number;
  answerMs: number;
  /** Requests do not arrive; or they do, and their answers are lost. */
  cut: 'no' | 'requests' | 'answers';
}

/** One replica. */
export class Replica {
  readonly network: Network = { requestMs: 0, answerMs: 0, cut: 'no' };
  readonly elector: LeaderElector;
  readonly ledger: WriteLedger;
  readonly logged: string[] = [];
  readonly lost: string[] = [];
  /** By how much the wall clock of this replica is off. */
  wallOffsetMs = 0;
  readonly #api: Transport;
  readonly #clock: ManualClock;

  constructor(name: string, api: Transport, clock: ManualClock, seed: number) {
    this.#api = api;
    this.#clock = clock;
    const monotonicOffset = seed * 1_000_003;
    const ownClock: MonotonicClock = {
      now: () => clock.now() + this.wallOffsetMs,
      monotonic: () => clock.now() + monotonicOffset,
      setTimer: clock.setTimer,
    };
    const keep = (_bindings: object, message: string): void => void this.logged.push(message);
    const log: Logger = { debug: keep, info: keep, warn: keep, error: keep };
    const transport: Transport = { request: this.#request, watch: api.watch };
    this.ledger = new WriteLedger({ transport, monotonic: ownClock.monotonic, settleMs: 20_000 });
    this.elector = createElector({
      operatorName: 'web',
      namespace: 'default',
      podName: name,
      transport,
      clock: ownClock,
      random: stirred(seed),
      log,
      writesSettleInMs: this.ledger.settlesInMs,
    });
    this.elector.onLost((reason) => this.lost.push(reason));
  }

  /** Begins to seek; what is wrong with that shows in `isLeading`. */
  seek(): void {
    this.elector.whenLeading(new AbortController().signal).catch(() => {});
  }

  get mayWrite(): boolean {
    try {
      this.elector.permit.assert();
      return true;
    } catch {
      return false;
    }
  }

  #request = async (request: ApiRequest): Promise<ApiResponse> => {
    const { requestMs, answerMs, cut } = this.network;
    if (cut === 'requests') return new Promise(() => {});
    // A request that is on its way arrives, whether its sender still waits for it or not.
    const { signal: _signal, ...rest } = request;
    if (requestMs > 0) await pause(this.#clock, requestMs);
    const answer = await this.#api.request(rest);
    if (answerMs > 0) await pause(this.#clock, answerMs);
    return cut === 'answers' || this.network.cut === 'answers' ? new Promise(() => {}) : answer;
  };
}

export class ElectionLab {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1));
  readonly api: Transport;
  readonly client: KubeClient;
  readonly replicas: Replica[] = [];
  #check: () => void = () => {};

  /** @param serve makes the API of this lab */
  constructor(serve: (ports: { readonly clock: Clock; readonly random: Random }) => Transport) {
    this.api = serve({ clock: this.clock, random: stirred(99) });
    this.client = new KubeClient({ transport: this.api, clock: this.clock, random: stirred(98) });
  }

  replica(name: string): Replica {
    const replica = new Replica(name, this.api, this.clock, this.replicas.length + 1);
    this.replicas.push(replica);
    return replica;
  }

  /** Called after each step of time. */
  onStep(check: () => void): void {
    this.#check = check;
  }

  /** Lets time pass in steps. */
  async run(ms: number, stepMs = 250): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await drain();
      this.#check();
      this.clock.advance(stepMs);
    }
    await drain();
    this.#check();
  }

  /** How long it takes until something is so, in milliseconds. @throws if it takes longer than `withinMs` */
  async until(isSo: () => boolean, withinMs: number): Promise<number> {
    const began = this.clock.now();
    while (!isSo()) {
      if (this.clock.now() - began > withinMs) throw new Error(`not within ${withinMs} ms`);
      await this.run(250);
    }
    return this.clock.now() - began;
  }

  async lease(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const found = await this.client.find(LEASES, LEASE);
    return (found as { readonly spec?: Readonly<Record<string, unknown>> } | undefined)?.spec;
  }

  async close(): Promise<void> {
    const released = Promise.all(this.replicas.map(({ elector }) => elector.release()));
    await Promise.all([released, this.run(60_000, 1_000)]);
  }
}

export const LEASE = { namespace: 'default', name: 'pawl-web' } as const;

/** Chance that is the same in every run and differs between replicas. */
export function stirred(seed: number): Random {
  const next = seeded(seed);
  const byte = (): number => Math.floor(next() * 256);
  return {
    uuid: () => `00000000-0000-4000-8000-${String(Math.floor(next() * 1e12)).padStart(12, '0')}`,
    bytes: (length) => Uint8Array.from({ length }, byte),
  };
}

/** Until nothing happens any more without time passing. */
async function drain(): Promise<void> {
  for (let round = 0; round < 6; round += 1) await nextTurn();
}
