// A difference in words, for people who look at a plan or a status. The same text for the same difference.
import type { Delta, Surplus } from './delta.ts';

const MOST = 10;

const WHY: Readonly<Record<Surplus['reason'], string>> = {
  NotInSource: 'the source has no such member',
  SinkChanged: 'it is in a sink that the spec names no longer',
  Replaced: 'a newer one stands in for it',
  Duplicate: 'its member has another entry',
};

/** One line for each thing to do, with its reason; at most ten of each sort. Empty if there is nothing to do. */
export function describeDelta(delta: Delta): string {
  const { add, remove, duplicates, heldAdds, heldRemoves, unkeyedMembers, unkeyedEntries, sameKey } = delta;
  return [
    ...lines(add, ({ key }) => `add ${key}: the sink has no entry for it`),
    ...lines(remove, ({ key, entry, reason }) => `remove ${shown(key, entry.id)}: ${WHY[reason]}`),
    ...lines(duplicates, ({ key, entry, reason }) => `extra ${shown(key, entry.id)}: ${WHY[reason]}`),
    ...lines(heldAdds, ({ key }) => `hold the adding of ${key}: it may be the entry whose key cannot be told`),
    ...lines(
      heldRemoves,
      ({ key, entry }) =>
        `hold the removal of ${shown(key, entry.id)}: it may belong to the member whose key cannot be told`,
    ),
    ...lines(unkeyedMembers, ({ id, message }) => `member ${id} has no key: ${message}`),
    ...lines(unkeyedEntries, ({ id, message }) => `entry ${id} has no key: ${message}`),
    ...lines(sameKey, ({ key, member }) => `member ${member.id} has the key ${key}, as another one has`),
  ].join('\n');
}

function lines<T>(items: readonly T[], line: (item: T) => string): readonly string[] {
  const rest = items.length - MOST;
  return [...items.slice(0, MOST).map(line), ...(rest > 0 ? [`... and ${rest} more of this sort`] : [])];
}

const shown = (key: string, id: string): string => (key === id ? key : `${key} (${id})`);
