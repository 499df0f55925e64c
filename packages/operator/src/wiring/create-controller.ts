// One controller, put together from plain parts.
import type { Logger, MonotonicClock, Random } from '@pawl/reconciler';
import { fieldManagersOf, LABELS, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { KeepManager } from '../cache/cached-object.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { ClusterCaches, WatchedAs } from '../cluster/cluster-caches.ts';
import type { OperatorConfig } from '../config.ts';
import { ActionsRunner } from '../controller/actions-runner.ts';
import { FleetBudget } from '../controller/fleet-budget.ts';
import type { WritePermit } from '../controller/guard.ts';
import { KindController } from '../controller/kind-controller.ts';
import type { KindSetup } from '../controller/kind-setup.ts';
import { guardFactory } from '../controller/object-guard.ts';
import { ObjectReconciler, type ObjectReconcilerParts } from '../controller/object-reconciler.ts';
import type { ProtocolFunction } from '../controller/protocol.ts';
import { ObjectRemover } from '../controller/object-remover.ts';
import { Reporter } from '../controller/reporter.ts';
import { StatusWriter } from '../controller/status-writer.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { objectReplacedEvent } from '../events/other-events.ts';
import { tellPruning } from '../events/tell-pruning.ts';
import { MeteredQueue } from '../observe/metered-queue.ts';
import type { Metrics } from '../observe/metrics.ts';
import { sampleOf } from '../observe/object-samples.ts';
import type { Tracer } from '../observe/tracing.ts';
import type { ActionWatch } from '../watchdog/action-tracker.ts';
import { remark } from '../watchdog/block-recorder.ts';
import { QuarantineGate } from '../watchdog/quarantine-gate.ts';

export interface ControllerParts {
  readonly setup: KindSetup;
  readonly client: KubeClient;
  readonly caches: ClusterCaches;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly log: Logger;
  readonly config: OperatorConfig;
  readonly permit: WritePermit;
  readonly protocol: ProtocolFunction;
  readonly elsewhere: ObjectReconcilerParts['elsewhere'];
  readonly metrics: Metrics;
  readonly events: EventRecorder;
  readonly tracer: Tracer;
  /** Follows which Action runs; absent: nobody asks. */
  readonly tracker?: ActionWatch | undefined;
}

/** Makes the controller of one kind and lets the caches watch what it touches. */
export function createController(parts: ControllerParts): KindController {
  const { setup, client, caches, clock, random, log, config, permit, protocol, metrics, events, elsewhere, tracer, tracker } = parts;
  const { kind } = setup.resource;
  const { parent } = setup.catalog;
  const parents = parent === undefined ? [] : [parent.of];
  caches.watch(setup.resource, selectorsOf(config));
  for (const type of [...setup.owned, ...setup.touched, ...parents])
    caches.watch(type, { isRequired: !setup.optional.includes(type), isOwnedOnly: setup.ownedOnly.includes(type) });
  const fleet = new FleetBudget(
    { maxOpenPercent: config.maxOpenPercent, maxStalled: config.maxStalled },
    () => caches.list(setup.resource, { namespace: '*' }),
    clock.monotonic,
  );
  const guardFor = guardFactory({ client, setup, permit });
  const runner = new ActionsRunner({
    client,
    view: caches,
    setup,
    clock,
    random,
    log,
    metrics,
    tracer,
    seed: config.seed,
    watch: tracker?.watch,
    guardFor,
    onReplaced: (owner, replaced) => events.record(objectReplacedEvent(owner, replaced)),
    onReads: (object, reads) => controller.noteReads(object, reads),
  });
  const status = new StatusWriter({ client, setup, permit, wrote: caches.wrote, metrics, events });
  const queue = new MeteredQueue({ clock, random, metrics, name: kind });
  const reconciler = new ObjectReconciler({
    setup,
    client,
    view: caches,
    clock,
    log,
    tracer,
    permit,
    runner,
    status,
    reporter: new Reporter({
      setup,
      clock,
      log,
      metrics,
      events,
      operatorName: config.operatorName,
      release: config.release,
      progressDeadlineMs: config.progressDeadlineMs,
    }),
    protocol,
    remover: new ObjectRemover({
      setup,
      client,
      view: caches,
      runner,
      guardFor,
      onPruned: (owner, pruned, keep) => tellPruning(owner, pruned, keep, { metrics, events }),
    }),
    fleet,
    elsewhere,
    policy: config.upgradePolicy,
  });
  const controller: KindController = new KindController({
    setup,
    caches,
    queue,
    reconciler,
    quarantine: new QuarantineGate({
      release: config.release,
      clock,
      status,
      isCalm: () => queue.state.depth === 0 && queue.state.processing <= 1,
      remark: async (object, mark) => caches.wrote(await remark(object, mark, setup, client)),
    }),
    clock,
    log,
    workers: config.workers,
    resyncMs: config.resyncMs,
    metrics,
    tracer,
  });
  metrics.workers(kind, config.workers);
  metrics.objects(() => caches.list(setup.resource, { namespace: '*' }).map(sampleOf));
  for (const { version } of setup.versions.procedures) metrics.catalog(kind, version, config.release);
  return controller;
}

/** The objects that this operator is for, of every kind that it reconciles. */
function selectorsOf({ labelSelector, fieldSelector }: OperatorConfig): WatchedAs {
  return labelSelector === undefined && fieldSelector === undefined ? {} : { selectors: { labelSelector, fieldSelector } };
}

/** Of what others recorded as theirs only one entry is needed: that of the manager that applied the object for us. */
export function keepManagerOf(packages: readonly ProcedurePackage[]): KeepManager {
  const managers = new Set(
    packages.flatMap(({ name, kinds }) => kinds.map(({ resource }) => fieldManagersOf(name, resource.kind).children)),
  );
  return ({ metadata }) => {
    if (metadata.labels?.[LABELS.owner] === undefined) return undefined;
    const { managedFields = [] } = metadata as { readonly managedFields?: readonly { readonly manager?: string }[] };
    return managedFields.find(({ manager }) => manager !== undefined && managers.has(manager))?.manager;
  };
}
