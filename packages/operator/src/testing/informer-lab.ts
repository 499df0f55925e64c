// An informer over real HTTP against a scripted server, on a clock that the test moves.
import { Informer, type InformerEvent, type InformerScope } from '../cache/informer.ts';
import type { ReflectorFailure } from '../cache/reflector.ts';
import { KubeClient } from '../client/kube-client.ts';
import { anonymous } from '../transport/credentials.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { fixedRandom } from './fixed-random.ts';
import { ManualClock } from './manual-clock.ts';
import { type Exchange, json, line, ScriptedServer, stream } from './scripted-server.ts';

export const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** A ConfigMap as the server sends it. */
export function configMap(name: string, revision: number, uid = `uid-${name}`, extra: object = {}): object {
  const metadata = { name, namespace: 'd', resourceVersion: String(revision), uid, ...extra };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} };
}

/** A list of built-in objects, which have no kind of their own within it. */
export function configMapList(items: readonly object[], revision = 100, extra: object = {}): object {
  const bare = items.map((item) => ({ ...item, apiVersion: undefined, kind: undefined }));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    metadata: { resourceVersion: String(revision), ...extra },
    items: bare,
  };
}

export function bookmark(revision: number, annotations: Record<string, string> = {}): string {
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, annotations };
  return line('BOOKMARK', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

export const endOfList = (revision: number): string => bookmark(revision, { 'k8s.io/initial-events-end': 'true' });

/** What the server of a lab does. `n` counts the requests of that sort from 1. */
export interface LabScript {
  readonly list?: (exchange: Exchange, n: number) => void;
  readonly watch?: (exchange: Exchange, n: number) => void;
  /** Default: the server refuses to stream lists. */
  readonly streamedList?: (exchange: Exchange, n: number) => void;
}

const REFUSAL = {
  kind: 'Status',
  status: 'Failure',
  code: 422,
  reason: 'Invalid',
  message: 'sendInitialEvents: Forbidden',
};
const DEFAULTS: Required<LabScript> = {
  list: ({ response }) => json(response, configMapList([configMap('a', 1)])),
  watch: ({ response }) => stream(response),
  streamedList: ({ response }) => json(response, REFUSAL, 422),
};

export class InformerLab {
  readonly clock = new ManualClock(1_000_000);
  /** Such as `added a@1`, or `deleted a@1 echo`. */
  readonly events: string[] = [];
  readonly failures: ReflectorFailure[] = [];
  readonly handlerErrors: Error[] = [];
  readonly server: ScriptedServer;
  readonly client: KubeClient;
  readonly informer: Informer;
  readonly #transport: HttpTransport;
  /** Failures whose pause is over. */
  #passed = 0;

  private constructor(server: ScriptedServer, scope: Partial<InformerScope>) {
    const { clock } = this;
    this.server = server;
    this.#transport = new HttpTransport({ credentials: anonymous(server.url) });
    this.client = new KubeClient({ transport: this.#transport, clock, random: fixedRandom(0.5) });
    this.informer = new Informer({
      client: this.client,
      clock,
      random: fixedRandom(0.5),
      scope: { type: CONFIG_MAPS, ...scope },
      onFailure: (failure) => this.failures.push(failure),
      onHandlerError: (error) => this.handlerErrors.push(error),
    });
    this.informer.addHandler((event) => this.events.push(describe(event)));
  }

  /** Starts the server, not yet the informer. */
  static async open(script: LabScript = {}, scope: Partial<InformerScope> = {}): Promise<InformerLab> {
    const { list, watch, streamedList } = { ...DEFAULTS, ...script };
    const counts = { list: 0, watch: 0, streamedList: 0 };
    const server = await ScriptedServer.start((exchange) => {
      const { searchParams } = exchange.url;
      if (!searchParams.has('watch')) list(exchange, (counts.list += 1));
      else if (searchParams.has('sendInitialEvents')) streamedList(exchange, (counts.streamedList += 1));
      else watch(exchange, (counts.watch += 1));
    });
    return new InformerLab(server, scope);
  }

  /** Starts the informer and waits until it is complete. */
  async sync(): Promise<void> {
    this.informer.start();
    await this.informer.synced();
  }

  /** Lets real I/O happen until something holds; the clock stands still. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const patience = performance.now() + 3_000;
    while (!holds()) {
      if (performance.now() > patience) throw new Error(`in vain: ${what}; events: ${this.events.join(', ')}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Waits for a failure and lets the pause after it pass. */
  async passBackoff(): Promise<void> {
    await this.until('a failure', () => this.failures.length > this.#passed);
    this.#passed = this.failures.length;
    this.clock.advanceToNext();
  }

  /** Waits until the server was asked for so many ordinary watches and the last one goes on. */
  async watching(count: number): Promise<void> {
    await this.until(
      `${count} watches`,
      () => this.resumed() >= count && this.informer.reports.every(({ state }) => state === 'watching'),
    );
  }

  /** Waits until so many watches have begun well. */
  async opened(count: number): Promise<void> {
    await this.until(`${count} open watches`, () => this.informer.reports[0]?.watches === count);
  }

  /** Ordinary watches that the server was asked for. */
  resumed(): number {
    return this.server.watches().filter(({ query }) => query['sendInitialEvents'] === undefined).length;
  }

  names(): readonly string[] {
    return this.informer.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
  }

  async close(): Promise<void> {
    await this.informer.stop();
    await this.#transport.close();
    await this.server.close();
  }
}

function describe({ type, object, echo }: InformerEvent): string {
  const { name, resourceVersion } = object.metadata;
  return `${type} ${name}@${resourceVersion}${echo ? ' echo' : ''}`;
}
