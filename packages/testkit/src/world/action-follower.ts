// Follows which Action of a process runs and what it is shown, across all its awaits: so that requests, errors that nobody
// waits for and what never ends have a name.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActionWatch } from '@pawl/operator';
import type { Action } from '@pawl/reconciler';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { ActionName } from './action-name.ts';
import type { HistoryEvent, Seen } from './history.ts';

/** An Action that was begun and has not answered. */
export interface RunningAction extends ActionName {
  readonly sinceMs: number;
}

interface Running {
  readonly name: ActionName;
  /** A read under way; it learns whether the server was asked. */
  readonly read?: { isLive: boolean };
}

const storage = new AsyncLocalStorage<Running>();

/** The Action in whose code the caller is. */
export const currentAction = (): ActionName | undefined => storage.getStore()?.name;

/** Told by the transport: whoever reads right now sees what the server says, and not what a cache does. */
export function noteLiveRead(): void {
  const { read } = storage.getStore() ?? {};
  if (read !== undefined) read.isLive = true;
}

export type OnAction = (name: ActionName | undefined) => void;

export interface FollowerParts {
  readonly process: number;
  readonly now: () => number;
  readonly history: HistoryEvent[];
  /** Told whenever an Action begins, and when none runs any more. Returns at once. */
  readonly onAction?: OnAction | undefined;
}

type Procedure = Parameters<ActionWatch['watch']>[0];
type AnyAction = Action<never>;
type Scope = Parameters<AnyAction['evaluate']>[0];
type Call = (...args: unknown[]) => Promise<unknown>;
type Client = Record<string, Call | undefined>;

/** One for each process. */
export class ActionFollower implements ActionWatch {
  readonly #parts: FollowerParts;
  readonly #followed = new WeakMap<Procedure, Procedure>();
  readonly #running = new Set<RunningAction>();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Actions that have not answered yet. */
  get running(): readonly RunningAction[] {
    return [...this.#running];
  }

  watch = (procedure: Procedure): Procedure => {
    const known = this.#followed.get(procedure);
    if (known !== undefined) return known;
    const all = (actions: Procedure['actions']): Procedure['actions'] =>
      new Map([...actions].map(([name, action]) => [name, this.#follow(action, procedure.version)]));
    const followed = Object.freeze({ ...procedure, actions: all(procedure.actions), teardown: all(procedure.teardown) });
    this.#followed.set(procedure, followed);
    return followed;
  };

  #follow(action: AnyAction, version: string): AnyAction {
    const name: ActionName = Object.freeze({ action: action.name, version });
    const kinds = new Map(action.grants.map(({ alias, target }) => [alias, (target as { readonly kind?: string }).kind]));
    const evaluate = (scope: Scope): ReturnType<AnyAction['evaluate']> => {
      const { now, onAction } = this.#parts;
      onAction?.(name);
      const running = { ...name, sinceMs: now() };
      this.#running.add(running);
      const end = (): void => {
        this.#running.delete(running);
        if (this.#running.size === 0) onAction?.(undefined);
      };
      return storage.run({ name }, () => {
        this.#lookOn(name, scope, kinds);
        try {
          const result = action.evaluate(scope);
          if (result instanceof Promise) result.then(end, end);
          else end();
          return result;
        } catch (error) {
          end();
          throw error;
        }
      });
    };
    return Object.freeze({ ...action, evaluate });
  }

  /** Everything that the clients of the Action answer to its reads is written down. */
  #lookOn(name: ActionName, { context }: Scope, kinds: ReadonlyMap<string, string | undefined>): void {
    const { object, cluster } = context as { readonly object: KubernetesObject; readonly cluster: Readonly<Record<string, Client>> };
    this.#saw(name, 'own', asked(object.kind, object.metadata), [object]);
    for (const [alias, kind] of kinds) {
      const client = Object.hasOwn(cluster, alias) ? cluster[alias] : undefined;
      if (client === undefined || kind === undefined) continue;
      for (const method of ['get', 'live', 'list'] as const) {
        const call = client[method];
        if (call === undefined) continue;
        client[method] = async (...args) => {
          const read = { isLive: false };
          const answer = await storage.run({ name, read }, () => call(...args));
          const [ref] = args;
          const { namespace } = object.metadata;
          const what = method === 'list' ? `${kind}s` : asked(kind, typeof ref === 'string' ? { name: ref, namespace } : { namespace, ...(ref as { readonly name: string }) });
          const found = method === 'list' ? (answer as readonly KubernetesObject[]) : answer === undefined ? [] : [answer as KubernetesObject];
          this.#saw(name, read.isLive ? 'server' : 'cache', what, found, kind);
          return answer;
        };
      }
    }
  }

  #saw(by: ActionName, source: 'server' | 'cache' | 'own', what: string, objects: readonly KubernetesObject[], kind?: string): void {
    const { process, now, history } = this.#parts;
    const found = objects.map(({ metadata, kind: own }): Seen => ({
      object: asked(kind ?? own, metadata),
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    }));
    history.push({ type: 'read', atMs: now(), process, by, source, what, found });
  }
}

const asked = (kind: string, { namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
