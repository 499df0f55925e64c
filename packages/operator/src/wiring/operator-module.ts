// The composition root: which part is made of which. Nothing else knows the container.
import 'reflect-metadata';
import { nextStep, type Logger, type Random } from '@pawl/reconciler';
import { DOMAIN, leaseName, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { Container, ContainerModule } from 'inversify';
import type { RolloutCensus } from '../census/rollout-census.ts';
import { InformerFactory } from '../cache/informer-factory.ts';
import type { CallerOptions } from '../client/caller.ts';
import { KubeClient } from '../client/kube-client.ts';
import type { MonotonicClock } from '@pawl/reconciler';
import { ClusterCaches } from '../cluster/cluster-caches.ts';
import type { OperatorConfig } from '../config.ts';
import type { WritePermit } from '../controller/guard.ts';
import type { KindController } from '../controller/kind-controller.ts';
import type { KindSetup } from '../controller/kind-setup.ts';
import type { ProtocolFunction } from '../controller/protocol.ts';
import type { Leadership } from '../leader/leadership.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import { OtherLeases } from '../leader/other-leases.ts';
import { settleMsOf } from '../leader/timing.ts';
import { WriteLedger } from '../leader/write-ledger.ts';
import { meteredPermit } from '../observe/counted-permit.ts';
import type { HealthServer } from '../observe/health-server.ts';
import { meteredTransport } from '../observe/metered-transport.ts';
import { PrometheusMetrics } from '../observe/prometheus-metrics.ts';
import { tracedLogger } from '../observe/traced-logger.ts';
import { tracedTransport } from '../observe/traced-transport.ts';
import { noTracer, type Tracer } from '../observe/tracing.ts';
import { unreadMetrics, type OperatorMetrics } from '../observe/unread-metrics.ts';
import { Operator, type OperatorWatchdog } from '../operator.ts';
import type { Transport } from '../transport/transport.ts';
import type { ActionWatch } from '../watchdog/action-tracker.ts';
import { recordBlock } from '../watchdog/block-recorder.ts';
import type { Watchdog } from '../watchdog/watchdog.ts';
import { createCensus } from './create-census.ts';
import { createClient, HOST } from './create-client.ts';
import { createController, keepManagerOf, type ControllerParts } from './create-controller.ts';
import { createHealth } from './create-health.ts';
import { createLeadership } from './create-leadership.ts';
import { kindSetups } from './kind-setups.ts';
import {
  CACHES,
  CENSUS,
  CLIENT,
  CLOCK,
  CONFIG,
  CONTROLLERS,
  EVENTS,
  HEALTH,
  INFORMERS,
  LEADERSHIP,
  LEDGER,
  LOGGER,
  METRICS,
  OPERATOR,
  PACKAGE,
  PERMIT,
  PROCESS_EVENTS,
  PROTOCOL,
  RANDOM,
  SETUPS,
  TRACER,
  TRACKER,
  TRANSPORT,
  WATCHDOG,
} from './tokens.ts';

/** What an operator takes from outside. */
export interface OperatorPorts {
  readonly transport: Transport;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly log: Logger;
  /** Ends the process when an Action blocks it; absent: nobody does. */
  readonly watchdog?: Watchdog | undefined;
  /** Makes spans; absent: there are none. */
  readonly tracer?: Tracer | undefined;
}

/** Binds everything; a part can be swapped by binding its token anew before the operator is asked for. */
export function operatorContainer(
  config: OperatorConfig,
  packages: readonly ProcedurePackage[],
  { transport, clock, random, log, watchdog, tracer = noTracer }: OperatorPorts,
): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.bind(TRANSPORT).toConstantValue(transport);
  container.bind(CLOCK).toConstantValue(clock);
  container.bind(RANDOM).toConstantValue(random);
  container.bind(LOGGER).toConstantValue(tracedLogger(log, tracer));
  container.bind(TRACER).toConstantValue(tracer);
  container.bind(WATCHDOG).toConstantValue(watchdog);
  for (const each of packages) container.bind(PACKAGE).toConstantValue(each);
  container.load(operatorModule);
  return container;
}

const operatorModule = new ContainerModule(({ bind }) => {
  bind(METRICS).toResolvedValue(({ healthPort }: OperatorConfig) => (healthPort === 0 ? unreadMetrics : new PrometheusMetrics()), [CONFIG]);
  bind(LEDGER).toResolvedValue(
    (inner: Transport, { monotonic }: MonotonicClock, config: OperatorConfig, metrics: OperatorMetrics, tracer: Tracer) => {
      const transport = meteredTransport(tracedTransport(inner, tracer), metrics, HOST);
      return new WriteLedger({ transport, monotonic, settleMs: settleMsOf(config) });
    },
    [TRANSPORT, CLOCK, CONFIG, METRICS, TRACER],
  );
  bind(LEADERSHIP).toResolvedValue(
    (
      transport: Transport,
      ledger: WriteLedger,
      clock: MonotonicClock,
      random: Random,
      log: Logger,
      config: OperatorConfig,
      metrics: OperatorMetrics,
    ): Leadership => createLeadership({ config, transport, ledger, clock, random, log, metrics }),
    [TRANSPORT, LEDGER, CLOCK, RANDOM, LOGGER, CONFIG, METRICS],
  );
  bind(PERMIT).toResolvedValue(
    ({ permit }: Leadership, metrics: OperatorMetrics): WritePermit => meteredPermit(permit, metrics),
    [LEADERSHIP, METRICS],
  );
  bind(CLIENT).toResolvedValue(
    (
      { transport }: WriteLedger,
      clock: MonotonicClock,
      random: Random,
      config: OperatorConfig,
      permit: WritePermit,
      metrics: OperatorMetrics,
    ) => createClient({ transport, clock, random, config, permit, metrics }),
    [LEDGER, CLOCK, RANDOM, CONFIG, PERMIT, METRICS],
  );
  bind(EVENTS).toResolvedValue(
    (transport: Transport, clock: MonotonicClock, random: Random, log: Logger, config: OperatorConfig, { assert }: WritePermit) =>
      recorderOf({ transport, clock, random, beforeMutation: assert }, log, config),
    [TRANSPORT, CLOCK, RANDOM, LOGGER, CONFIG, PERMIT],
  );
  bind(PROCESS_EVENTS).toResolvedValue(
    (transport: Transport, clock: MonotonicClock, random: Random, log: Logger, config: OperatorConfig) =>
      recorderOf({ transport, clock, random }, log, config),
    [TRANSPORT, CLOCK, RANDOM, LOGGER, CONFIG],
  );
  bind(INFORMERS).toResolvedValue(
    (client: KubeClient, clock: MonotonicClock, random: Random, log: Logger, packages: ProcedurePackage[]) =>
      new InformerFactory({
        client,
        clock,
        random,
        keepManager: keepManagerOf(packages),
        onHandlerError: (error) => log.error({ err: error }, 'a handler of events failed'),
        onFailure: ({ error, next, waitMs, scope: { type } }) =>
          log.warn({ kind: type.kind, next, waitMs, err: error }, 'a watch was interrupted and goes on'),
      }),
    [CLIENT, CLOCK, RANDOM, LOGGER, { isMultiple: true, serviceIdentifier: PACKAGE, chained: false }] as const,
  );
  bind(CACHES).toResolvedValue(
    (informers: InformerFactory, { namespaces }: OperatorConfig) => new ClusterCaches(informers, namespaces),
    [INFORMERS, CONFIG],
  );
  bind(PROTOCOL).toConstantValue(nextStep);
  bind(TRACKER).toResolvedValue((watchdog: Watchdog | undefined): ActionWatch | undefined => watchdog?.tracker, [WATCHDOG]);
  bind(SETUPS).toResolvedValue(
    (packages: ProcedurePackage[], client: KubeClient, clock: MonotonicClock, log: Logger, config: OperatorConfig) =>
      kindSetups({ packages, client, clock, log, config }),
    [{ isMultiple: true, serviceIdentifier: PACKAGE, chained: false }, CLIENT, CLOCK, LOGGER, CONFIG] as const,
  );
  bind(CENSUS).toResolvedValue(
    (
      setups: readonly KindSetup[],
      caches: ClusterCaches,
      config: OperatorConfig,
      metrics: OperatorMetrics,
      events: EventRecorder,
      clock: MonotonicClock,
      log: Logger,
    ) => createCensus({ setups, caches, config, metrics, events, clock, log }),
    [SETUPS, CACHES, CONFIG, METRICS, PROCESS_EVENTS, CLOCK, LOGGER],
  );
  bind(CONTROLLERS).toResolvedValue(
    (
      setups: readonly KindSetup[],
      client: KubeClient,
      caches: ClusterCaches,
      clock: MonotonicClock,
      random: Random,
      log: Logger,
      config: OperatorConfig,
      permit: WritePermit,
      protocol: ProtocolFunction,
      metrics: OperatorMetrics,
      events: EventRecorder,
      tracker: ActionWatch | undefined,
      tracer: Tracer,
    ): readonly KindController[] =>
      setups.map((setup) => {
        const elsewhere = elsewhereFor(config, client, clock);
        return createController({ setup, client, caches, clock, random, log, config, permit, protocol, metrics, events, elsewhere, tracer, tracker });
      }),
    [
      SETUPS,
      CLIENT,
      CACHES,
      CLOCK,
      RANDOM,
      LOGGER,
      CONFIG,
      PERMIT,
      PROTOCOL,
      METRICS,
      EVENTS,
      TRACKER,
      TRACER,
    ] as const,
  );
  bind(HEALTH).toResolvedValue(
    (
      caches: ClusterCaches,
      controllers: readonly KindController[],
      census: RolloutCensus,
      clock: MonotonicClock,
      metrics: OperatorMetrics,
    ) => createHealth({ caches, controllers, census, clock, metrics }),
    [CACHES, CONTROLLERS, CENSUS, CLOCK, METRICS],
  );
  bind(OPERATOR).toResolvedValue(
    (
      caches: ClusterCaches,
      controllers: readonly KindController[],
      leadership: Leadership,
      census: RolloutCensus,
      events: EventRecorder,
      health: HealthServer,
      clock: MonotonicClock,
      log: Logger,
      { shutdownMs, healthPort, leaseNamespace, operatorName }: OperatorConfig,
      watched: Watchdog | undefined,
      setups: readonly KindSetup[],
      transport: Transport,
      random: Random,
      ofProcess: EventRecorder,
    ) => {
      // A process that does not lead may say what blocked it all the same.
      const record = ({ report: file }: Watchdog): Promise<void> => {
        const client = new KubeClient({ transport, clock, random, userAgent: `pawl-watchdog/${operatorName}` });
        return recordBlock({ file, kinds: setups, client, log });
      };
      const watchdog: OperatorWatchdog | undefined =
        watched === undefined ? undefined : { start: watched.start, stop: watched.stop, record: () => record(watched) };
      const hasReplicas = leaseNamespace !== undefined;
      const stopEvents = async (): Promise<void> => void (await Promise.all([events.stop(), ofProcess.stop()]));
      return new Operator({ caches, controllers, leadership, census, hasReplicas, stopEvents, watchdog, health, healthPort, clock, log, shutdownMs });
    },
    [CACHES, CONTROLLERS, LEADERSHIP, CENSUS, EVENTS, HEALTH, CLOCK, LOGGER, CONFIG, WATCHDOG, SETUPS, TRANSPORT, RANDOM, PROCESS_EVENTS],
  );
});

/** An Event that arrives late does no harm: its client bypasses the ledger, so that none keeps the Lease from being released. */
function recorderOf(options: CallerOptions, log: Logger, { operatorName, podName }: OperatorConfig): EventRecorder {
  const { clock, random } = options;
  const client = new KubeClient({ ...options, userAgent: `pawl-events/${operatorName}` });
  return new EventRecorder({ client, clock, random, log, controller: `${DOMAIN}/${operatorName}`, instance: podName });
}

/** Without a Lease of its own an operator is declared to be the only one. */
function elsewhereFor(
  { leaseNamespace, operatorName }: OperatorConfig,
  client: KubeClient,
  clock: MonotonicClock,
): ControllerParts['elsewhere'] {
  if (leaseNamespace === undefined) return () => Promise.resolve(undefined);
  return new OtherLeases(client, clock, leaseNamespace, leaseName(operatorName)).live;
}

/**
 * An operator for these packages, not started yet.
 * @throws {ConfigError} if the packages do not fit together
 */
export function createOperator(
  config: OperatorConfig,
  packages: readonly ProcedurePackage[],
  ports: OperatorPorts,
): Operator {
  return operatorContainer(config, packages, ports).get(OPERATOR);
}
