// One operator process in the world: the production operator over a simulated transport, with a memory that a crash
// takes away.
import type { ApiServer } from '@pawl/kube-api';
import { OPERATOR, operatorConfig, operatorContainer, PROTOCOL, TRACKER, type Operator, type OperatorConfigInput, type ProtocolFunction } from '@pawl/operator';
import type { Logger } from '@pawl/reconciler';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { ActionFollower, type OnAction, type RunningAction } from './action-follower.ts';
import { bindFor, type ExternalFake } from './external-fake.ts';
import { scriptByCount } from './fault-script.ts';
import type { Fault } from './faults.ts';
import type { HistoryEvent } from './history.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimClock, TimerOwner } from './sim-clock.ts';
import { randomStream } from './sim-random.ts';
import { FaultyTransport } from './faulty-transport.ts';
import type { WorldFaults } from './world-faults.ts';

export interface ProcessOptions {
  /** Several processes agree by a Lease who acts. Default: this one is the only one. */
  readonly lease?: boolean;
  readonly onWrite?: (write: number, moment: 'before' | 'after') => void;
  /** Applies an edit of the list. */
  readonly onEdit?: (edit: number) => Promise<void>;
  /** Which faults strike where. Default: as the plan counts. */
  readonly script?: typeof scriptByCount | undefined;
  readonly protocol?: ProtocolFunction | undefined;
  /** Settings beside those that the world decides. */
  readonly config?: OperatorConfigInput | undefined;
  /** Who holds the Lease. */
  readonly holder?: () => string | undefined;
  /** Told whenever an Action begins. Returns at once. */
  readonly onAction?: OnAction | undefined;
}

/** What a process has around it; the world is it. */
export interface Surroundings {
  readonly seed: number;
  readonly api: ApiServer;
  readonly clock: SimClock;
  readonly scheduler: Scheduler;
  readonly faults: readonly Fault[];
  readonly history: HistoryEvent[];
  readonly fakes: readonly ExternalFake[];
  readonly externals: Record<string, object>;
  readonly strike: WorldFaults['strike'];
}

const KEPT_LOGS = 40;

export class OperatorProcess {
  readonly number: number;
  readonly transport: FaultyTransport;
  #operator: Operator;
  #isAlive = true;
  /** Timers of an operator that has lost the leadership are those of a process that has ended. */
  #incarnation = 0;
  #isRunning = false;
  #correctionMs = 0;
  #pausedUntil = 0;
  readonly #follower: ActionFollower;
  /** Whose timers are those of the operator as it is now. */
  #owner: TimerOwner = { isAlive: () => false };
  #failure: Error | undefined;

  constructor(world: Surroundings, number: number, packages: readonly ProcedurePackage[], options: ProcessOptions) {
    this.number = number;
    this.transport = new FaultyTransport({
      process: number,
      api: world.api,
      turn: () => world.scheduler.park(`p${number}`),
      now: world.clock.now,
      setTimer: world.clock.portOf({ isAlive: () => this.#isAlive }).setTimer,
      script: (options.script ?? scriptByCount)(world.faults, number),
      history: world.history,
      onCrash: () => this.kill(),
      onClockJump: (byMs) => (this.#correctionMs += byMs),
      onEdit: options.onEdit ?? (() => Promise.resolve()),
      onStrike: world.strike,
      // Code that stood still goes on before any timer is called.
      onPause: (forMs) => (this.#pausedUntil = world.clock.now() + forMs + 1),
      onWrite: options.onWrite,
      holder: options.holder,
    });
    this.#follower = new ActionFollower({ process: number, now: world.clock.now, history: world.history, onAction: options.onAction });
    world.history.push({ type: 'note', atMs: world.clock.now(), process: number, says: `process ${number} starts` });
    this.#operator = this.#boot(world, packages, options);
  }

  /** An operator that loses the leadership ends, and a new one begins in its place, with an empty memory. */
  #boot(world: Surroundings, packages: readonly ProcedurePackage[], options: ProcessOptions): Operator {
    const incarnation = (this.#incarnation += 1);
    this.#isRunning = false;
    const config = operatorConfig({
      ...options.config,
      operatorName: 'explore',
      podName: `replica-${this.number}`,
      settleMs: 0,
      workers: 1,
      seed: world.seed,
      ...(options.lease === true ? { leaseNamespace: 'default' } : {}),
    });
    const bound = packages.map((each) =>
      each.external.length === 0 ? each : { ...each, external: each.external.map((one) => this.#bind(world, one)) },
    );
    const isCurrent = (): boolean => this.#isAlive && incarnation === this.#incarnation;
    this.#owner = { isAlive: isCurrent, pausedUntil: () => this.#pausedUntil };
    const container = operatorContainer(config, bound, {
      transport: this.transport,
      clock: world.clock.portOf(this.#owner, () => this.#correctionMs),
      random: randomStream(world.seed, `process ${this.number} ${incarnation}`),
      log: this.#log(world),
    });
    const { protocol } = options;
    if (protocol !== undefined) container.rebind(PROTOCOL).toConstantValue(protocol);
    container.rebind(TRACKER).toConstantValue(this.#follower);
    const operator = container.get(OPERATOR);
    operator.start().then(
      () => (this.#isRunning = isCurrent()),
      (error: unknown) => (this.#failure = error instanceof Error ? error : new Error(String(error))),
    );
    if (options.lease === true)
      void operator.lost.then(async (reason) => {
        world.history.push({ type: 'note', atMs: world.clock.now(), process: this.number, says: `lost the leadership: ${reason}` });
        void operator.stop();
        if (isCurrent()) this.#operator = this.#boot(world, packages, options);
      });
    return operator;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Whether its caches are complete and its workers run. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Why it did not start. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Actions that were begun and have not answered. */
  get running(): readonly RunningAction[] {
    return this.#follower.running;
  }

  /** Everything is brought up once more. */
  resync = (): void => this.#operator.resync();

  /** Ends as a process that is killed: at once, and nothing is let go. */
  kill = (): void => {
    this.#isAlive = false;
    this.transport.kill();
  };

  /** Ends as after a SIGTERM. Needs the scheduler to run meanwhile. */
  stop = (): Promise<void> => this.#operator.stop();

  /** What of it is still there: timers, requests, watches. */
  leftOf = (clock: SimClock): { readonly timers: number; readonly connections: number } => ({
    timers: clock.pendingOf(this.#owner),
    connections: this.transport.open,
  });

  #bind(world: Surroundings, bound: ProcedurePackage['external'][number]): ProcedurePackage['external'][number] {
    const fake = world.fakes.find(({ key }) => key === bound.key);
    return bindFor(bound, fake, world.externals[bound.key] ?? {}, this.transport);
  }

  #log(world: Surroundings): Logger {
    let kept = 0;
    const keep = (level: 'warn' | 'error') => (bindings: object, says: string) => {
      if (!this.#isAlive || (kept += 1) > KEPT_LOGS) return;
      const { err, why } = bindings as { readonly err?: unknown; readonly why?: unknown };
      const error = err instanceof Error ? err.message : typeof why === 'string' ? why : undefined;
      world.history.push({
        type: 'log',
        atMs: world.clock.now(),
        process: this.number,
        level,
        says,
        error,
      });
    };
    const ignore = (): void => {};
    return { debug: ignore, info: ignore, warn: keep('warn'), error: keep('error') };
  }
}
