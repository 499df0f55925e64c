// Takes away what belongs to an object: leftovers of a version, and everything when the object itself goes.
import type { RunActionsStep } from '@pawl/reconciler';
import type { KubernetesObject, PrunePlan } from '@pawl/reconciler/kubernetes';
import type { KubeClient } from '../client/kube-client.ts';
import type { ClusterView } from '../cluster/view.ts';
import type { ActionsRunner } from './actions-runner.ts';
import { procedureFor, type KindSetup } from './kind-setup.ts';
import { after, type Next } from './next.ts';
import type { GuardFor } from './object-guard.ts';
import type { Pass } from './pass.ts';
import { disown, nextWave, prune, removable, tearDown, type RemovalParts } from './removal.ts';
import { nextAfter } from './run-outcome.ts';

export interface ObjectRemoverParts {
  readonly setup: KindSetup;
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly runner: ActionsRunner;
  readonly guardFor: GuardFor;
  /** Told what a pruning has deleted, and what it has left. */
  readonly onPruned: (owner: KubernetesObject, pruned: readonly KubernetesObject[], keep: PrunePlan['keep']) => void;
}

/** A removed object is looked for again after so long, if no event says earlier that it is gone. */
const REMOVAL_POLL_MS = 2_000;

export class ObjectRemover {
  readonly #parts: ObjectRemoverParts;

  constructor(parts: ObjectRemoverParts) {
    this.#parts = parts;
  }

  /** Deletes what the verified cycle of this pass did not want. */
  prune = async (pass: Pass, signal: AbortSignal): Promise<Next> => {
    const { prune: leftovers, keep } = pass.leftovers;
    const pruned = await this.#guarded(pass, signal, (parts) => prune(leftovers, parts));
    this.#parts.onPruned(pass.object, pruned, keep);
    return after(REMOVAL_POLL_MS);
  };

  /**
   * One step of a teardown: the version's teardown graph, then one wave of owned objects. Undefined when nothing is left;
   * the pass knows it then.
   */
  tearDown = async ({ version, how, verify }: RunActionsStep, pass: Pass, signal: AbortSignal): Promise<Next | undefined> => {
    const { setup, runner } = this.#parts;
    if (how === 'procedure' && version !== undefined && verify !== true) {
      const outcome = await runner.teardown(pass, version, signal);
      if (!outcome.clean) return nextAfter(outcome);
    }
    const owned = await this.#releaseKept(pass, signal);
    const procedure = version === undefined ? undefined : procedureFor(setup, version);
    if (owned.length > 0) {
      await this.#guarded(pass, signal, (parts) => tearDown(nextWave(owned, procedure), parts));
      return after(REMOVAL_POLL_MS);
    }
    pass.cycle = { version: version ?? '', clean: true, verified: verify === true, extras: 0, ownedLeft: 0 };
    return undefined;
  };

  /** What was never to be taken down stays behind whole: what is to be kept of it must not go with its owner. */
  abandon = async (pass: Pass, signal: AbortSignal): Promise<void> => {
    await this.#releaseKept(pass, signal);
  };

  /** First of all, for a deletion in the foreground does not wait. Answers what is to be deleted. */
  async #releaseKept(pass: Pass, signal: AbortSignal): Promise<readonly KubernetesObject[]> {
    const found = await this.#parts.runner.look(pass, signal);
    const owned = removable(found);
    const kept = found.filter((object) => !owned.includes(object));
    await this.#guarded(pass, signal, (parts) => disown(pass.object, kept, parts));
    return owned;
  }

  async #guarded<T>(pass: Pass, signal: AbortSignal, work: (parts: RemovalParts) => Promise<T>): Promise<T> {
    const { client, view, guardFor } = this.#parts;
    const guard = guardFor(pass.object, signal);
    try {
      return await work({ client, view, guard, signal });
    } finally {
      guard.revoke('the removal has ended');
    }
  }
}
