// A cluster in memory that grants an operator exactly the rules it is given, and the life of one website in it. Time is
// pushed, so that waiting in vain costs nothing.
import release2 from '@pawl/example-website';
import { createApiServer, startActors, type ApiServer } from '@pawl/kube-api';
import { createOperator, KubeClient, operatorConfig, systemRandom, type ApiRequest, type Operator, type Transport, type WatchResponse } from '@pawl/operator';
import { FakeClock } from '@pawl/reconciler/testing';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { RELEASE_1 } from '../e2e/operator-child.ts';
import { collectionOf, NAMESPACE, type Printed } from './generate.ts';

type Json = Readonly<Record<string, unknown>>;
const { default: release1 } = (await import(RELEASE_1)) as { readonly default: typeof release2 };
const SAMPLE = parse(readFileSync(new URL('../../examples/website/website.yaml', import.meta.url), 'utf8')) as Json;
const WEBSITES = { apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website' };
const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
const DEPLOYMENTS = { apiVersion: 'apps/v1', kind: 'Deployment' };
const SERVICES = { apiVersion: 'v1', kind: 'Service' };
const LEASES = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
const HELLO = { name: 'hello', namespace: 'default' };
const STEP_MS = 250;
/** So long a step may take; far less than until the next resync. */
const PATIENCE_MS = 60_000;
/** So long a change may go unnoticed: without a watch it would be found by the next list, a minute or more later. */
const NOTICE_MS = 3_000;
/** Waits are as long as they can be: what fails again and again is tried again late. */
const PATIENT = { uuid: systemRandom.uuid, bytes: (length: number) => new Uint8Array(length).fill(0xf0) };

/** An API server whose watches begin with the objects that are there, or an older one whose lists are read page by page. */
export type Lists = 'streamed' | 'paged';

/**
 * Lives through everything that the operator does. Answers the first step that did not come about; undefined if all did.
 *
 * @param namespaces those that the operator is limited to; absent: it looks everywhere
 */
export async function liveUnder(roles: readonly Printed[], lists: Lists, namespaces?: readonly string[]): Promise<string | undefined> {
  const world = new PermissionWorld(roles, lists, namespaces);
  try {
    await world.live();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await world.close();
  }
}

class PermissionWorld {
  readonly #time = new FakeClock(Date.UTC(2026, 0, 1));
  readonly #clock = { now: this.#time.now, monotonic: this.#time.now, setTimer: this.#time.setTimer };
  readonly #server: ApiServer;
  readonly #roles: readonly Printed[];
  readonly #lists: Lists;
  readonly #namespaces: readonly string[] | undefined;
  readonly #admin: KubeClient;
  readonly #actors;
  #operator: Operator | undefined;

  constructor(roles: readonly Printed[], lists: Lists, namespaces: readonly string[] | undefined) {
    this.#roles = roles;
    this.#lists = lists;
    this.#namespaces = namespaces;
    const tokens = {
      admin: { name: 'admin', groups: ['system:masters'] },
      operator: { name: `system:serviceaccount:${NAMESPACE}:website` },
    };
    this.#server = createApiServer({ clock: this.#clock, authorization: 'rbac', authentication: { tokens } });
    const transport = this.#as('admin');
    this.#actors = startActors(transport, { clock: this.#clock, podReadyAfterMs: 100 });
    this.#admin = new KubeClient({ transport, clock: this.#clock, random: systemRandom, userAgent: 'admin' });
  }

  live = async (): Promise<void> => {
    await this.#install();
    await this.#begin(release1);
    await this.#done('installed', this.#admin.create(WEBSITES, SAMPLE));
    await this.#until('installed', this.#isAt('1.0.0'));
    await this.#repairs();
    await this.#end();
    await this.#begin(release2);
    await this.#until('upgraded', this.#isAt('2.0.0'));
    const pages = await this.#done('pruned', this.#admin.list(CONFIG_MAPS, { namespace: 'default', labelSelector: 'procedures.pawl.dev/owner' }));
    if (pages.items.length !== 1) throw new Error('pruned');
    await this.#until('told by an Event', async () => {
      const events = await this.#admin.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace: 'default' });
      return events.items.some((event) => (event as unknown as Json)['reason'] === 'UpgradeCompleted');
    });
    await this.#heldBack();
    await this.#pass(600_000);
    await this.#done('deleted', this.#admin.remove(WEBSITES, HELLO));
    await this.#until('noticed', async () => {
      const website = (await this.#admin.find(WEBSITES, HELLO)) as { readonly status?: { readonly procedure?: Json } } | undefined;
      return website === undefined || website.status?.procedure?.['phase'] === 'Deleting';
    }, NOTICE_MS);
    await this.#until('deleted', async () => (await this.#admin.find(WEBSITES, HELLO)) === undefined);
    await this.#end();
  };

  close = async (): Promise<void> => {
    const ending = Promise.all([this.#operator?.stop(), this.#actors.stop()]);
    await Promise.race([ending, this.#pass(PATIENCE_MS)]);
    this.#server.close();
  };

  /** A replica of the older release says so where its pod is, although it does not lead. */
  async #heldBack(): Promise<void> {
    const operator = this.#operatorOf(release1, { podName: 'old', podNamespace: NAMESPACE });
    operator.start().catch(() => {});
    await this.#until('told that it is held back', async () => {
      const events = await this.#admin.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace: NAMESPACE });
      return events.items.some((event) => (event as unknown as Json)['reason'] === 'RolloutHeld');
    });
    await this.#done('stopped', operator.stop());
  }

  /** What others break comes back, long before the resync would notice. */
  async #repairs(): Promise<void> {
    await this.#pass(600_000);
    const page = { name: 'hello-content', namespace: 'default' };
    await this.#done('repaired', this.#admin.mergePatch(CONFIG_MAPS, page, { data: { 'index.html': 'vandal' } }));
    await this.#until('repaired', async () => {
      const found = (await this.#admin.find(CONFIG_MAPS, page)) as { readonly data?: Json } | undefined;
      return found !== undefined && found.data?.['index.html'] !== 'vandal';
    }, NOTICE_MS);
    for (const type of [DEPLOYMENTS, SERVICES]) {
      await this.#done('created anew', this.#admin.remove(type, HELLO));
      await this.#until('created anew', async () => (await this.#admin.find(type, HELLO)) !== undefined, NOTICE_MS);
    }
    await this.#until('steady again', this.#isAt('1.0.0'));
  }

  async #install(): Promise<void> {
    const crds = release2.crds.map((crd) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd }) as unknown as Printed);
    const namespace: Printed = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    for (const object of [namespace, ...crds, ...this.#roles]) {
      const { status, body } = await this.#as('admin').request({ method: 'POST', path: collectionOf(object), body: object });
      if (status !== 201) throw new Error(`${object.kind}: ${JSON.stringify(body)}`);
    }
    await this.#pass(1_000);
  }

  #operatorOf(release: typeof release2, more: object = {}): Operator {
    const limits = this.#namespaces === undefined ? {} : { namespaces: this.#namespaces };
    const config = operatorConfig({ operatorName: 'website', leaseNamespace: NAMESPACE, resyncMs: 86_400_000, ...limits, ...more });
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    return createOperator(config, [release], { transport: this.#as('operator'), clock: this.#clock, random: PATIENT, log });
  }

  async #begin(release: typeof release2): Promise<void> {
    const operator = this.#operatorOf(release);
    this.#operator = operator;
    const started = operator.start().then(() => true);
    started.catch(() => {});
    await this.#done('started', started);
  }

  /** Stops it; the Lease must be free for the next one. */
  async #end(): Promise<void> {
    const operator = this.#operator;
    this.#operator = undefined;
    await this.#done('stopped', operator?.stop() ?? Promise.resolve());
    const lease = await this.#done('released', this.#admin.get(LEASES, { name: 'pawl-website', namespace: NAMESPACE }));
    const { holderIdentity } = (lease as unknown as { readonly spec: Json }).spec;
    if (holderIdentity !== '') throw new Error('released');
  }

  #isAt = (version: string) => async (): Promise<boolean> => {
    const website = (await this.#admin.find(WEBSITES, HELLO)) as { readonly status?: { readonly procedure?: Json } } | undefined;
    const procedure = website?.status?.procedure;
    const deployment = await this.#admin.find(DEPLOYMENTS, HELLO);
    return procedure?.['version'] === version && procedure['phase'] === 'Steady' && deployment !== undefined;
  };

  #as(token: 'admin' | 'operator'): Transport {
    const signed = (request: ApiRequest): ApiRequest => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
    const isOld = this.#lists === 'paged';
    return {
      request: (request) => this.#server.request(signed(request)),
      watch: (request) =>
        isOld && request.path.includes('sendInitialEvents') ? Promise.resolve(UNKNOWN_OPTION) : this.#server.watch(signed(request)),
    };
  }

  /** The answer, if it comes in time while time passes. @throws Error(step) */
  async #done<T>(step: string, answer: Promise<T>): Promise<T> {
    let isThere = false;
    const settled = answer.finally(() => (isThere = true));
    settled.catch(() => {});
    await this.#until(step, () => Promise.resolve(isThere));
    return settled;
  }

  async #until(step: string, isSo: () => Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
    for (let passed = 0; passed < withinMs; passed += STEP_MS) {
      await drain();
      let isIt = false;
      const asked = isSo().then((answer) => (isIt = answer));
      await Promise.race([asked, drain()]);
      if (isIt) return;
      this.#time.advance(STEP_MS);
    }
    throw new Error(step);
  }

  async #pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 4 * STEP_MS) {
      await drain();
      this.#time.advance(4 * STEP_MS);
    }
  }
}

/** How a server answers that does not know the option. */
const UNKNOWN_OPTION: WatchResponse = {
  status: 422,
  headers: {},
  body: { kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, message: 'sendInitialEvents: Forbidden' },
  events: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) },
};

async function drain(): Promise<void> {
  for (let round = 0; round < 8; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
