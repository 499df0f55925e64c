// What of a released package is no longer as it was released: content, permissions, kinds, samples, and what versions make.
import { lintCatalog, lockedVersion, type LockedKind } from '@pawl/reconciler';
import { ANNOTATIONS, groupOf, kindsOf, type ExampleObject, type KubernetesObject, type ProcedureCatalog, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { createContext, createObjects, type ContextOptions } from '../explore/context.ts';
import { differences, type Difference } from '../explore/state.ts';
import { subjectsOf, type Subject, type SubjectOptions } from '../explore/subject.ts';
import { World } from '../world/world.ts';
import type { Change } from './certificate.ts';

/** Both packages, and the samples that they are compared with. */
export interface Releases {
  readonly released: ProcedurePackage;
  /** How people call the released one, such as `website@1.4.0`. */
  readonly release: string;
  readonly current: ProcedurePackage;
  readonly objects: readonly ExampleObject[];
  /** Told before each step that takes a while. */
  readonly onStep: (says: string) => void;
}

export interface ObservedChanges {
  /** Samples that are refused now: there is nothing to explore. */
  readonly refused: readonly Change[];
  readonly madeOtherwise: readonly Change[];
}

/** What the definitions say, without running anything. */
export function declaredChanges({ released, release, current }: Releases): readonly Change[] {
  const renamed: readonly Change[] =
    released.name === current.name
      ? []
      : [{ severity: 'error', kind: '', says: `the package was released as ${released.name} and is ${current.name} now: fields of old objects are held under the old name; keep it` }];
  return [...renamed, ...released.kinds.flatMap((old) => kindChanges(old, release, current))];
}

function kindChanges(old: ProcedureCatalog, release: string, current: ProcedurePackage): readonly Change[] {
  const { id, kind } = old.resource;
  const catalog = current.kinds.find(({ resource }) => resource.id === id);
  if (catalog === undefined)
    return [{ severity: 'error', kind, says: `${kind} was released (in ${release}) and has no catalog any more: nothing reconciles or deletes objects of it; keep one` }];
  const now = { names: {}, owns: new Set(ownsOf(catalog)), rendered: new Map<string, Readonly<Record<string, string>>>() };
  return lintCatalog({ kind, catalog: catalog.versions, locked: lockedKind(old, release), now }).map(({ severity, version, code, message }) => ({
    severity: severity === 'error' ? 'error' : 'information',
    kind,
    ...(version === undefined ? {} : { version }),
    says: `${message} (${code})`,
  }));
}

/** A release as the lock of a project would remember it. */
function lockedKind(catalog: ProcedureCatalog, release: string): LockedKind {
  const versions = catalog.versions.procedures.map((procedure) => {
    const own = catalog.procedures.filter(({ version }) => version === procedure.version);
    return lockedVersion(procedure, { firstRelease: release, lastRelease: release, owns: ownsOf({ procedures: own }), rendered: {} });
  });
  return { kind: catalog.resource.kind, names: {}, versions };
}

const ownsOf = (catalog: Pick<ProcedureCatalog, 'procedures'>): readonly string[] =>
  kindsOf(catalog).owns.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`);

/** What only running shows: a shared Action can change the past, and a definition can refuse what is in clusters. */
export async function observedChanges(releases: Releases, options: SubjectOptions, settings: ContextOptions): Promise<ObservedChanges> {
  const { released, current, objects, onStep } = releases;
  const isShared = ({ kind }: ExampleObject): boolean => [released, current].every(({ kinds }) => kinds.some(({ resource }) => resource.kind === kind));
  if (!objects.some(isShared)) return { refused: [], madeOtherwise: [] };
  const [older, now] = [released, current].map((from) => subjectsOf(from, { ...options, objects, against: undefined }));
  const pairs = (older ?? []).flatMap((old) => (now ?? []).filter(({ catalog }) => catalog.resource.id === old.catalog.resource.id).map((same) => ({ old, same })));
  const refused: Change[] = [];
  for (const { old, same } of pairs) refused.push(...(await refusedSamples(old, same, settings)));
  if (refused.length > 0) return { refused, madeOtherwise: [] };
  const otherwise: Change[] = [];
  for (const { old, same } of pairs) otherwise.push(...(await madeOtherwise(old, same, settings, onStep)));
  return { refused, madeOtherwise: otherwise };
}

/** Samples that the released definitions take and those of today do not. */
async function refusedSamples(old: Subject, now: Subject, settings: ContextOptions): Promise<readonly Change[]> {
  const accepted = new Set((await refusals(old, settings)).map(({ object }) => object));
  const { kind } = old.catalog.resource;
  return (await refusals(now, settings))
    .filter(({ object }) => !accepted.has(object))
    .map(({ says }) => ({ severity: 'error', kind, says: `a sample that was accepted is refused now: ${says}` }));
}

async function refusals(subject: Subject, settings: ContextOptions): Promise<readonly { readonly object: ExampleObject; readonly says: string }[]> {
  const empty = await createContext(subject, settings).empty();
  const found: { readonly object: ExampleObject; readonly says: string }[] = [];
  for (const object of subject.objects) {
    const world = new World({ seed: settings.seed, fakes: subject.fakes, actors: [] }, empty);
    try {
      await createObjects(world, { ...subject, objects: [object] });
    } catch (error) {
      found.push({ object, says: error instanceof Error ? error.message : String(error) });
    } finally {
      world.end();
    }
  }
  return found;
}

/** Versions that both know, installed by each: the same version makes the same. */
async function madeOtherwise(old: Subject, now: Subject, settings: ContextOptions, onStep: Releases['onStep']): Promise<readonly Change[]> {
  const [before, today] = [createContext(old, settings), createContext(now, settings)];
  const owners = new Set(now.collections.filter(({ isOwner }) => isOwner).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const isOwner = ({ apiVersion, kind }: KubernetesObject): boolean => owners.has(`${apiVersion} ${kind}`);
  const changes: Change[] = [];
  for (const version of old.versions.filter((one) => now.versions.includes(one))) {
    onStep(`what ${version} makes, as it was released and as it is now`);
    const [was, is] = [await before.peace(version), await today.peace(version)];
    if (!was.isAtRest || !is.isAtRest) continue;
    const found = differences(is.state, was.state, isOwner, settings.masks);
    for (const [object, says] of byObject(found))
      changes.push({
        severity: 'error',
        kind: old.catalog.resource.kind,
        version,
        says: `${version} makes ${object} otherwise than it did when it was released: ${says}; give the old and the new way two Actions`,
      });
  }
  return changes;
}

/** One sentence for each object. Its fingerprint differs whenever something else does. */
function byObject(found: readonly Difference[]): ReadonlyMap<string, string> {
  const isFingerprint = ({ path = '' }: Difference): boolean => path.includes(ANNOTATIONS.applied);
  const sentences = new Map<string, string>();
  for (const difference of [...found.filter((each) => !isFingerprint(each)), ...found.filter(isFingerprint)])
    if (!sentences.has(difference.object)) sentences.set(difference.object, difference.says.replace(', a fresh install has ', ', and was '));
  return sentences;
}
