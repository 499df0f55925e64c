// The check of what others added to our objects: it is theirs, and stays.
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { AdmissionAnswer } from '../world/faults.ts';
import { hasAddition } from '../world/webhook.ts';
import { keyOf } from '../explore/state.ts';
import type { Check } from './check.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a webhook added is still there in the end, if the object is. */
export const leavesAdditions: Check = ({ history, final, isAtRest }) => {
  if (!isAtRest) return [];
  return history.flatMap((event, at) => {
    if (event.type !== 'request' || !event.committed || event.fault?.startsWith('adds-') !== true) return [];
    const answer = event.fault as AdmissionAnswer;
    const { uid } = (event.after as KubernetesObject).metadata;
    if (!hasAddition(event.after as Fields, answer)) return [];
    const left = [...final.values()].find(({ metadata }) => metadata.uid === uid);
    if (left === undefined || hasAddition(left as unknown as Fields, answer)) return [];
    return [{ check: 'leaves what others added' as const, object: keyOf(left), says: `what a webhook added to ${keyOf(left)} was taken away again`, at }];
  });
};
