// Informers shared by all who want the same: one for a kind, namespaces and selectors, while somebody holds it.
import { Informer, type InformerOptions, type InformerScope } from './informer.ts';

/** What all informers of a factory have in common. */
export type InformerFactoryOptions = Omit<InformerOptions, 'scope' | 'traits'>;

/** A share of an informer; the last release stops it. */
export interface InformerShare {
  readonly informer: Informer;
  /** A second call changes nothing. */
  readonly release: () => Promise<void>;
}

interface Shared {
  readonly informer: Informer;
  holders: number;
}

export class InformerFactory {
  readonly #options: InformerFactoryOptions;
  readonly #traits = { streamsLists: true };
  readonly #shared = new Map<string, Shared>();

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
  }

  /** The informer for a scope, started. */
  acquire(scope: InformerScope): InformerShare {
    const key = scopeKey(scope);
    const shared = this.#shared.get(key) ?? this.#create(key, scope);
    shared.holders += 1;
    let held = true;
    const release = async (): Promise<void> => {
      if (!held) return;
      held = false;
      shared.holders -= 1;
      if (shared.holders > 0) return;
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
      await shared.informer.stop();
    };
    return { informer: shared.informer, release };
  }

  /** All that are held now. */
  get informers(): readonly Informer[] {
    return [...this.#shared.values()].map(({ informer }) => informer);
  }

  /** Stops all, whoever holds them. */
  async stop(): Promise<void> {
    const { informers } = this;
    this.#shared.clear();
    await Promise.all(informers.map((informer) => informer.stop()));
  }

  #create(key: string, scope: InformerScope): Shared {
    const informer = new Informer({ ...this.#options, scope, traits: this.#traits });
    const shared = { informer, holders: 0 };
    this.#shared.set(key, shared);
    informer.start();
    return shared;
  }
}

/** The same for scopes that select the same, whatever the order of their namespaces. */
function scopeKey({ type, namespaces, labelSelector, fieldSelector, metadataOnly }: InformerScope): string {
  const sorted = namespaces === undefined ? null : [...new Set(namespaces)].toSorted();
  return JSON.stringify([
    type.apiVersion,
    type.kind,
    sorted,
    labelSelector ?? '',
    fieldSelector ?? '',
    metadataOnly === true,
  ]);
}
