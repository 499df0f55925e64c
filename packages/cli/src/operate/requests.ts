// Requests of a person to the operator: annotations, and the pause that belongs in git.
import { compareVersions, isVersion, type RequestName } from '@pawl/reconciler';
import { requestAnnotation } from '@pawl/reconciler/kubernetes';
import type { Inspection } from '@pawl/operator';

type Json = Readonly<Record<string, unknown>>;

/** What people can ask for. */
export type Verb = Extract<RequestName, 'rollback' | 'approve' | 'retry' | 'adopt'> | 'pause' | 'resume';

/** One object and what would be written to it, or why that would be useless. */
export type Asked =
  | { readonly object: string; readonly patch: Json; readonly says: string }
  | { readonly object: string; readonly refused: string };

/** The patch that asks for something, checked against what the operator would make of it. */
export function ask(verb: Verb, version: string | undefined, name: string, inspection: Inspection, now: string): Asked {
  if (verb === 'pause' || verb === 'resume') {
    const isPaused = inspection.state.cr.spec.paused === true;
    if (isPaused === (verb === 'pause')) return { object: name, refused: isPaused ? 'it is paused already' : 'it is not paused' };
    const paused = verb === 'pause' ? true : null;
    const says = verb === 'pause' ? 'nothing is changed for it until it is resumed' : 'it is reconciled again';
    return { object: name, patch: { spec: { procedure: { paused } } }, says };
  }
  if (verb === 'retry') return { object: name, patch: annotated('retry', now), says: 'it is tried again now' };
  const refused = refusal(verb, version, inspection);
  if (refused !== undefined || version === undefined) return { object: name, refused: refused ?? 'a version is needed' };
  return { object: name, patch: annotated(verb, version), says: SAYS[verb](version) };
}

const SAYS = {
  rollback: (version: string) => `it goes back to ${version}`,
  approve: (version: string) => `it may go to ${version}`,
  adopt: (version: string) => `${version} takes over what no author declared; that is recorded as accepted by you`,
} as const;

function refusal(verb: 'rollback' | 'approve' | 'adopt', version: string | undefined, { decision, state }: Inspection): string | undefined {
  if (version === undefined || !isVersion(version)) return `found version ${JSON.stringify(version) ?? 'nothing'}; allowed is a version such as 1.2.0`;
  const known = state.catalog.procedures.map((procedure) => procedure.version);
  if (!known.some((candidate) => compareVersions(candidate, version) === 0))
    return `version ${version} is not in these packages; they know ${known.join(', ')}`;
  if (verb !== 'rollback') return undefined;
  const applied = decision.effective?.applied ?? [];
  const isBack = applied.some((entry) => compareVersions(entry.version, version) > 0);
  if (!isBack) return `nothing newer than ${version} is recorded, so there is nothing to go back from`;
  const reasons = decision.candidates.find((candidate) => compareVersions(candidate.version, version) === 0)?.reasons ?? [];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

const annotated = (name: RequestName, value: string): Json => ({
  metadata: { annotations: { [requestAnnotation(name)]: value } },
});
