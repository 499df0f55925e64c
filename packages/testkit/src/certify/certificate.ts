// What a certification found out, and what follows from it. Types and the verdict.
import type { Edge } from '../explore/edges.ts';
import type { EdgeCoverage, Exploration } from '../explore/exploration.ts';
import type { ModeName } from '../explore/job.ts';
import { KILLING } from '../explore/modes.ts';

/** `incomplete`: nothing was found, and not all was done that was asked for. */
export type Verdict = 'pass' | 'violation' | 'incomplete';

/** Something about a released version that is not as it was released. */
export interface Change {
  readonly severity: 'error' | 'information';
  readonly kind: string;
  /** The version that it is about, if it is about one. */
  readonly version?: string;
  readonly says: string;
}

/** A hop from a released version to one that is not released yet. */
export interface CertifiedEdge extends Edge {
  readonly kind: string;
}

export interface Certificate {
  readonly package: string;
  /** What it was certified against. */
  readonly against: { readonly package: string; readonly release: string };
  /** ISO 8601. */
  readonly date: string;
  readonly verdict: Verdict;
  /** Why it is not a pass; none if it is. */
  readonly reasons: readonly string[];
  readonly edges: readonly CertifiedEdge[];
  readonly changes: readonly Change[];
  readonly exploration: Exploration;
  /** What was not asked for, and why. */
  readonly leftOut: readonly string[];
  /** For each failure, the command that shows it again. */
  readonly replays: readonly string[];
}

export interface Evidence {
  readonly edges: readonly CertifiedEdge[];
  readonly changes: readonly Change[];
  readonly exploration: Exploration;
  /** The modes that were asked for. */
  readonly modes: readonly ModeName[];
}

/** The verdict, with every reason. What was found outweighs what was not done. */
export function verdictOf(evidence: Evidence): { readonly verdict: Verdict; readonly reasons: readonly string[] } {
  const [found, missing] = [violationsIn(evidence), gapsIn(evidence)];
  if (found.length > 0) return { verdict: 'violation', reasons: [...found, ...missing] };
  return missing.length > 0 ? { verdict: 'incomplete', reasons: missing } : { verdict: 'pass', reasons: [] };
}

function violationsIn({ changes, exploration: { failures, pairs } }: Evidence): readonly string[] {
  const counted = (count: number, what: string): readonly string[] => (count === 0 ? [] : [`${what}: ${count}`]);
  return [
    ...counted(failures.length, 'plans after which something is wrong'),
    ...counted(pairs.filter(({ severity }) => severity === 'error').length, 'things that break with the hop itself'),
    ...counted(changes.filter(({ severity }) => severity === 'error').length, 'changes of what was released'),
  ];
}

function gapsIn({ edges, exploration: { coverage, notRun }, modes }: Evidence): readonly string[] {
  const declared = edges.filter(({ isDirect }) => isDirect);
  const kills = ({ name, kind }: CertifiedEdge): number => pointsOf(coverage.filter((row) => row.edge === name && row.kind === kind));
  return [
    ...(declared.length === 0 ? ['there is no hop from a released version to a new one'] : []),
    ...(modes.some((mode) => KILLING.has(mode)) ? [] : ['no mode kills the operator']),
    ...declared.filter((edge) => kills(edge) === 0).map(({ name, kind }) => `${name} of ${kind} has no crash point`),
    ...(coverage.length === 0 ? [] : idleModes({ coverage, notRun }, modes).map((mode) => `${mode} found nothing to do`)),
    ...notRun,
  ];
}

/** Modes that were run and had nothing to work with; why one was not run is told elsewhere. */
export function idleModes({ coverage, notRun }: Pick<Exploration, 'coverage' | 'notRun'>, modes: readonly ModeName[]): readonly ModeName[] {
  return modes.filter((mode) => !coverage.some((row) => row.mode === mode) && !notRun.some((says) => says.startsWith(`${mode} of `)));
}

const pointsOf = (rows: readonly EdgeCoverage[]): number => rows.reduce((sum, { crashPoints }) => sum + crashPoints, 0);
