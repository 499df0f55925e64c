// All checks of one run.
import type { Check, Outcome, Violation } from './check.ts';
import { behavesWell, createsNothingTwice, deletesOnlyWhatItMay, doesNotChurn, oneWriter, writesOnlyItsOwn } from './conduct.ts';
import { comesToRest, endsLikeFresh, leavesNothing, refusedWritesNothing, staysQuiet } from './end-state.ts';
import { hasAllAnswers, losesNoError, saysWhy } from './answers.ts';
import { leavesAdditions } from './additions.ts';
import { showsNothingOlder } from './reads.ts';
import { waitsAsAsked } from './waiting.ts';
import { neverGoesBack, recordStaysConsistent } from './record.ts';

const keepsInvariants: Check = ({ invariantFaults }) =>
  invariantFaults.map(({ invariant, says, at }) => ({ check: 'keeps the invariants', says: `${invariant}: ${says}`, at }));

const touchesNothingOutside: Check = ({ escapes }) =>
  escapes.map((says) => ({ check: 'touches nothing outside', says }));

const CHECKS: readonly Check[] = [
  touchesNothingOutside,
  losesNoError,
  hasAllAnswers,
  behavesWell,
  refusedWritesNothing,
  keepsInvariants,
  recordStaysConsistent,
  neverGoesBack,
  deletesOnlyWhatItMay,
  writesOnlyItsOwn,
  oneWriter,
  createsNothingTwice,
  leavesNothing,
  endsLikeFresh,
  doesNotChurn,
  staysQuiet,
  leavesAdditions,
  showsNothingOlder,
  comesToRest,
  saysWhy,
  waitsAsAsked,
];

/** Everything that is wrong with a run, the weightiest first. */
export function violationsOf(outcome: Outcome): readonly Violation[] {
  return CHECKS.flatMap((check) => check(outcome));
}
