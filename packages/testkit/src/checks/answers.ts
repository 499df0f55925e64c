// Checks of what is told: an error reaches somebody, an Action answers, and an object that does not go on says why.
import { ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { nameOfAction } from '../world/action-name.ts';
import { isExplored } from '../explore/subject.ts';
import { keyOf, standingOf } from '../explore/state.ts';
import { describeFault } from '../world/fault-words.ts';
import type { Check, Outcome, Violation } from './check.ts';

/** An error that nobody waits for would end a real process, or be lost. */
export const losesNoError: Check = ({ unhandled }) =>
  unhandled.map(({ by, says }) => ({
    check: 'loses no error',
    says: `${by === undefined ? 'outside of all Actions' : nameOfAction(by)}: an error was thrown that nobody waits for: ${says}; an await or a catch is missing`,
  }));

/** Longer than any request, retry and time limit that an Action may wait for. */
const LONGEST_ANSWER_MS = 10 * 60_000;

/** An Action may take its time, but not for ever. */
export const hasAllAnswers: Check = ({ unanswered }) => {
  const late = unanswered.filter(({ forMs }) => forMs > LONGEST_ANSWER_MS).map((one) => `${nameOfAction(one)} has not answered for ${Math.floor(one.forMs / 60_000)} minutes`);
  return [...new Set(late)].map((says) => ({ check: 'has an answer from every Action', says: `${says}: it waits for something that never comes` }));
};

/** Whoever looks at an object that stands still finds the reason in its status: in the end, and while the cluster stands still. */
export const saysWhy: Check = (outcome) => [...silentWhileHeld(outcome), ...silentInTheEnd(outcome)];

/** In the middle of the time for which a part of the cluster stands still, by what was written last. */
function silentWhileHeld({ subject, plan, history }: Outcome): readonly Violation[] {
  return plan.faults.flatMap((fault) => {
    const begun = fault.kind !== 'cluster' ? undefined : history.find((event) => event.type === 'note' && event.says.startsWith(describeFault(fault)));
    if (fault.kind !== 'cluster' || begun === undefined) return [];
    const last = new Map<string, KubernetesObject>();
    for (const event of history) {
      if (event.type !== 'request' || event.atMs > begun.atMs + fault.forMs / 2 || event.after === undefined) continue;
      const object = event.after as KubernetesObject;
      if (isExplored(subject, object)) last.set(keyOf(object), object);
    }
    return [...last.values()].filter((object) => !standingOf(object).isReady && !isTold(object)).map(silence);
  });
}

function silentInTheEnd({ subject, final, isAtRest, expectation }: Outcome): readonly Violation[] {
  if (isAtRest && expectation.ends !== 'refused') return [];
  const refused = expectation.ends === 'refused' ? expectation.owners : undefined;
  return [...final.values()].flatMap((object) => {
    if (!isExplored(subject, object) || (refused !== undefined && !refused.includes(ownerHashOf(object)))) return [];
    return isTold(object) ? [] : [silence(object)];
  });
}

const silence = (object: KubernetesObject): Violation => ({
  check: 'says why it does not go on',
  object: keyOf(object),
  says: `the status of ${keyOf(object)} does not say why it stands still`,
});

function isTold(object: KubernetesObject): boolean {
  const { summary, isReady } = standingOf(object);
  return (summary ?? '') !== '' || (!isReady && messageOf(object) !== '');
}

/** What the condition Ready says. */
function messageOf(object: KubernetesObject): string {
  const { status } = object as KubernetesObject & { readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message?: string }[] } };
  return status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
}
