// The objects of a soak: created, edited, robbed of their children; in the end each must be what its spec says.
import type { Transport } from '@pawl/kube-api';
import release2 from '@pawl/example-website';
import { KubeClient, systemClock, systemRandom } from '@pawl/operator';
import { createHash } from 'node:crypto';
import type { Dice } from './dice.ts';

type Json = Readonly<Record<string, unknown>>;
interface Website {
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly spec: { readonly replicas: number; readonly html: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly procedure?: { readonly version?: string; readonly phase?: string };
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const WEBSITES = { apiVersion: 'example.pawl.dev/v1alpha1', kind: 'Website' };
const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
const DEPLOYMENTS = { apiVersion: 'apps/v1', kind: 'Deployment' };
const SERVICES = { apiVersion: 'v1', kind: 'Service' };
const OWNER = 'procedures.pawl.dev/owner';

export class Websites {
  readonly #client: KubeClient;
  readonly #dice: Dice;
  readonly #names: string[] = [];
  edits = 0;
  robberies = 0;

  constructor(transport: Transport, dice: Dice) {
    this.#client = new KubeClient({ transport, clock: systemClock, random: systemRandom, userAgent: 'soak' });
    this.#dice = dice;
  }

  install = async (count: number): Promise<void> => {
    for (const crd of release2.crds) await this.#client.create({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, crd as unknown as Json);
    for (let index = 0; index < count; index += 1) await this.#create();
  };

  /** One edit by a user, and now and then a new object, or a child that somebody deletes. */
  disturb = async (): Promise<void> => {
    const name = this.#names[this.#dice.below(this.#names.length)] ?? '';
    const what = this.#dice.below(20);
    if (what === 0) await this.#create();
    else if (what === 1) await this.#rob(name);
    else {
      this.edits += 1;
      const spec = what < 12 ? { html: `<p>${name} ${this.edits}</p>` } : { replicas: 1 + this.#dice.below(3) };
      await this.#client.mergePatch(WEBSITES, { name, namespace: 'default' }, { spec });
    }
  };

  get count(): number {
    return this.#names.length;
  }

  /** Who holds the Lease, by the name of its pod. */
  leader = async (): Promise<string | undefined> => {
    const lease = (await this.#client.find({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }, { name: 'pawl-website', namespace: 'default' })) as
      | { readonly spec?: { readonly holderIdentity?: string } }
      | undefined;
    return lease?.spec?.holderIdentity?.split('_')[0];
  };

  /** What is not as it should be at 2.0.0; empty when all is well. */
  wrong = async (): Promise<readonly string[]> => {
    const [websites, configMaps, deployments, services] = await Promise.all([
      this.#client.list(WEBSITES, { namespace: 'default' }),
      this.#owned(CONFIG_MAPS),
      this.#owned(DEPLOYMENTS),
      this.#owned(SERVICES),
    ]);
    const all = websites.items as unknown as readonly Website[];
    const faults = all.flatMap((website) => this.#faultsOf(website, { configMaps, deployments, services }));
    const most = { configMaps: configMaps.length, deployments: deployments.length, services: services.length };
    for (const [kind, found] of Object.entries(most))
      if (found !== all.length) faults.push(`${found} ${kind} for ${all.length} websites`);
    return faults;
  };

  #faultsOf({ metadata, spec, status }: Website, { configMaps, deployments, services }: Children): readonly string[] {
    const { name } = metadata;
    const hash = createHash('sha256').update(spec.html).digest('hex').slice(0, 8);
    const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
    const { version, phase } = status?.procedure ?? {};
    const content = configMaps.find((each) => each.metadata.name === `${name}-content-${hash}`);
    const deployment = deployments.find((each) => each.metadata.name === name);
    const replicas = (deployment as { readonly spec?: { readonly replicas?: number } } | undefined)?.spec?.replicas;
    return [
      ...(isReady && version === '2.0.0' && phase === 'Steady' ? [] : [`${name} is ${version} ${phase}, Ready: ${isReady}`]),
      ...((content as { readonly data?: Json } | undefined)?.data?.['index.html'] === spec.html ? [] : [`${name} has no content ${hash}`]),
      ...(replicas === spec.replicas ? [] : [`${name} has ${replicas} replicas, not ${spec.replicas}`]),
      ...(services.some((each) => each.metadata.name === name) ? [] : [`${name} has no Service`]),
    ];
  }

  async #owned(type: { readonly apiVersion: string; readonly kind: string }): Promise<Children['services']> {
    return (await this.#client.list(type, { namespace: 'default', labelSelector: OWNER })).items;
  }

  async #create(): Promise<void> {
    const name = `site-${this.#names.length}`;
    await this.#client.create(WEBSITES, { metadata: { name, namespace: 'default' }, spec: { replicas: 1, html: `<p>${name}</p>` } });
    this.#names.push(name);
  }

  async #rob(name: string): Promise<void> {
    const found = await this.#client.find(SERVICES, { name, namespace: 'default' });
    if (found === undefined) return;
    await this.#client.remove(SERVICES, { name, namespace: 'default' }).catch(() => {});
    this.robberies += 1;
  }
}

type Owned = readonly { readonly metadata: { readonly name: string } }[];
interface Children {
  readonly configMaps: Owned;
  readonly deployments: Owned;
  readonly services: Owned;
}
