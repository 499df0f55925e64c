// What is explored: one catalog within a package, the objects of the samples, and everything that follows from both.
import type { ActorName } from '@pawl/kube-api';
import { operatorConfig, type OperatorConfigInput, type ProtocolFunction } from '@pawl/operator';
import { compareVersions, type Procedure } from '@pawl/reconciler';
import {
  crdFor,
  defineCatalog,
  kindsOf,
  type ExampleObject,
  type KubernetesContext,
  type KubernetesObject,
  type ProcedureCatalog,
  type ProcedurePackage,
  type ResourceInfo,
} from '@pawl/reconciler/kubernetes';
import type { Starts } from '../start-state/load.ts';
import type { ExternalFake } from '../world/external-fake.ts';

/** A kind of object that states are made of. */
export interface Collection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** A kind of the package itself, whose objects are reconciled. */
  readonly isOwner: boolean;
}

/** Which procedures an operator of the past or the future brings. */
export interface Release {
  /** The newest version that it knows. */
  readonly upTo: string;
  /** It has forgotten all older ones. */
  readonly alone?: boolean;
}

export interface Subject {
  readonly package: ProcedurePackage;
  readonly catalog: ProcedureCatalog;
  /** Those of the catalog and of the release that it is explored against, oldest first. */
  readonly versions: readonly string[];
  /** The catalog of the release that stands for older operators, with its own procedures; absent: the catalog itself does. */
  readonly released?: ProcedureCatalog | undefined;
  readonly objects: readonly ExampleObject[];
  /** Objects that others have made before. */
  readonly surroundings: readonly ExampleObject[];
  /** Merge patches of the objects of the explored kind. */
  readonly edits: readonly object[];
  readonly fakes: readonly ExternalFake[];
  readonly actors: readonly ActorName[];
  readonly collections: readonly Collection[];
  readonly packageOf: (release: Release) => ProcedurePackage;
  /** Settings of the operator. */
  readonly config: OperatorConfigInput;
  /** Replaces the protocol of the operator. */
  readonly protocol?: ProtocolFunction | undefined;
  /** States from outside in which runs begin; absent: runs begin with nothing, or with what a version made. */
  readonly starts?: Starts | undefined;
}

export interface SubjectOptions {
  readonly objects?: readonly ExampleObject[] | undefined;
  readonly surroundings?: readonly ExampleObject[] | undefined;
  readonly edits?: readonly object[] | undefined;
  readonly fakes?: readonly ExternalFake[] | undefined;
  readonly actors?: readonly ActorName[] | undefined;
  /** What was released: operators of its versions run its procedures, not what the package makes of them today. */
  readonly against?: ProcedurePackage | undefined;
  /** Settings of the operator, such as `openKinds`; names, times and seed are the explorer's. */
  readonly config?: OperatorConfigInput | undefined;
  /** Only to show that a rule of the protocol matters: the operator follows this one instead of its own. */
  readonly protocol?: ProtocolFunction | undefined;
}

/** The package of a bare catalog: its kind takes any spec. */
export function packageOfCatalog(catalog: ProcedureCatalog): ProcedurePackage {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  return { name: 'explored', kinds: [catalog], crds: [crdFor(catalog.resource, { spec: anything })], external: [], examples: [] };
}

/**
 * One subject for each kind of a package of which there are sample objects.
 * @throws Error if there are none at all
 */
export function subjectsOf(from: ProcedurePackage, options: SubjectOptions): readonly Subject[] {
  const objects = options.objects ?? from.examples;
  const subjects = from.kinds
    .filter(({ resource }) => objects.some((object) => isOf(resource, object)))
    .map((catalog) => subjectOf(from, catalog, objects, options));
  if (subjects.length === 0)
    throw new Error(
      `objects: found ${objects.length === 0 ? 'none' : objects.map(({ kind }) => kind).join(', ')}; needed is a sample ` +
        `object of ${from.kinds.map(({ resource }) => resource.kind).join(' or ')}, in the package's examples or as \`objects\``,
    );
  return subjects;
}

function subjectOf(
  from: ProcedurePackage,
  catalog: ProcedureCatalog,
  objects: readonly ExampleObject[],
  { surroundings = [], edits = [], fakes = [], actors, config = {}, protocol, against }: SubjectOptions,
): Subject {
  const kinds = [...from.kinds, ...(against?.kinds ?? [])];
  const owners = new Set(kinds.map(({ resource }) => idOf(resource)));
  const touched = kinds.map(kindsOf).flatMap(({ owns, edits: edited }) => [...owns, ...edited]);
  const { openKinds } = operatorConfig({ operatorName: 'explore', ...config });
  const opened = Object.values(openKinds).flat().map((kind) => ({ namespaced: true, ...kind }));
  const infos: readonly Info[] = [...kinds.map(({ resource }) => resource), ...touched, ...opened];
  const collections = [...new Map(infos.map((info) => [idOf(info), info])).values()].map(
    ({ apiVersion, kind, plural, namespaced }) => ({ apiVersion, kind, plural, namespaced, isOwner: owners.has(`${apiVersion} ${kind}`) }),
  );
  const released = against?.kinds.find(({ resource }) => resource.id === catalog.resource.id);
  const versions = versionsOf(catalog, released);
  const releases = new Map<string, ProcedurePackage>();
  return {
    package: from,
    catalog,
    versions,
    released,
    objects,
    surroundings,
    edits,
    fakes,
    actors: actors ?? [...actorsFor(new Set(collections.map(({ kind }) => kind))), ...(kinds.some(recreates) ? ['garbageCollector' as const] : [])],
    collections,
    config,
    protocol,
    packageOf: (release) => {
      const key = nameOfRelease(release);
      const isReleased = released?.procedures.some(({ version }) => version === release.upTo) === true;
      const known =
        releases.get(key) ??
        (against !== undefined && released !== undefined && isReleased ? truncated(against, released, release) : truncated(from, catalog, release));
      releases.set(key, known);
      return known;
    },
  };
}

function versionsOf({ procedures }: ProcedureCatalog, released: ProcedureCatalog | undefined): readonly string[] {
  const all = new Set([...procedures, ...(released?.procedures ?? [])].map(({ version }) => version));
  return [...all].toSorted(compareVersions);
}

type Info = Pick<ResourceInfo<KubernetesObject>, 'apiVersion' | 'kind' | 'plural' | 'namespaced'>;
const idOf = ({ apiVersion, kind }: Pick<Info, 'apiVersion' | 'kind'>): string => `${apiVersion} ${kind}`;
const isOf = (resource: Info, object: ExampleObject): boolean => idOf(resource) === idOf(object);

/** Whether an object is of the explored kind. */
export function isExplored({ catalog }: Subject, object: { readonly apiVersion: string; readonly kind: string }): boolean {
  return idOf(catalog.resource) === idOf(object);
}

/** A release as people name it. */
export function nameOfRelease({ upTo, alone }: Release): string {
  return alone === true ? `${upTo} alone` : upTo;
}

/** The package as it was when `upTo` was the newest version of the catalog. */
function truncated(from: ProcedurePackage, catalog: ProcedureCatalog, { upTo, alone }: Release): ProcedurePackage {
  const kept = catalog.procedures.filter(({ version }) =>
    alone === true ? version === upTo : compareVersions(version, upTo) <= 0,
  );
  if (kept.length === catalog.procedures.length) return from;
  const { resource, parent } = catalog;
  const older = defineCatalog(
    resource,
    kept as unknown as readonly Procedure<KubernetesContext<KubernetesObject>>[],
    parent === undefined ? {} : { parent: { of: parent.of, releasedBy: { name: parent.releasedBy } } },
  );
  return { ...from, kinds: from.kinds.map((each) => (each === catalog ? older : each)) };
}

/** What is deleted before it is made anew goes as the garbage collector lets it. */
function recreates({ procedures }: ProcedureCatalog): boolean {
  return procedures
    .flatMap(({ actions }) => [...actions.values()])
    .some(({ grants }) => grants.some(({ immutable = 'Refuse' }) => immutable !== 'Refuse'));
}

const NEEDS: Readonly<Record<string, readonly ActorName[]>> = {
  Deployment: ['deployment', 'replicaSet', 'pod'],
  ReplicaSet: ['replicaSet', 'pod'],
  StatefulSet: ['statefulSet', 'pod', 'volume'],
  DaemonSet: ['daemonSet', 'pod'],
  Job: ['job', 'pod'],
  Pod: ['pod'],
  PersistentVolumeClaim: ['volume'],
  PodDisruptionBudget: ['disruption'],
};

/** The parts of the cluster without which the owned objects would stand still. */
function actorsFor(kinds: ReadonlySet<string>): readonly ActorName[] {
  return [...new Set([...kinds].flatMap((kind) => NEEDS[kind] ?? []))];
}
