// One operator process in the world: the production operator over a simulated transport, with a memory that a crash
// takes away.
import type { ApiServer } from '@pawl/kube-api';
import { operatorConfig, operatorContainer, type Operator, type OperatorConfigInput } from '@pawl/operator';
import type { Logger, ProtocolState, Step } from '@pawl/reconciler';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { bindFor, type ExternalFake } from './external-fake.ts';
import type { Fault } from './faults.ts';
import type { HistoryEvent } from './history.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimClock } from './sim-clock.ts';
import { randomStream } from './sim-random.ts';
import { SimTransport } from './sim-transport.ts';

export interface ProcessOptions {
  /** Several processes agree by a Lease who acts. Default: this one is the only one. */
  readonly lease?: boolean;
  readonly onWrite?: (write: number, moment: 'before' | 'after') => void;
  /** Applies an edit of the list. */
  readonly onEdit?: (edit: number) => void;
  readonly protocol?: ProtocolFunction | undefined;
  /** Settings beside those that the world decides. */
  readonly config?: OperatorConfigInput | undefined;
  /** Who holds the Lease. */
  readonly holder?: () => string | undefined;
}

/** Works out the next step of an object. */
export type ProtocolFunction = (state: ProtocolState) => Step;

/** What the operator's composition root calls its parts. */
const [OPERATOR, PROTOCOL] = [Symbol.for('@pawl/operator/operator'), Symbol.for('@pawl/operator/protocol')];

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
}

const KEPT_LOGS = 40;

export class OperatorProcess {
  readonly number: number;
  readonly transport: SimTransport;
  #operator: Operator;
  #isAlive = true;
  /** Timers of an operator that has lost the leadership are those of a process that has ended. */
  #incarnation = 0;
  #isRunning = false;
  #correctionMs = 0;
  #failure: Error | undefined;

  constructor(world: Surroundings, number: number, packages: readonly ProcedurePackage[], options: ProcessOptions) {
    this.number = number;
    this.transport = new SimTransport({
      process: number,
      api: world.api,
      scheduler: world.scheduler,
      now: world.clock.now,
      setTimer: world.clock.portOf({ isAlive: () => this.#isAlive }).setTimer,
      faults: world.faults,
      history: world.history,
      onCrash: () => this.kill(),
      onClockJump: (byMs) => (this.#correctionMs += byMs),
      onEdit: options.onEdit ?? (() => {}),
      onWrite: options.onWrite,
      holder: options.holder,
    });
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
    const container = operatorContainer(config, bound, {
      transport: this.transport,
      clock: world.clock.portOf({ isAlive: isCurrent }, () => this.#correctionMs),
      random: randomStream(world.seed, `process ${this.number} ${incarnation}`),
      log: this.#log(world),
    });
    const { protocol } = options;
    if (protocol !== undefined) container.rebind(PROTOCOL).toConstantValue(protocol);
    const operator = container.get<Operator>(OPERATOR);
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

  /** Everything is brought up once more. */
  resync = (): void => this.#operator.resync();

  /** Ends as a process that is killed: at once, and nothing is let go. */
  kill = (): void => {
    this.#isAlive = false;
    this.transport.kill();
  };

  /** Ends as after a SIGTERM. Needs the scheduler to run meanwhile. */
  stop = async (): Promise<void> => {
    await this.#operator.stop();
    this.kill();
  };

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
