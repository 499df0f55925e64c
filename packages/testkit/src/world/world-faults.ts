// Faults of the world around an operator: parts of the cluster that stand still, people, webhooks, a server that forgets.
import type { ApiServer } from '@pawl/kube-api';
import type { ApiRequest } from '@pawl/operator';
import { objectPathOf, partsOfPath } from './api-paths.ts';
import type { Fault, Stage } from './faults.ts';
import type { HistoryEvent } from './history.ts';
import { describeFault } from './fault-words.ts';
import { meddle } from './meddling.ts';
import type { Webhook } from './webhook.ts';

export interface WorldFaultsParts {
  readonly api: ApiServer;
  readonly now: () => number;
  readonly setTimer: (ms: number, callback: () => void) => void;
  readonly history: HistoryEvent[];
  /** Absent: no webhook is asked. */
  readonly webhook: Webhook | undefined;
}

/** Whose requests a stage is made of, by a part of their user agent. */
const ACTORS: Readonly<Record<Stage, readonly string[]>> = {
  pods: ['kubelet'],
  node: ['kubelet'],
  rollout: ['deployment-controller', 'replicaset-controller', 'statefulset-controller', 'daemonset-controller', 'job-controller'],
  claims: ['persistentvolume-binder'],
};

export class WorldFaults {
  readonly #parts: WorldFaultsParts;
  readonly #held = new Map<Stage, Promise<void>>();

  constructor(parts: WorldFaultsParts) {
    this.#parts = parts;
  }

  /** Resolves when a part of the cluster may send this; at once if nothing holds it up. */
  passed = async ({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): Promise<void> => {
    if (method === 'GET') return;
    const agent = headers?.['user-agent'] ?? '';
    for (const [stage, ended] of this.#held) if (ACTORS[stage].some((actor) => agent.includes(actor))) await ended;
  };

  /** Lets a fault happen, right before a request if it is about one. */
  strike = async (fault: Fault, request?: Pick<ApiRequest, 'method' | 'path' | 'body'>): Promise<void> => {
    const { api, history, now, webhook } = this.#parts;
    const note = (says: string): void => void history.push({ type: 'note', atMs: now(), process: fault.process, says: `${describeFault(fault)}: ${says}` });
    if (fault.kind === 'compaction') {
      api.compact();
      note('done');
    } else if (fault.kind === 'person') note(await meddle(api, fault));
    else if (fault.kind === 'cluster') {
      this.#hold(fault.stage, fault.forMs);
      note(fault.stage === 'node' ? `${await this.#losePods()} pods are gone` : 'begun');
    } else if (fault.kind === 'admission' && request !== undefined) {
      const path = objectPathOf(request);
      const name = path === undefined ? undefined : partsOfPath(path)?.name;
      if (name !== undefined) webhook?.arm(name, fault.answer);
    }
  };

  #hold(stage: Stage, forMs: number): void {
    const ended = new Promise<void>((resolve) => this.#parts.setTimer(forMs, resolve)).then(() => {
      if (this.#held.get(stage) === ended) this.#held.delete(stage);
    });
    this.#held.set(stage, ended);
  }

  async #losePods(): Promise<number> {
    const { api } = this.#parts;
    const { body } = await api.request({ method: 'GET', path: '/api/v1/pods' });
    const { items = [] } = body as { readonly items?: readonly { readonly metadata: { readonly namespace?: string; readonly name: string } }[] };
    for (const { metadata: { namespace, name } } of items)
      await api.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace ?? 'default'}/pods/${name}`, body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 } });
    return items.length;
  }
}
