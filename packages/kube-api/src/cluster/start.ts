// A whole cluster for a test: an API, the parts of a cluster beside it, and time.
import { startActors, type ActorName, type ActorOptions, type Actors } from '../actors/index.ts';
import { createApiServer, type ApiServer } from '../create-api-server.ts';
import type { Kubeconfig } from '../http/kubeconfig.ts';
import type { ListenOptions } from '../http/listen.ts';
import type { KubeObject } from '../json.ts';
import { systemClock, type Clock } from '../ports.ts';
import type { User } from '../rbac/user.ts';
import type { ApiServerOptions } from '../server/api-server.ts';
import type { RequestLog } from '../server/request-log.ts';
import type { Transport } from '../transport.ts';
import { clusterClient, type ClusterClient } from './client.ts';
import { seededRandom } from './seeded-random.ts';
import { Time } from './time.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How a cluster is made; everything has a default. */
export interface ClusterOptions {
  /** CustomResourceDefinitions, created first. */
  readonly crds?: readonly object[];
  /** Objects, created through the API in this order: defaulted, validated, and refused if they are wrong. */
  readonly objects?: readonly object[];
  /** What runs beside the API: true for everything, or some of it by name; default: nothing. */
  readonly actors?: boolean | readonly ActorName[];
  /** How pods and claims behave: how long a pod takes to become ready, which never does. */
  readonly behaviour?: Pick<
    ActorOptions,
    'podReadyAfterMs' | 'podStartAfterMs' | 'podStopAfterMs' | 'podBehaviour' | 'claimStaysUnbound'
  >;
  /** Determines uids and generated names; default 1. */
  readonly seed?: number;
  /** 'virtual': time stands still until `advance` or `until` moves it; 'real': the machine's. Default 'virtual'. */
  readonly clock?: 'virtual' | 'real';
  /** When virtual time begins, in ms since the epoch; default 2026-01-01T00:00:00Z. */
  readonly startAt?: number;
  /** True, or where: serves the API over HTTP as well, under `cluster.url`. Default false. */
  readonly listen?: boolean | ListenOptions;
  /**
   * Options of the API server: RBAC, webhooks, faults (`hooks`), and the bounds on memory and history, `watchWindow`,
   * `watchBacklog`, `logLimit` and `objectLimit`.
   */
  readonly server?: Omit<ApiServerOptions, 'clock' | 'random'>;
}

/** What a cluster was at some moment. */
export interface ClusterSnapshot {
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly at: number;
  readonly resourceVersion: string;
  /** All objects, frozen. */
  readonly objects: readonly KubeObject[];
  /** A cluster of its own that begins in this state. */
  readonly fork: () => Promise<Cluster>;
}

/** A running cluster. Its helpers act as an administrator. */
export interface Cluster extends ClusterClient, AsyncDisposable {
  /** In process; what an operator under test talks to. */
  readonly transport: Transport;
  /** The same API for another user, for RBAC. */
  readonly as: (user: User) => Transport & ClusterClient;
  /** `http://127.0.0.1:12345` if it listens. */
  readonly url: string;
  /** A kubeconfig of an administrator if it listens, undefined otherwise. */
  readonly kubeconfig: Kubeconfig | undefined;
  readonly clock: Clock;
  /** Every request that came, those of the actors included. */
  readonly log: RequestLog;
  readonly api: ApiServer;
  /** Faults that actors met, newest last. An actor tries again in any case. */
  readonly actorErrors: readonly string[];
  /** Resolves when everything has happened that happens without time going on. */
  readonly settle: () => Promise<void>;
  /** Lets so much time go by, moment by moment; what happens at one moment has happened before the next comes. */
  readonly advance: (ms: number) => Promise<void>;
  /**
   * Lets time go by until something is so.
   *
   * @param withinMs default 10 minutes
   * @throws Error if it is not so in time
   */
  readonly until: (isSo: () => boolean | Promise<boolean>, withinMs?: number) => Promise<void>;
  readonly snapshot: () => ClusterSnapshot;
  /** A cluster of its own that begins in the present state. */
  readonly fork: () => Promise<Cluster>;
  /** Ends everything. `await using` does it by itself. */
  readonly close: () => Promise<void>;
}

const EPOCH_MS = Date.UTC(2026, 0, 1);
const MASTER: User = { name: 'admin', groups: ['system:masters'] };
const CONTROLLERS: User = { name: 'system:kube-controller-manager', groups: ['system:masters'] };
const DEFAULT_OBJECT_LIMIT = 100_000;
/** So that the token of the administrator shifts no other chance. */
const TOKEN_STREAM = 0x70617761;

/**
 * Starts a cluster in this process.
 *
 * @throws ApiRefusal if the API refuses an object of the options; RangeError for an object of a kind that is not served
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const clock = options.clock === 'real' ? systemClock : new VirtualClock(options.startAt ?? EPOCH_MS);
  const random = seededRandom(options.seed ?? 1);
  const { server = {} } = options;
  const token = seededRandom((options.seed ?? 1) ^ TOKEN_STREAM).uuid();
  const authentication =
    server.authorization === undefined && server.authentication === undefined
      ? {}
      : { authentication: { ...server.authentication, tokens: { [token]: MASTER, ...server.authentication?.tokens } } };
  const limits = { objectLimit: DEFAULT_OBJECT_LIMIT };
  const api = createApiServer({ ...limits, ...server, ...authentication, clock, random });
  const cluster = await run(api, clock, options, 'authentication' in authentication ? token : undefined);
  try {
    for (const object of [...(options.crds ?? []), ...(options.objects ?? [])]) await cluster.create(object);
    await cluster.settle();
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

async function run(api: ApiServer, clock: Clock, options: ClusterOptions, token: string | undefined): Promise<Cluster> {
  const transport = api.as(MASTER);
  const actorErrors: string[] = [];
  const actors = actorsOf(api, clock, options, actorErrors);
  const listening =
    options.listen === undefined || options.listen === false
      ? undefined
      : await api.listen(options.listen === true ? {} : options.listen);
  const time = new Time({ clock, actors, log: api.log, overHttp: listening !== undefined });
  const fork = (state: ApiServer, at: number): Promise<Cluster> => {
    const own = clock instanceof VirtualClock ? new VirtualClock(at) : clock;
    const random = seededRandom((options.seed ?? 1) + Number(state.resourceVersion()));
    return run(state.fork({ clock: own, random }), own, options, token);
  };
  const snapshot = (): ClusterSnapshot => {
    const state = api.fork({ clock });
    const at = clock.now();
    return {
      at,
      resourceVersion: state.resourceVersion(),
      objects: state.objects(),
      fork: () => fork(state, at),
    };
  };
  const close = async (): Promise<void> => {
    const stopped = actors?.stop();
    api.close();
    await Promise.all([stopped, listening?.close()]);
  };
  await time.settle();
  return {
    ...clusterClient(transport),
    transport,
    as: (user) => ({ ...api.as(user), ...clusterClient(api.as(user)) }),
    url: listening?.url ?? '',
    kubeconfig: listening === undefined ? undefined : withToken(listening.kubeconfig, token),
    clock,
    log: api.log,
    api,
    actorErrors,
    settle: time.settle,
    advance: time.advance,
    until: time.until,
    snapshot,
    fork: () => fork(api, clock.now()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withToken(kubeconfig: Kubeconfig, token: string | undefined): Kubeconfig {
  if (token === undefined) return kubeconfig;
  return { ...kubeconfig, users: kubeconfig.users.map(({ name }) => ({ name, user: { token } })) };
}

function actorsOf(api: ApiServer, clock: Clock, options: ClusterOptions, errors: string[]): Actors | undefined {
  const { actors = false, behaviour = {} } = options;
  if (actors === false || (typeof actors === 'object' && actors.length === 0)) return undefined;
  return startActors(api.as(CONTROLLERS), {
    ...behaviour,
    clock,
    ...(actors === true ? {} : { only: actors }),
    onError: (actor, key, error) => {
      errors.push(`${actor} ${key}: ${error instanceof Error ? error.message : String(error)}`);
      if (errors.length > MAX_ERRORS) errors.shift();
    },
  });
}

const MAX_ERRORS = 1_000;
