// Makes a cycle's host out of a port: for acting, and for planning.
import type { ExternalView, Grant } from '../access.ts';
import type { CycleHost, ResultMemo } from '../cycle.ts';
import { KnownAfter } from '../errors.ts';
import type { ExternalApi } from '../external.ts';
import type { Lease } from '../lease.ts';
import { KindEditor, KindOwner, KindReader, OwnStatusEditor, type ClientScope } from './clients.ts';
import type { KubernetesContext } from './context.ts';
import type { KubernetesObject } from './model.ts';
import { ownerHashOf } from './names.ts';
import type { ClusterPort } from './port.ts';
import type { OpenResource, OwnedFlags, OwnStatus, Resource, ResourceType } from './resource.ts';

/** One of the kinds that an open resource may stand for. */
export interface OpenKind extends ResourceType {
  /** Default true. */
  readonly namespaced?: boolean;
}

export interface ClusterHostParts<T extends KubernetesObject> {
  readonly context: KubernetesContext<T>;
  readonly port: ClusterPort;
  /** Name of the package: the managers of claims are made of it. */
  readonly packageName: string;
  /** Manager of owned objects. */
  readonly fieldManager: string;
  readonly externals?: ReadonlyMap<string, ExternalApi>;
  /** Kinds that an open resource may stand for, by its name. */
  readonly openKinds?: ReadonlyMap<string, readonly OpenKind[]>;
  readonly memo?: ResultMemo;
  /** Awaited right before each effect outside: it throws when this cycle may not act any more. */
  readonly beforeEffect?: () => Promise<void>;
  /** Looks on while the bodies of actions run. */
  readonly around?: CycleHost<unknown>['around'];
  /** Effects outside the cluster are recorded, not executed. Give it a port that does not write. */
  readonly planning?: boolean;
}

export interface ClusterHost<T extends KubernetesObject> extends CycleHost<KubernetesContext<T>> {
  /** Fields of the own status that the cycle's actions set. */
  readonly statusFields: ReadonlyMap<string, unknown>;
  /** Uids of owned objects that the cycle's actions applied or kept. */
  readonly kept: ReadonlySet<string>;
}

type Target = Resource<KubernetesObject> &
  OpenResource<KubernetesObject> &
  OwnStatus<Record<string, unknown>> &
  OwnedFlags;

/** A host whose clients go through `port`. */
export function clusterHost<T extends KubernetesObject>(parts: ClusterHostParts<T>): ClusterHost<T> {
  const scope: ClientScope = {
    port: parts.port,
    owner: parts.context.object,
    ownerHash: ownerHashOf(parts.context.object),
    version: parts.context.procedure.version,
    packageName: parts.packageName,
    fieldManager: parts.fieldManager,
    appliedBy: new Map(),
    kept: new Set(),
    status: new Map(),
  };
  const open = ({ verb, target, immutable }: Grant, lease: Lease): unknown => {
    if (verb === 'external') return externalClient(target as ExternalView, lease, parts);
    const { open: name, statusOf, fields, guarded = false } = target as unknown as Partial<Target>;
    if (fields !== undefined && statusOf !== undefined) return new OwnStatusEditor(scope, fields, lease);
    const client = (type: ResourceType): KindReader => {
      if (verb === 'reads') return new KindReader(scope, type, lease);
      if (verb === 'edits') return new KindEditor(scope, type, lease);
      return new KindOwner(scope, guarded ? { ...type, guarded } : type, lease, immutable);
    };
    if (name === undefined) return client(target as Resource<KubernetesObject>);
    return (type: ResourceType) => {
      const allowed = parts.openKinds?.get(name) ?? [];
      const found = allowed.find(({ apiVersion, kind }) => apiVersion === type.apiVersion && kind === type.kind);
      if (found === undefined)
        throw new Error(
          `${name} may not be ${type.apiVersion} ${type.kind}; allowed: ${allowed.map(({ kind }) => kind).join(', ') || 'none'}`,
        );
      return client(found);
    };
  };
  return {
    context: parts.context,
    clock: parts.context.clock,
    open,
    statusFields: scope.status,
    kept: scope.kept,
    ...(parts.memo === undefined ? {} : { memo: parts.memo }),
    around: parts.around,
  };
}

/** Reads pass; an effect is recorded, then made, or in a plan ends the action. */
function externalClient<T extends KubernetesObject>(
  { key, effectful }: ExternalView,
  lease: Lease,
  parts: ClusterHostParts<T>,
): object {
  const api = parts.externals?.get(key);
  if (api === undefined) throw new Error(`external system ${key} is not bound`);
  const client: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(api.reads))
    client[name] = (...input: never[]) => lease.call(() => read(...input));
  if (effectful)
    for (const [name, effect] of Object.entries(api.effects))
      client[name] = (...input: never[]) =>
        lease.call(async () => {
          if (parts.planning !== true) await parts.beforeEffect?.();
          const about = api.describe?.(name, ...input);
          const target = about === undefined ? `${key}.${name}` : `${key}.${name} ${about}`;
          lease.record({ operation: 'effect', target });
          if (parts.planning === true) throw new KnownAfter(target);
          return effect(...input);
        });
  return client;
}
