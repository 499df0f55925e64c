// What tests of the controller say about a Page in a world, in one word each.
import { parseRecord, type VersionRecord } from '@pawl/reconciler';
import { FINALIZER, type Condition, type KubernetesObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { OperatorConfigInput } from '../config.ts';
import { partsOf } from '../controller/custom-object.ts';
import type { Operator } from '../operator.ts';
import { page, Pages } from './pages.ts';
import { World } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

interface Procedure {
  readonly phase?: string;
  readonly version?: string;
  readonly target?: string;
  readonly summary?: string;
  readonly path?: readonly string[];
  readonly history?: readonly Json[];
  readonly record?: unknown;
}

export interface PageStatus {
  readonly procedure?: Procedure;
  readonly actions?: readonly Json[];
  readonly conditions?: readonly Condition[];
}

const NAMESPACE = 'default';
const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
const DEPLOYMENTS = { apiVersion: 'apps/v1', kind: 'Deployment' };

export class PageLab {
  readonly world = new World();
  #operator: Operator | undefined;

  /** Installs the kind and starts a release; a page is at `version` when this resolves. */
  static at = async (version: string, ...packages: readonly ProcedurePackage[]): Promise<PageLab> => {
    const lab = new PageLab();
    await lab.world.install(...packages);
    await lab.start(packages);
    await lab.world.client.create(Pages, page('front'));
    await lab.reaches(version);
    return lab;
  };

  /** Replaces the operator by one of this release. */
  start = async (packages: readonly ProcedurePackage[], config: OperatorConfigInput = {}): Promise<void> => {
    await this.stop();
    this.#operator = await this.world.operator(packages, config);
  };

  stop = async (): Promise<void> => {
    if (this.#operator !== undefined) await this.world.stop(this.#operator);
    this.#operator = undefined;
  };

  page = async (name = 'front'): Promise<KubernetesObject | undefined> =>
    this.world.get(Pages.apiVersion, Pages.kind, name, NAMESPACE);

  status = async (name = 'front'): Promise<PageStatus> => {
    const found = await this.page(name);
    return found === undefined ? {} : (partsOf(found).status as PageStatus);
  };

  record = async (): Promise<VersionRecord | undefined> => parseRecord((await this.status()).procedure?.record);

  condition = async (type: string): Promise<Condition | undefined> =>
    (await this.status()).conditions?.find((condition) => condition.type === type);

  /** The version is complete and verified, and the page is ready. */
  isAt = async (version: string, name = 'front'): Promise<boolean> => {
    const { procedure, conditions } = await this.status(name);
    const isReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
    return procedure?.version === version && procedure.phase === 'Steady' && isReady;
  };

  reaches = (version: string, name = 'front'): Promise<void> =>
    this.world.until(`${name} is at ${version}`, () => this.isAt(version, name));

  /** Waits until a condition has a reason. */
  says = (type: string, reason: string): Promise<void> =>
    this.world.until(`${type} is ${reason}`, async () => (await this.condition(type))?.reason === reason);

  request = async (name: string, value: string | null): Promise<void> => {
    await this.patch({ metadata: { annotations: { [`procedures.pawl.dev/${name}`]: value } } });
  };

  patch = async (body: Json): Promise<void> => {
    await this.world.client.mergePatch(Pages, { name: 'front', namespace: NAMESPACE }, body);
  };

  patchStatus = async (status: Json | null): Promise<void> => {
    const ref = { name: 'front', namespace: NAMESPACE };
    await this.world.client.mergePatch(Pages, ref, { status }, { subresource: 'status' });
  };

  /** Changes `status.procedure.record` as somebody with kubectl would. */
  patchRecord = (record: unknown): Promise<void> => this.patchStatus({ procedure: { record } });

  configMaps = async (): Promise<readonly KubernetesObject[]> => {
    const { items } = await this.world.client.list(CONFIG_MAPS, { namespace: NAMESPACE });
    return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  };

  deployments = async (): Promise<readonly KubernetesObject[]> =>
    (await this.world.client.list(DEPLOYMENTS, { namespace: NAMESPACE })).items;

  /** `Kind name version` of every owned object. */
  stamps = async (): Promise<readonly string[]> =>
    [...(await this.configMaps()), ...(await this.deployments())].map(
      ({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.annotations?.['procedures.pawl.dev/version'] ?? 'none'}`,
    );

  /** Writes to anything but the page itself since a mark. */
  childWrites = (mark: number): readonly string[] =>
    this.world.writes(mark).filter((write) => !write.includes('pages.test.pawl.dev') && !write.includes('events'));

  /** Writes of the metadata or the status of the page since a mark. */
  pageWrites = (mark: number): readonly string[] =>
    this.world.writes(mark).filter((write) => write.includes('pages.test.pawl.dev'));

  /** `reason: note` of the Events about an object. */
  events = async (kind: string): Promise<readonly string[]> => {
    const { items } = await this.world.client.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, { namespace: '*' });
    return items.flatMap((event) => {
      const { reason, note, regarding } = event as unknown as { reason: string; note: string; regarding: { kind: string } };
      return regarding.kind === kind ? [`${reason}: ${note}`] : [];
    });
  };

  /** The page goes without its children and comes back under another uid, as from a backup of its metadata. */
  restoreUnderAnotherUid = async (): Promise<void> => {
    const { client } = this.world;
    const ref = { name: 'front', namespace: NAMESPACE };
    const saved = await this.page();
    await this.stop();
    await this.patch({ metadata: { finalizers: [] } });
    await client.remove(Pages, ref, { propagation: 'Orphan' });
    await this.world.until('the page is gone', async () => (await this.page()) === undefined);
    const { annotations } = saved?.metadata ?? {};
    await client.create(Pages, { ...page('front'), metadata: { ...ref, annotations, finalizers: [FINALIZER] } });
  };

  close = (): Promise<void> => this.world.close();
}
