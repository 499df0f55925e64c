// A real cluster as the stage of plans: definitions and namespaces of its own, cleared between plans, removed in the end.
import { startActors, type ActorName, type Actors } from '@pawl/kube-api';
import type { ApiRequest, ApiResponse } from '@pawl/operator';
import { LABELS, ownerHashOf, type ExampleObject, type KubernetesObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { Ground } from '../explore/ground.ts';
import { collectionPath, keyOf, readState } from '../explore/state.ts';
import type { Collection } from '../explore/subject.ts';
import { partsOfPath } from '../world/api-paths.ts';
import { ClusterError } from './cluster-error.ts';
import type { RealPorts } from './ports.ts';
import { withinNamespace } from './scoped-transport.ts';
import { until } from './waiting.ts';

export interface StageParts {
  readonly package: ProcedurePackage;
  readonly objects: readonly ExampleObject[];
  readonly namespaces: readonly string[];
  readonly collections: readonly Collection[];
  /** The parts of a cluster that the owned kinds need. */
  readonly actors: readonly ActorName[];
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CONTROLLERS_MS = 5_000;
const GONE_MS = 60_000;
/** What the controllers of a cluster make of workloads, and in every namespace. */
const FOLLOWERS: readonly Pick<Collection, 'apiVersion' | 'plural'>[] = [
  { apiVersion: 'apps/v1', plural: 'replicasets' },
  { apiVersion: 'apps/v1', plural: 'controllerrevisions' },
  { apiVersion: 'v1', plural: 'persistentvolumeclaims' },
  { apiVersion: 'v1', plural: 'pods' },
];
const OF_EVERY_NAMESPACE: ReadonlySet<string> = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);

type Listed = KubernetesObject & { readonly path: string };

export class Stage implements Ground {
  readonly #ports: RealPorts;
  readonly #parts: StageParts;
  readonly #ownDefinitions: string[] = [];
  readonly #ownNamespaces: string[] = [];
  readonly #owners: ReadonlySet<string>;
  #actors: readonly Actors[] = [];
  #hasControllers = false;
  /** Nothing of what it looks after was there before. */
  #isOurOwn = false;
  /** What a person should know about this cluster. */
  readonly notes: string[] = [];

  private constructor(parts: StageParts, ports: RealPorts) {
    this.#parts = parts;
    this.#ports = ports;
    this.#owners = new Set(parts.objects.map(ownerHashOf));
  }

  /** @throws {ClusterError} if the cluster refuses something, or holds an object that would be in the way */
  static open = async (parts: StageParts, ports: RealPorts): Promise<Stage> => {
    const stage = new Stage(parts, ports);
    try {
      await stage.#prepare();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  };

  /** Lists hold what belongs to this stage, and nothing of others. */
  readonly api: Ground['api'] = {
    request: async (request) => {
      const answer = await this.#ports.transport.request(request);
      const parts = partsOfPath(request.path);
      if (answer.status !== 200 || request.method !== 'GET' || parts?.name !== undefined) return answer;
      const { items = [], ...rest } = answer.body as { readonly items?: readonly KubernetesObject[] };
      return { ...answer, body: { ...rest, items: items.filter((item) => this.#isOurs(item, parts?.plural)) } };
    },
  };

  ask = async (request: ApiRequest): Promise<ApiResponse> => {
    const answer = await this.#ports.transport.request({ ...request, headers: { 'user-agent': 'user', ...request.headers } });
    if (answer.status < 400 || (answer.status === 404 && request.method === 'DELETE')) return answer;
    const { message = 'no message' } = answer.body as { readonly message?: string };
    throw new ClusterError(`the cluster refuses ${request.method} ${request.path} with ${answer.status}: ${message}`);
  };

  /** Removes every object of the stage, whatever its finalizers say, and waits until all of them are gone. */
  clear = async (): Promise<void> => {
    let left: readonly Listed[] = [];
    const isClear = await until(this.#unstoppable(), GONE_MS, async () => {
      left = await this.#everything();
      await Promise.all(left.map((object) => this.#remove(object)));
      return left.length === 0;
    });
    if (!isClear) throw new ClusterError(`the cluster does not let go of ${left.map(keyOf).join(', ')}`);
  };

  /** Removes what the stage has made. @throws {ClusterError} if objects cannot be removed; the rest is removed all the same */
  close = async (): Promise<void> => {
    const { transport } = this.#ports;
    const failure = await (this.#isOurOwn ? this.clear() : Promise.resolve()).then(() => undefined, asError);
    await this.leave();
    for (const name of this.#ownNamespaces) {
      await transport.request({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });
      // Without controllers nobody else says that a namespace is empty.
      if (!this.#hasControllers) await this.#finalize(name);
    }
    for (const name of this.#ownDefinitions) await transport.request({ method: 'DELETE', path: `${CRDS}/${name}` });
    // Whoever comes next with the same definitions must not meet these.
    await until(this.#unstoppable(), GONE_MS, async () => {
      const answers = await Promise.all(this.#ownDefinitions.map((name) => transport.request({ method: 'GET', path: `${CRDS}/${name}` })));
      return answers.every(({ status }) => status === 404);
    });
    if (failure !== undefined) throw failure;
  };

  /** Ends what runs here, and leaves what was made. */
  leave = async (): Promise<void> => {
    await Promise.all(this.#actors.map((actors) => actors.stop()));
  };

  /** What was made is removed even if all else is called off. */
  #unstoppable(): Pick<RealPorts, 'clock' | 'signal'> {
    return { clock: this.#ports.clock, signal: new AbortController().signal };
  }

  async #prepare(): Promise<void> {
    const { package: { crds }, namespaces } = this.#parts;
    for (const crd of crds) await this.#define({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd } as KubernetesObject);
    const there = [...(await readState(this, this.#parts)).values()].filter(({ metadata }) => metadata.namespace === undefined);
    const inTheWay = there.filter((found) => this.#isSample(found.metadata.name, found.kind));
    if (inTheWay.length > 0)
      throw new ClusterError(`the cluster already has ${inTheWay.map(keyOf).join(', ')}; allowed are samples that are not there`);
    this.#isOurOwn = true;
    for (const name of namespaces) {
      const metadata = { name, labels: { 'app.kubernetes.io/managed-by': 'pawl-explore' } };
      await this.ask({ method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
      this.#ownNamespaces.push(name);
    }
    await this.#cast();
  }

  async #define(crd: KubernetesObject): Promise<void> {
    const path = `${CRDS}/${crd.metadata.name}`;
    const { status } = await this.#ports.transport.request({ method: 'GET', path });
    if (status === 200) this.notes.push(`the definition ${crd.metadata.name} was there already and was left as it is`);
    else {
      await this.ask({ method: 'POST', path: CRDS, body: crd });
      this.#ownDefinitions.push(crd.metadata.name);
    }
    const isServed = await until(this.#ports, GONE_MS, async () => {
      const { body } = await this.ask({ method: 'GET', path });
      const { status: found } = body as { readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } };
      return found?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') === true;
    });
    if (!isServed) throw new ClusterError(`the definition ${crd.metadata.name} is not served`);
  }

  /** What the cluster does not do itself is done by stand-ins, within the namespaces of the stage. */
  async #cast(): Promise<void> {
    const { namespaces, actors } = this.#parts;
    const { transport, clock } = this.#ports;
    const [first] = namespaces;
    this.#hasControllers = (await this.#hasAccount('default')) && (first === undefined || (await until(this.#ports, CONTROLLERS_MS, () => this.#hasAccount(first))));
    const { items = [] } = (await this.ask({ method: 'GET', path: '/api/v1/nodes?limit=1' })).body as { readonly items?: readonly object[] };
    const missing = actors.filter((name) => (name === 'pod' ? items.length === 0 : !this.#hasControllers));
    if (missing.length === 0) return;
    this.notes.push(`not done by this cluster, but by stand-ins: ${missing.join(', ')}`);
    this.#actors = namespaces.map((name) => startActors(withinNamespace(transport, name), { clock, only: missing }));
  }

  /** Controllers give every namespace an account. */
  async #hasAccount(namespace: string): Promise<boolean> {
    const { status } = await this.#ports.transport.request({ method: 'GET', path: `/api/v1/namespaces/${namespace}/serviceaccounts/default` });
    return status === 200;
  }

  #isOurs({ metadata }: KubernetesObject, plural: string | undefined): boolean {
    if (metadata.namespace !== undefined) return this.#parts.namespaces.includes(metadata.namespace);
    const owner = metadata.labels?.[LABELS.owner];
    if (owner !== undefined && this.#owners.has(owner)) return true;
    return this.#parts.collections.some((one) => one.plural === plural && one.isOwner && !one.namespaced && this.#isSample(metadata.name, one.kind));
  }

  #isSample(name: string, of: string): boolean {
    return this.#parts.objects.some(({ kind, metadata }) => metadata.namespace === undefined && metadata.name === name && kind === of);
  }

  async #everything(): Promise<readonly Listed[]> {
    const { collections, namespaces } = this.#parts;
    const wide = collections.filter(({ namespaced }) => !namespaced).map((each) => ({ ...each, path: collectionPath(each) }));
    const own = namespaces.flatMap((name) =>
      [...collections.filter(({ namespaced }) => namespaced), ...FOLLOWERS].map((each) => ({ kind: each.plural, ...each, path: collectionPath(each, name) })),
    );
    const lists = await Promise.all(
      [...new Map([...wide, ...own].map((each) => [each.path, each])).values()].map(async ({ path, apiVersion, kind }) => {
        const { status, body } = await this.api.request({ method: 'GET', path });
        const { items = [] } = body as { readonly items?: readonly KubernetesObject[] };
        return (status === 200 ? items : []).map((item): Listed => ({ ...item, apiVersion, kind, path: `${path}/${item.metadata.name}` }));
      }),
    );
    return lists.flat().filter(({ kind, metadata }) => !OF_EVERY_NAMESPACE.has(`${kind} ${metadata.name}`));
  }

  async #remove({ path, metadata }: Listed): Promise<void> {
    const { transport } = this.#ports;
    if ((metadata.finalizers ?? []).length > 0)
      await transport.request({ method: 'PATCH', path, headers: { 'content-type': 'application/merge-patch+json' }, body: { metadata: { finalizers: null } } });
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' };
    await transport.request({ method: 'DELETE', path, body });
  }

  async #finalize(name: string): Promise<void> {
    const path = `/api/v1/namespaces/${name}`;
    const { status, body } = await this.#ports.transport.request({ method: 'GET', path });
    if (status !== 200) return;
    const { spec: _, ...rest } = body as { readonly spec?: object };
    await this.#ports.transport.request({ method: 'PUT', path: `${path}/finalize`, body: { ...rest, spec: { finalizers: [] } } });
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
