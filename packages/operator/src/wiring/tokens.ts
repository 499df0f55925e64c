// Typed names of what the composition root binds. A test swaps one part by binding its token anew.
import type { Logger, MonotonicClock, Random } from '@pawl/reconciler';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { ServiceIdentifier } from 'inversify';
import type { RolloutCensus } from '../census/rollout-census.ts';
import type { InformerFactory } from '../cache/informer-factory.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { ClusterCaches } from '../cluster/cluster-caches.ts';
import type { OperatorConfig } from '../config.ts';
import type { WritePermit } from '../controller/guard.ts';
import type { KindController } from '../controller/kind-controller.ts';
import type { KindSetup } from '../controller/kind-setup.ts';
import type { ProtocolFunction } from '../controller/protocol.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { HealthServer } from '../observe/health-server.ts';
import type { Leadership } from '../leader/leadership.ts';
import type { WriteLedger } from '../leader/write-ledger.ts';
import type { Tracer } from '../observe/tracing.ts';
import type { OperatorMetrics } from '../observe/unread-metrics.ts';
import type { Operator } from '../operator.ts';
import type { ActionWatch } from '../watchdog/action-tracker.ts';
import type { Watchdog } from '../watchdog/watchdog.ts';
import type { Transport } from '../transport/transport.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`@pawl/operator/${name}`);

export const CONFIG = token<OperatorConfig>('config');
export const TRANSPORT = token<Transport>('transport');
export const CLOCK = token<MonotonicClock>('clock');
export const RANDOM = token<Random>('random');
export const LOGGER = token<Logger>('logger');
export const TRACER = token<Tracer>('tracer');
/** Bound once for each package. */
export const PACKAGE = token<ProcedurePackage>('package');
export const CLIENT = token<KubeClient>('client');
export const INFORMERS = token<InformerFactory>('informers');
export const CACHES = token<ClusterCaches>('caches');
/** Knows which changes of the operator may still take effect. */
export const LEDGER = token<WriteLedger>('ledger');
export const LEADERSHIP = token<Leadership>('leadership');
export const METRICS = token<OperatorMetrics>('metrics');
export const EVENTS = token<EventRecorder>('events');
/** Takes what is told of the process itself, which need not lead for it. */
export const PROCESS_EVENTS = token<EventRecorder>('process-events');
export const HEALTH = token<HealthServer>('health');
/** One for each kind of the packages. */
export const SETUPS = token<readonly KindSetup[]>('setups');
export const CENSUS = token<RolloutCensus>('census');
/** Undefined: nobody looks after the event loop. */
export const WATCHDOG = token<Watchdog | undefined>('watchdog');
/** Follows which Action runs; undefined: nobody asks. */
export const TRACKER = token<ActionWatch | undefined>('tracker');
export const PERMIT = token<WritePermit>('permit');
export const PROTOCOL = token<ProtocolFunction>('protocol');
export const CONTROLLERS = token<readonly KindController[]>('controllers');
export const OPERATOR = token<Operator>('operator');
