// `pawl explain`: what would be decided for an object, why, and what a person can do.
import type { Inspection } from '@pawl/operator';
import { explainReason, subjectOf } from '@pawl/reconciler/kubernetes';
import type { Reason } from '@pawl/reconciler';

type Json = Readonly<Record<string, unknown>>;

/** The explanation as data, for machines and for the text below. */
export interface Explanation {
  readonly object: string;
  /** Versions that may have left traces, such as `1.0.0 complete`. */
  readonly recorded: readonly string[];
  /** Versions found on its objects now. */
  readonly found: readonly string[];
  readonly decision: string;
  readonly path: readonly string[];
  /** Why a newer version is not being reached, or nothing may act; with what to do. */
  readonly reasons: readonly { readonly reason: string; readonly message: string }[];
  /** Every version of the catalog, with why it may not act; no reasons: it may. */
  readonly candidates: readonly { readonly version: string; readonly reasons: readonly string[] }[];
  readonly requests: Json;
}

export function explain({ object, state, step, decision, owned }: Inspection): Explanation {
  const subject = { ...object, ...object.metadata };
  const applied = decision.effective?.applied ?? [];
  const settings = state.cr.spec;
  const { requests } = state.cr;
  const text = (reason: Reason): { readonly reason: string; readonly message: string } => ({
    reason,
    message: explainReason(reason, { subject, decision, settings, requests }),
  });
  const stopped = decision.kind === 'Hold' || decision.kind === 'Blocked' ? [decision.reason] : [];
  const others = [decision.upgradeBlocked, step.step === 'hold' ? step.reason : undefined].flatMap((reason) => reason ?? []);
  return {
    object: subjectOf(subject),
    recorded: applied.map(({ version, state: is }) => `${version} ${is.toLowerCase()}`),
    found: [...new Set(owned.map(({ metadata }) => metadata.annotations?.['procedures.pawl.dev/version'] ?? 'unknown'))].sort(),
    decision: sentence(decision),
    path: decision.kind === 'Run' ? decision.path : [],
    reasons: [...new Set([...stopped, ...others])].map(text),
    candidates: decision.candidates,
    requests,
  };
}

function sentence(decision: Inspection['decision']): string {
  switch (decision.kind) {
    case 'Run':
      return decision.mode === 'Steady' ? `${decision.version} keeps its state` : `${decision.mode} with ${decision.version}`;
    case 'Hold':
      return `nothing acts: ${decision.reason}`;
    case 'Blocked':
      return `no version may act: ${decision.reason}`;
    case 'Teardown':
      return decision.how === 'procedure' ? `is taken down by ${decision.version ?? 'its procedure'}` : `is taken down by ${decision.how}`;
  }
}

/** The explanation as lines for people. */
export function explanationLines(explanation: Explanation): readonly string[] {
  const { object, recorded, found, decision, path, reasons, candidates, requests } = explanation;
  const asked = Object.entries(requests).map(([name, value]) => `${name}=${String(value)}`);
  return [
    object,
    `  recorded   ${listed(recorded, 'nothing yet')}`,
    `  found      ${listed(found, 'no objects')}`,
    ...(asked.length === 0 ? [] : [`  requested  ${asked.join(', ')}`]),
    `  decision   ${decision}${path.length > 1 ? `, on the way ${path.join(' -> ')}` : ''}`,
    ...reasons.map(({ reason, message }) => `  because    ${reason}: ${message}`),
    '  versions',
    ...candidates.toReversed().map(({ version, reasons: why }) => `    ${version.padEnd(12)} ${why.length === 0 ? 'may act' : why.join('; ')}`),
  ];
}

const listed = (items: readonly string[], none: string): string => (items.length === 0 ? none : items.join(', '));
