// What the cases have in common: a small kind, packages of it, and what a case is.
import { proceduresFor, type Action, type BoundExternal, type Procedure } from '@pawl/reconciler';
import {
  crdFor,
  defineCatalog,
  definePackage,
  defineResource,
  type ConfigMap,
  type CustomResource,
  type KubernetesContext,
  type ProcedurePackage,
} from '@pawl/reconciler/kubernetes';
import type { CheckName, ExploreOptions, ModeName, StartState } from '@pawl/testkit';

export interface ThingSpec {
  readonly size?: number;
  readonly text?: string;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
}
export interface ThingStatus {
  readonly removing: string;
  readonly ordered: string;
}
export interface Thing extends CustomResource<'cases.pawl.dev/v1', 'Thing', ThingSpec, ThingStatus> {}
export const Things = defineResource<Thing>({ apiVersion: 'cases.pawl.dev/v1', kind: 'Thing', plural: 'things' });
export const forThings = proceduresFor<KubernetesContext<Thing>>();
export type ThingProcedure = Procedure<KubernetesContext<Thing>>;

/** A release with these procedures. */
export function release(procedures: readonly ThingProcedure[], external: readonly BoundExternal[] = []): ProcedurePackage {
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  const status = { removing: { type: 'string' }, ordered: { type: 'string' } } as const;
  return definePackage({ name: 'cases', kinds: [defineCatalog(Things, procedures)], crds: [crdFor(Things, { spec, status })], external });
}

/** An object as a user writes it. */
export const thing = (spec: ThingSpec) =>
  ({ apiVersion: 'cases.pawl.dev/v1', kind: 'Thing', metadata: { name: 'one', namespace: 'default' }, spec }) as const;

/** The only procedure of a release, of one version. */
export const only = (...actions: readonly Action<KubernetesContext<Thing>>[]): ThingProcedure =>
  forThings.defineProcedure({ version: '1.0.0', minVersion: '0.1.0', actions });

export const dataOf = (object: ConfigMap | undefined): Readonly<Record<string, string>> => object?.data ?? {};

/** A mistake that was made in the field, small, and the same without it. */
export interface Case {
  /** What goes wrong, for people. */
  readonly name: string;
  /** Where it was reported. */
  readonly reported: string;
  readonly faulty: ProcedurePackage;
  readonly repaired: ProcedurePackage;
  readonly modes: readonly ModeName[];
  /** The check that must see it. */
  readonly foundBy: CheckName;
  readonly options: ExploreOptions;
  /** It begins in what an older release has left; `modes` is then `recorded`. */
  readonly from?: () => Promise<StartState>;
}

/** How a case is explored, faulty or repaired. */
export async function settingsOf({ options, modes, from }: Pick<Case, 'options' | 'modes' | 'from'>): Promise<ExploreOptions> {
  return { budgetMs: 20_000, ...options, modes, ...(from === undefined ? {} : { from: await from() }) };
}
