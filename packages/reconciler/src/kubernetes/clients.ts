// The clients that an action is given: each narrows the port to one declaration and counts what it changes.
import { canonicalJson, isEqualJson } from '../canonical.ts';
import { AccessError } from '../errors.ts';
import type { Change, Lease } from '../lease.ts';
import { shortHash } from '../versions/digest.ts';
import { isProtectedKind } from './kinds.ts';
import type { KubernetesObject, OwnerReference } from './model.ts';
import { concealed, revealed, sensitivePath } from './sensitive.ts';
import { ANNOTATIONS, claimManager, LABELS } from './names.ts';
import { ApiError, type Applied, type ApplyRequest, type ClusterPort, type ObjectRef } from './port.ts';
import type { OwnedFlags, Ref, RemoveOptions, ResourceType, Selector, StatusEditor } from './resource.ts';

/** What the clients of one cycle share. */
export interface ClientScope {
  readonly port: ClusterPort;
  readonly owner: KubernetesObject;
  /** The value of the owner label on its objects. */
  readonly ownerHash: string;
  /** The procedure version that acts. */
  readonly version: string;
  readonly packageName: string;
  readonly fieldManager: string;
  /** Object to the action that applied it in this cycle. */
  readonly appliedBy: Map<string, string>;
  /** Uids of owned objects that this cycle wants: the rest of the inventory is what a prune may remove. */
  readonly kept: Set<string>;
  /** Fields of the own status that were set in this cycle. */
  readonly status: Map<string, unknown>;
}

type Fields = Readonly<Record<string, unknown>>;
interface DesiredObject extends Fields {
  readonly metadata: ObjectRef & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** `Kind namespace/name`, as people write it. */
export function describe(type: ResourceType, { name, namespace }: ObjectRef): string {
  return `${type.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** The client of one kind, for `reads`. */
export class KindReader {
  protected readonly scope: ClientScope;
  protected readonly type: ResourceType & { readonly namespaced?: boolean };
  protected readonly lease: Lease;

  constructor(scope: ClientScope, type: ResourceType & { readonly namespaced?: boolean }, lease: Lease) {
    this.scope = scope;
    this.type = type;
    this.lease = lease;
  }

  get = (ref: Ref): Promise<KubernetesObject | undefined> =>
    this.lease.call(async () => concealed(this.type, await this.scope.port.get(this.type, this.refOf(ref))));

  live = (ref: Ref): Promise<KubernetesObject | undefined> =>
    this.lease.call(async () => concealed(this.type, await this.scope.port.live(this.type, this.refOf(ref))));

  list = (selector: Selector = {}): Promise<readonly KubernetesObject[]> => {
    const { namespace } = this.scope.owner.metadata;
    const own = this.type.namespaced === false || namespace === undefined ? {} : { namespace };
    return this.lease.call(async () => {
      const found = await this.scope.port.list(this.type, { ...own, ...selector });
      return found.map((object) => concealed(this.type, object));
    });
  };

  protected refOf(ref: Ref): ObjectRef {
    const { name, namespace = this.scope.owner.metadata.namespace } = typeof ref === 'string' ? { name: ref } : ref;
    return this.type.namespaced === false ? { name } : { name, namespace };
  }

  /** A secret is written into a Secret only: anywhere else its fingerprint would be stored in its place. */
  #wireOf(body: Fields, target: string): Fields {
    const sent = revealed(this.type, body);
    const path = sensitivePath(sent);
    if (path === undefined) return sent;
    throw new AccessError(`${this.lease.action} puts a sensitive value into ${path} of ${target}; only the data of a Secret may hold one`);
  }

  /** Sends an apply and records what it changed, or why the server refused it. */
  protected send(request: Omit<ApplyRequest, 'dryRun' | 'type'>): Promise<KubernetesObject> {
    const target = describe(this.type, request);
    const operation = (applied: 'create' | 'update'): Change['operation'] =>
      request.mode === 'fields' ? 'edit' : applied;
    return this.lease.call(async () => {
      try {
        const body = this.#wireOf(request.body, target);
        const applied: Applied = await this.scope.port.apply({ ...request, body, type: this.type, dryRun: false });
        if (applied.operation !== 'none') this.lease.record({ operation: operation(applied.operation), target });
        return concealed(this.type, applied.object);
      } catch (error) {
        if (error instanceof ApiError)
          this.lease.record({ operation: operation('update'), target, refused: `${error.reason}: ${error.message}` });
        throw error;
      }
    });
  }
}

/** For `edits`. */
export class KindEditor extends KindReader {
  edit = (object: KubernetesObject, claim: string, fields: Fields): Promise<KubernetesObject> =>
    this.send({
      name: object.metadata.name,
      namespace: object.metadata.namespace,
      body: fields,
      mode: 'fields',
      fieldManager: claimManager(this.scope.packageName, claim),
    });

  release = (object: KubernetesObject, claim: string): Promise<KubernetesObject> => this.edit(object, claim, {});

  evict = (pod: KubernetesObject): Promise<'evicted' | 'refused'> =>
    this.lease.call(async () => {
      const answer = await this.scope.port.evict(pod);
      if (answer === 'evicted') this.lease.record({ operation: 'evict', target: describe(this.type, pod.metadata) });
      return answer;
    });
}

/** A kind that is owned, as its grant says. */
export interface OwnedType extends ResourceType, OwnedFlags {
  readonly namespaced?: boolean;
}

/** For `owns`. */
export class KindOwner extends KindReader {
  readonly #immutable: string | undefined;
  readonly #isGuarded: boolean;

  constructor(scope: ClientScope, type: OwnedType, lease: Lease, immutable?: string) {
    super(scope, type, lease);
    this.#immutable = immutable;
    this.#isGuarded = type.guarded === true;
  }

  keep = (observed: KubernetesObject): void => {
    this.lease.assertOpen();
    this.scope.kept.add(observed.metadata.uid);
  };

  apply = async (desired: DesiredObject): Promise<KubernetesObject> => {
    const ref = this.refOf(desired.metadata);
    const target = describe(this.type, ref);
    const { appliedBy, fieldManager, kept, version, owner } = this.scope;
    const { action } = this.lease;
    const other = appliedBy.get(target);
    if (other !== undefined && other !== action)
      throw new AccessError(
        `${action} applies ${target}, which ${other} applies as well; an object belongs to one action`,
      );
    appliedBy.set(target, action);
    const appliedHash = shortHash(canonicalJson(desired));
    const object = await this.send({
      ...ref,
      body: { ...desired, metadata: this.#metadataOf(desired.metadata, ref, appliedHash) },
      mode: 'whole',
      fieldManager,
      immutable: this.#immutable,
      appliedHash,
      stamp: { version, ownerUid: owner.metadata.uid, action },
    });
    kept.add(object.metadata.uid);
    return object;
  };

  /** The author's metadata, and on top of it what tells whose the object is, who wrote it and what was wanted. */
  #metadataOf(desired: DesiredObject['metadata'], ref: ObjectRef, appliedHash: string): Fields {
    const { owner, ownerHash, version } = this.scope;
    const outlives = isProtectedKind(this.type) || desired.annotations?.[ANNOTATIONS.keep] === 'true';
    const references = outlives ? [] : this.#ownerReferences(ref);
    return {
      ...desired,
      labels: { ...desired.labels, [LABELS.owner]: ownerHash },
      annotations: {
        ...desired.annotations,
        [ANNOTATIONS.version]: version,
        [ANNOTATIONS.ownerUid]: owner.metadata.uid,
        [ANNOTATIONS.action]: this.lease.action,
        [ANNOTATIONS.applied]: appliedHash,
      },
      ...(references.length === 0 ? {} : { ownerReferences: references }),
    };
  }

  /**
   * The server follows references within a namespace, or to an owner without one; all else is found by the label. What
   * outlives its owner must not have one, or the server would delete it.
   */
  #ownerReferences({ namespace }: ObjectRef): readonly OwnerReference[] {
    const {
      apiVersion,
      kind,
      metadata: { name, uid, namespace: home },
    } = this.scope.owner;
    if (this.#isGuarded || (home !== undefined && home !== namespace)) return [];
    return [{ apiVersion, kind, name, uid, controller: true }];
  }

  remove = (observed: KubernetesObject, options: RemoveOptions = {}): Promise<void> =>
    this.lease.call(async () => {
      if (observed.metadata.deletionTimestamp !== undefined) return;
      await this.scope.port.remove(this.type, observed, options);
      this.lease.record({ operation: 'delete', target: describe(this.type, observed.metadata) });
    });

  owned = (): Promise<readonly KubernetesObject[]> =>
    this.list({ namespace: '*', labels: { [LABELS.owner]: this.scope.ownerHash } });
}

/** For fields of the own status. */
export class OwnStatusEditor implements StatusEditor<Record<string, unknown>> {
  readonly #scope: ClientScope;
  readonly #fields: readonly string[];
  readonly #lease: Lease;

  constructor(scope: ClientScope, fields: readonly string[], lease: Lease) {
    this.#scope = scope;
    this.#fields = fields;
    this.#lease = lease;
  }

  set = (fields: Fields): void => {
    this.#lease.assertOpen();
    for (const [field, value] of Object.entries(fields)) {
      if (!this.#fields.includes(field))
        throw new AccessError(`${this.#lease.action} did not declare status field ${field}`);
      if (isEqualJson(value, this.#valueOf(field))) continue;
      this.#scope.status.set(field, value);
      this.#lease.record({ operation: 'status', target: `status.${field}` });
    }
  };

  once = (field: string, make: () => unknown): unknown => {
    const recorded = this.#recorded()[field];
    if (recorded === undefined && !this.#scope.status.has(field)) this.set({ [field]: make() });
    return recorded;
  };

  #recorded(): Fields {
    return (this.#scope.owner as KubernetesObject & { readonly status?: Fields }).status ?? {};
  }

  #valueOf(field: string): unknown {
    return this.#scope.status.has(field) ? this.#scope.status.get(field) : this.#recorded()[field];
  }
}
