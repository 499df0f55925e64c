// Fields that cannot be changed in place: judged by the API itself, and by whether the upgrade gets past them.
import { ANNOTATIONS } from '@pawl/reconciler/kubernetes';
import type { Look, Pair, Refusal, Remark } from './pair.ts';

export const refusedChanges: Look = (pair) => pair.refusals.flatMap((refusal) => remarksOn(pair, refusal));

/** An error only where the upgrade stops at it: an Action may see to it, or say how the object is to be made anew. */
function remarksOn({ older, newer, upgraded, isUpgraded, strategyOf }: Pair, { object, path, message }: Refusal): readonly Remark[] {
  const [was, wanted, is] = [older.state.get(object), newer.state.get(object), upgraded.get(object)];
  if (was === undefined || wanted === undefined) return [];
  const by = wanted.metadata.annotations?.[ANNOTATIONS.action];
  const who = by === undefined ? 'its Action' : `Action ${by}`;
  const fact = `${newer.version} sets it to something else than ${older.version}, which the API refuses (${message})`;
  const strategy = strategyOf(wanted);
  const isRemade = is !== undefined && is.metadata.uid !== was.metadata.uid;
  const information = (says: string, action: string): readonly Remark[] => [{ object, path, severity: 'information', says: `${fact}; ${says}`, action }];
  if (strategy === 'OrphanRecreate') return information(`it is made anew, as ${who} declares with ${strategy}`, 'expect its pods to live on while it is away');
  if (strategy === 'Recreate') return information(`it is made anew, as ${who} declares with ${strategy}`, AWAY);
  if (isRemade) return information(`${who} deletes it and makes it anew`, AWAY);
  if (isUpgraded) return information(`the upgrade gets past it, for ${who} does not ask for the change`, 'nothing, if old objects may keep what they have');
  return [
    {
      object,
      path,
      severity: 'error',
      says: `${fact}: the upgrade cannot be done`,
      action: `keep the field as ${older.version} has it, or declare \`immutable\` for the kind on ${who}: Recreate, or OrphanRecreate to let its pods live`,
    },
  ];
}

const AWAY = 'expect it, and what depends on it, to be away for a moment';
