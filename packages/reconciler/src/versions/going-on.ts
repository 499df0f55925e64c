// Going on with what is recorded: an open hop to its end, or a complete version as it is.
import type { RunVerdict } from './decision.ts';
import type { Situation } from './situation.ts';

/** The open hop goes on, if this catalog has its procedure and it may act. */
export function resume(situation: Situation, path?: readonly string[]): RunVerdict | undefined {
  const procedure = situation.procedure(situation.target);
  if (procedure === undefined || !situation.may(procedure)) return undefined;
  const { version } = procedure;
  const intent = situation.effective.reconstructed;
  return { kind: 'Run', mode: 'Resume', version, path: path ?? [version], intent, avoid: situation.avoid };
}

/**
 * The complete version keeps its state. One that was reconstructed, or whose procedure is no longer the one that acted
 * here under this version, is recorded and verified again first.
 */
export function steady(situation: Situation): RunVerdict | undefined {
  const procedure = situation.procedure(situation.current);
  if (procedure === undefined || !situation.may(procedure)) return undefined;
  const acted = situation.applied[0]?.digest;
  const hasChanged = acted !== undefined && acted !== procedure.digest;
  const intent = situation.effective.reconstructed || hasChanged;
  const mode = intent ? 'Resume' : 'Steady';
  return { kind: 'Run', mode, version: procedure.version, path: [], intent, avoid: situation.avoid };
}
