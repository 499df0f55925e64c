// Knows which Action runs, for which object, whatever other Actions are under way: it follows each across its awaits.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Action, Procedure } from '@pawl/reconciler';
import type { KubernetesContext, KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { ActiveAction } from './block-report.ts';

type AnyProcedure = Procedure<KubernetesContext<KubernetesObject>>;
type AnyAction = Action<never>;
type Actions = ReadonlyMap<string, AnyAction>;

/** Stands between procedures and whoever runs them. */
export interface ActionWatch {
  /** The same procedure for whoever runs it, whose Actions tell when they run. */
  readonly watch: (procedure: AnyProcedure) => AnyProcedure;
}

export class ActionTracker implements ActionWatch {
  readonly #storage = new AsyncLocalStorage<ActiveAction>();
  readonly #onBegin: (active: ActiveAction) => void;
  readonly #watched = new WeakMap<AnyProcedure, AnyProcedure>();

  /** @param onBegin called whenever a body begins; returns at once */
  constructor(onBegin: (active: ActiveAction) => void = () => {}) {
    this.#onBegin = onBegin;
  }

  /** The Action in whose code the caller is. */
  get current(): ActiveAction | undefined {
    return this.#storage.getStore();
  }

  /** The same procedure, whose Actions are followed. */
  watch = (procedure: AnyProcedure): AnyProcedure => {
    const known = this.#watched.get(procedure);
    if (known !== undefined) return known;
    const { actions, teardown } = procedure;
    const watched = Object.freeze({ ...procedure, actions: this.#all(actions), teardown: this.#all(teardown) });
    this.#watched.set(procedure, watched);
    return watched;
  };

  #all(actions: Actions): Actions {
    return new Map([...actions].map(([name, action]) => [name, this.#one(action)]));
  }

  #one(action: AnyAction): AnyAction {
    const { name, when, evaluate } = action;
    return Object.freeze({
      ...action,
      when: when === undefined ? undefined : (context: never) => this.#during(name, context, () => when(context)),
      evaluate: (scope: Parameters<typeof evaluate>[0]) => this.#during(name, scope.context, () => evaluate(scope)),
    });
  }

  #during<T>(action: string, context: unknown, body: () => T): T {
    const { object } = context as KubernetesContext<KubernetesObject>;
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, generation = 0 } = metadata;
    const active = { action, apiVersion, kind, name, uid, generation, ...(namespace === undefined ? {} : { namespace }) };
    this.#onBegin(active);
    return this.#storage.run(active, body);
  }
}
