// Starts the actors of a cluster over one transport.
import { setImmediate } from 'node:timers/promises';
import type { Clock, Random } from '../ports.ts';
import type { Transport } from '../transport.ts';
import type { Actor, ActorName } from './base/actor.ts';
import { Runner } from './base/actor.ts';
import { Activity } from './base/activity.ts';
import { Client } from './base/client.ts';
import { Cluster } from './base/cluster.ts';
import type { Kind } from './base/kind.ts';
import { resourceName } from './base/kind.ts';
import type { Change } from './base/store.ts';
import { daemonSetActor } from './daemon-set/index.ts';
import { deploymentActor } from './deployment/index.ts';
import { disruptionActor } from './disruption/index.ts';
import { garbageCollector } from './garbage-collector/index.ts';
import { jobActor } from './job/index.ts';
import { namespaceActor } from './namespace/index.ts';
import { nodeActor } from './node/index.ts';
import type { PodOptions } from './pod/behaviour.ts';
import { podActor } from './pod/index.ts';
import { Pool } from './pool.ts';
import { replicaSetActor } from './replica-set/index.ts';
import { statefulSetActor } from './stateful-set/index.ts';
import type { VolumeOptions } from './volume/index.ts';
import { volumeActors } from './volume/index.ts';

/** Options of {@link startActors}. */
export interface ActorOptions extends PodOptions, VolumeOptions {
  readonly clock: Clock;
  /** Accepted so that callers can pass their ports whole; the actors leave all chance to the server. */
  readonly random?: Random;
  /** The actors to start; default: all. */
  readonly only?: readonly ActorName[];
  /** Hears of refused requests and faults. They are retried in any case; default: nobody. */
  readonly onError?: (actor: string, key: string, error: unknown) => void;
  /** Waits for a moment in which what is under way arrives; default: one turn of the event loop. */
  readonly turn?: () => Promise<void>;
}

/** Running actors. */
export interface Actors {
  /** Ends all requests and watches; resolves when nothing is left in flight. */
  readonly stop: () => Promise<void>;
  /** Resolves when nothing is queued or in flight. Delays that wait for the clock do not count. */
  readonly idle: () => Promise<void>;
}

/**
 * Starts the parts of a cluster that live outside the API server: Deployments, ReplicaSets, StatefulSets, DaemonSets
 * and Jobs get their pods, pods run, nodes come up, claims get volumes, disruption budgets are counted, namespaces are
 * emptied, and garbage is collected. They are ordinary API clients that list and watch, so that they run against this
 * package's server as well as a real one; as long as nothing changes they send nothing. `transport` is ended by its
 * owner.
 */
export function startActors(transport: Transport, options: ActorOptions): Actors {
  const { clock, only, turn = () => setImmediate(), onError = () => {} } = options;
  const stopping = new AbortController();
  const activity = new Activity();
  const cluster = new Cluster();
  const changed = (kind: Kind, change: Change): void => {
    pool.follow(kind, change);
    for (const runner of runners) runner.hear(resourceName(kind), change);
  };
  const chosen = allActors(options).filter(({ name }) => only?.includes(name) ?? true);
  const shared = { transport, cluster, clock, activity, turn, signal: stopping.signal, changed, failed: onError };
  const runners = chosen.map((actor) => new Runner(actor, shared));
  const pool = new Pool({
    ...shared,
    client: new Client(transport, 'kube-controller-manager/pawl (informers)', stopping.signal),
    wanted: chosen.some((actor) => actor.watchesEvery !== undefined)
      ? 'every'
      : new Set(chosen.flatMap(({ watches }) => Object.keys(watches))),
    synced: () => {
      for (const runner of runners) runner.open();
    },
    joined: (kind) => {
      recall(cluster, kind, runners);
    },
    failed: (error) => {
      onError('discovery', '', error);
    },
  });
  const started = pool.start();
  return {
    stop: async () => {
      stopping.abort();
      await started;
      await Promise.all([pool.ended(), ...runners.map((runner) => runner.stop())]);
    },
    idle: async () => {
      for (let quiet = 0; quiet < 2; quiet = activity.busy ? 0 : quiet + 1) {
        await activity.none();
        await turn();
      }
    },
  };
}

function allActors(options: ActorOptions): readonly Actor[] {
  return [
    deploymentActor,
    replicaSetActor,
    statefulSetActor,
    daemonSetActor,
    jobActor,
    podActor(options),
    nodeActor,
    ...volumeActors(options),
    disruptionActor,
    namespaceActor,
    garbageCollector(),
  ];
}

/** A kind that turns up late may be the one that owners were waiting to be judged by. */
function recall(cluster: Cluster, joined: Kind, runners: readonly Runner[]): void {
  for (const kind of cluster.kinds()) {
    for (const object of cluster.storeOf(kind)?.list() ?? []) {
      if (!object.metadata.ownerReferences?.some((owner) => cluster.kindOf(owner) === joined)) continue;
      for (const runner of runners) runner.hear(resourceName(kind), { before: undefined, after: object });
    }
  }
}
