// Which resources are served: the built-in ones and what CustomResourceDefinitions add.
import type { ResourceType } from '../kinds/resource-type.ts';

/** Looks resources up by path. Custom resources come and go; built-in ones stay. */
export class Registry {
  readonly #byPath = new Map<string, ResourceType>();
  /** Versions of the custom resource that a CRD defines, by the CRD's name. */
  readonly #custom = new Map<string, readonly ResourceType[]>();
  #types: readonly ResourceType[] | undefined;
  /** Grows with every change, so that documents made from the registry can be kept. */
  #generation = 0;

  constructor(types: readonly ResourceType[]) {
    for (const type of types) this.#byPath.set(pathKey(type.group, type.version, type.plural), type);
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#byPath.get(pathKey(group, version, plural));
  }

  /** Whether a version of a group has built-in kinds. */
  hasBuiltins(group: string, version: string): boolean {
    return this.types().some((type) => !type.custom && type.group === group && type.version === version);
  }

  /** The resource of a kind; undefined if it is not served. */
  findKind(apiVersion: string, kind: string): ResourceType | undefined {
    return this.types().find((type) => type.apiVersion === apiVersion && type.kind === kind);
  }

  get generation(): number {
    return this.#generation;
  }

  /** Sets what a CRD serves; an empty list removes it. */
  setCustom(crd: string, types: readonly ResourceType[]): void {
    const before = this.#custom.get(crd) ?? [];
    if (before === types || (before.length === 0 && types.length === 0)) return;
    for (const old of before) this.#byPath.delete(pathKey(old.group, old.version, old.plural));
    for (const type of types) this.#byPath.set(pathKey(type.group, type.version, type.plural), type);
    if (types.length === 0) this.#custom.delete(crd);
    else this.#custom.set(crd, types);
    this.#types = undefined;
    this.#generation++;
  }

  /** All resources: built-in ones in their order, then custom ones by CRD and in the CRD's order of versions. */
  types(): readonly ResourceType[] {
    return (this.#types ??= [...this.#byPath.values()]);
  }

  fork(): Registry {
    const copy = new Registry([]);
    for (const [key, type] of this.#byPath) copy.#byPath.set(key, type);
    for (const [crd, types] of this.#custom) copy.#custom.set(crd, types);
    return copy;
  }
}

function pathKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
