// A real control plane as a target: built here, found by KUBEBUILDER_ASSETS, or any cluster that the user points to.
import { randomBytes } from 'node:crypto';
import { startActors } from '@pawl/kube-api';
import type { Actors } from '@pawl/kube-api';
import { connect } from '../../control-plane/connect.ts';
import type { Connection } from '../../control-plane/connect.ts';
import { startControlPlane } from '../../control-plane/start.ts';
import { realClock, realTime } from '../clocks.ts';
import type { Need, Row } from '../row.ts';
import { sharedDefinitions } from '../rows/definitions.ts';
import { needsNobodyMeets } from '../target.ts';
import type { Session, Target } from '../target.ts';
import { fromKubeconfig } from './kubeconfig.ts';
import { cleanUp, prepare } from './prepare.ts';

/** A running cluster and what may be done to it. */
interface RealServer {
  readonly version: string;
  readonly admin: Connection;
  readonly nobody?: Connection;
  readonly hasControllers: boolean;
  /** Only where it is ours: then it may be compacted and its pods may be moved. */
  readonly etcdUrl?: string;
  readonly setStorage?: (running: boolean) => Promise<void>;
  readonly stop: (namespaces: readonly string[]) => Promise<void>;
}

/**
 * Starts a control plane of this machine's binaries; `close()` ends it. With PAWL_USE_KUBECONFIG=1 the rows run against
 * the current context of KUBECONFIG instead, in namespaces and kinds of their own that `close()` removes.
 *
 * @throws when there is neither.
 */
export async function controlPlaneTarget(env: NodeJS.ProcessEnv = process.env): Promise<Target> {
  const server = env['PAWL_USE_KUBECONFIG'] === '1' ? await theCluster() : await ourOwn();
  try {
    await prepare(server.admin, { definitions: sharedDefinitions, pass: realTime });
  } catch (error) {
    await server.stop([]);
    throw error;
  }
  return target(server);
}

async function ourOwn(): Promise<RealServer> {
  const plane = await startControlPlane();
  const admin = connect(plane.url, plane.admin);
  const nobody = connect(plane.url, plane.nobody);
  const stop = async (): Promise<void> => {
    await Promise.all([admin.close(), nobody.close()]);
    await plane.stop();
  };
  return {
    version: plane.version,
    admin,
    nobody,
    hasControllers: plane.hasControllers,
    etcdUrl: plane.etcdUrl,
    setStorage: plane.setStorage,
    stop,
  };
}

async function theCluster(): Promise<RealServer> {
  const { url, credentials } = fromKubeconfig();
  const admin = connect(url, credentials);
  const { body } = await admin.request({ method: 'GET', path: '/version' });
  const stop = async (namespaces: readonly string[]): Promise<void> => {
    await cleanUp(admin, namespaces, sharedDefinitions);
    await admin.close();
  };
  return { version: String((body as { gitVersion?: unknown }).gitVersion), admin, hasControllers: true, stop };
}

function target(server: RealServer): Target {
  const { version, admin, nobody = admin, hasControllers, etcdUrl } = server;
  const namespaces: string[] = [];
  const pods = new SharedPods(admin);
  const lacks = (need: Need): string | undefined => {
    if (need === 'controllers' && !hasControllers) return 'this control plane has no controller manager';
    if (need === 'users' && server.nobody === undefined) return 'this cluster has no user without rights for us';
    if (
      (need === 'forgetting' || need === 'pods' || need === 'storage' || need === 'webhooks') &&
      etcdUrl === undefined
    )
      return 'it would disturb a cluster that is not ours';
    return needsNobodyMeets[need];
  };
  const minor = version.slice(1).split('.').slice(0, 2).join('.');
  const close = (): Promise<void> => server.stop(namespaces);
  return { name: 'control-plane', version, minor, parallel: 4, shared: true, lacks, close, open };

  async function open(row: Row): Promise<Session> {
    const namespace = `row-${row.id.toLowerCase()}-${randomBytes(3).toString('hex')}`;
    namespaces.push(namespace);
    const release = row.needs?.includes('pods') === true ? pods.use() : undefined;
    await prepare(admin, { namespace, pass: realTime, awaitServiceAccount: hasControllers });
    return {
      namespace,
      transport: (user) => (user === 'admin' ? admin : nobody),
      sendText: admin.sendText,
      pass: realTime,
      forget: () => compact(etcdUrl),
      setStorage: async (running) => {
        await server.setStorage?.(running);
      },
      close: async () => {
        // A row that failed half-way may have left it stopped.
        if (row.needs?.includes('storage') === true) await server.setStorage?.(true);
        await release?.();
      },
    };
  }
}

/** A stand-in for kubelets that runs while a row needs one: elsewhere it would move pods that rows want at rest. */
class SharedPods {
  readonly #admin: Connection;
  #actors: Actors | undefined;
  #users = 0;

  constructor(admin: Connection) {
    this.#admin = admin;
  }

  /** The function returned ends the use. */
  use(): () => Promise<void> {
    this.#users++;
    this.#actors ??= startActors(this.#admin, { clock: realClock, only: ['pod'] });
    return async () => {
      this.#users--;
      if (this.#users > 0) return;
      const idle = this.#actors;
      this.#actors = undefined;
      await idle?.stop();
    };
  }
}

/** Asks etcd to drop all revisions but the newest, as kube-apiserver does by itself every few minutes. */
async function compact(etcdUrl: string | undefined): Promise<void> {
  if (etcdUrl === undefined) throw new Error('only a control plane of our own may be compacted');
  const etcd = connect(etcdUrl);
  try {
    const { body } = await etcd.request({ method: 'POST', path: '/v3/kv/range', body: { key: 'AA==' } });
    const revision = (body as { header?: { revision?: string } }).header?.revision ?? '';
    // API servers learn from this key that another one compacted; they then drop their own old snapshots.
    const note = { key: btoa('compact_rev_key'), value: btoa(revision) };
    for (const [path, asked] of [
      ['/v3/kv/compaction', { revision }],
      ['/v3/kv/put', note],
    ] as const) {
      const { status } = await etcd.request({ method: 'POST', path, body: asked });
      if (status !== 200) throw new Error(`etcd refused ${path}: ${String(status)}`);
    }
  } finally {
    await etcd.close();
  }
}
