// Certifying a package against one that was released: every hop from a version that is out there to one that is not yet.
import type { ExampleObject, ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { edgesOf } from '../explore/edges.ts';
import type { Exploration, ExploreOptions, Failure } from '../explore/exploration.ts';
import { exploreCatalog } from '../explore/explore.ts';
import { MODES, type ModeName } from '../explore/job.ts';
import { subjectsOf } from '../explore/subject.ts';
import { idleModes, verdictOf, type Certificate, type CertifiedEdge } from './certificate.ts';
import { declaredChanges, observedChanges, type Releases } from './changes.ts';
import { readReleased } from './compatible.ts';

export interface CertifyOptions extends Omit<ExploreOptions, 'against' | 'from' | 'recorded' | 'released'> {
  /** What was released: the value of its module, whichever copy of the engine made it. */
  readonly against: unknown;
  /** How people call the release, such as `website@1.4.0`. */
  readonly release: string;
  /** When it is certified, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** Told before each step that is no run: whoever watches from outside knows where it hangs. */
  readonly onStep?: (says: string) => void;
  /** The command that replays a failure, by its place in the list. */
  readonly replayCommand?: (failure: Failure, index: number) => string;
}

/**
 * Explores every hop from a released version to a new one, the released procedures running as they were released.
 *
 * @throws {IncompatiblePackageError} if the released package cannot be run; Error if there is no sample object
 */
export async function certify(current: ProcedurePackage, options: CertifyOptions): Promise<Certificate> {
  const { release, nowMs, seed = 1, masks = [], invariants = [], replayCommand = () => '', onStep = () => {} } = options;
  const against = readReleased(options.against, release);
  const objects = options.objects ?? samplesOf(current, against);
  const explored = { ...options, objects, against };
  const releases: Releases = { released: against, release, current, objects, onStep };
  const edges = subjectsOf(current, explored).flatMap((subject) =>
    subject.released === undefined ? [] : edgesOf(subject).map((edge): CertifiedEdge => ({ ...edge, kind: subject.catalog.resource.kind })),
  );
  const { refused, madeOtherwise } = await observedChanges(releases, explored, { seed, masks, invariants });
  const changes = [...declaredChanges(releases), ...refused, ...madeOtherwise];
  const { modes, leftOut } = modesFor(options);
  const exploration = refused.length > 0 || edges.length === 0 ? nothing(current, seed) : await exploreCatalog(current, { ...explored, modes });
  // Whoever asks for a mode wants to hear that it did nothing; whoever asks for all of them does not.
  const idle = options.modes === undefined && exploration.runs > 0 ? idleModes(exploration, modes) : [];
  return {
    package: current.name,
    against: { package: against.name, release },
    date: new Date(nowMs).toISOString(),
    ...verdictOf({ edges, changes, exploration, modes: modes.filter((mode) => !idle.includes(mode)) }),
    edges,
    changes,
    exploration: { ...exploration, assumptions: [...restsOn(current, release), ...exploration.assumptions] },
    leftOut: [...leftOut, ...idle.map((mode) => `${mode}: there is nothing for it to do`), ...unpaired(current, against)],
    replays: exploration.failures.map(replayCommand),
  };
}

/** What is the same for every certification. */
function restsOn({ name }: ProcedurePackage, release: string): readonly string[] {
  return [
    `older operators are operators of today with the procedures of ${release}: the operator that was released is not run`,
    `definitions of kinds are those of ${name} from the beginning, as they are applied before a new operator starts`,
  ];
}

/** What users of the release have, and for kinds that it has no sample of, those of today. */
export function samplesOf(current: ProcedurePackage, released: ProcedurePackage): readonly ExampleObject[] {
  const known = new Set(released.examples.map(({ kind }) => kind));
  return [...released.examples.filter(({ kind }) => current.kinds.some(({ resource }) => resource.kind === kind)), ...current.examples.filter(({ kind }) => !known.has(kind))];
}

/** Every mode that has something to work with, unless some were asked for. */
function modesFor({ modes, edits = [] }: Pick<ExploreOptions, 'modes' | 'edits'>): { readonly modes: readonly ModeName[]; readonly leftOut: readonly string[] } {
  if (modes !== undefined) return { modes, leftOut: MODES.filter((mode) => !modes.includes(mode)).map((mode) => `${mode}: was not asked for`) };
  const reasons: readonly (readonly [ModeName, string])[] = [
    ['recorded', 'states from files are for pawl explore'],
    ...(edits.length > 0 ? [] : [['edit', 'no edit was given'] as const]),
    ...(edits.length > 1 ? [] : [['unobserved', 'it takes two edits'] as const]),
  ];
  return {
    modes: MODES.filter((mode) => !reasons.some(([name]) => name === mode)),
    leftOut: reasons.map(([mode, why]) => `${mode}: ${why}`),
  };
}

function unpaired(current: ProcedurePackage, released: ProcedurePackage): readonly string[] {
  return current.kinds
    .filter(({ resource }) => !released.kinds.some((old) => old.resource.id === resource.id))
    .map(({ resource }) => `hops of ${resource.kind}: it is a new kind, and no released version has objects of it`);
}

function nothing({ name }: ProcedurePackage, seed: number): Exploration {
  const none = { runs: 0, seconds: 0, runsPerSecond: 0, crashPoints: 0, repeated: 0, coverage: [], faults: {}, failures: [], pairs: [], assumptions: [] };
  return { package: name, seed, ...none, actions: { wrote: [], silent: [] }, notRun: ['exploring: there was nothing to begin with'] };
}
