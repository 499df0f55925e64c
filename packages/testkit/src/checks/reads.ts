// The check of what Actions are shown: of each object nothing older than before, and nothing that was gone.
import { nameOfAction } from '../world/action-name.ts';
import type { ReadEvent } from '../world/history.ts';
import type { Check, Violation } from './check.ts';

interface Known {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** What one process was shown by one source: a cache may be behind the server, but neither goes back by itself. */
class Shown {
  readonly #known = new Map<string, Known>();
  readonly #gone = new Set<string>();

  /** Takes over what a read showed; answers what is wrong with it. */
  take({ what, found }: ReadEvent): readonly string[] {
    const faults = found.flatMap((seen) => {
      const { object, uid, resourceVersion } = seen;
      const before = this.#known.get(object);
      if (before !== undefined && before.uid !== uid) this.#gone.add(before.uid);
      const isOlder = before?.uid === uid && Number(resourceVersion) < Number(before.resourceVersion);
      const isBack = this.#gone.has(uid);
      if (!isOlder && !isBack) this.#known.set(object, seen);
      return isBack
        ? [`${object} as it was before it was deleted (uid ${uid})`]
        : isOlder
          ? [`${object} at revision ${resourceVersion}, after ${before?.resourceVersion ?? ''}`]
          : [];
    });
    // Of a list it is not known what was asked for, so nothing that is missing from it is known to be gone.
    const isOne = what.includes(' ');
    const missing = isOne && found.length === 0 ? this.#known.get(what) : undefined;
    if (missing !== undefined) this.#gone.add(missing.uid);
    return faults;
  }
}

export const showsNothingOlder: Check = ({ history }) => {
  const violations: Violation[] = [];
  const shown = new Map<string, Shown>();
  for (const [at, event] of history.entries()) {
    // With its memory a process loses what it was shown.
    if (event.type === 'note' && /^(process \d+ starts|lost the leadership)/.test(event.says))
      for (const source of ['server', 'cache', 'own']) shown.delete(`${event.process} ${source}`);
    if (event.type !== 'read') continue;
    const key = `${event.process} ${event.source}`;
    const before = shown.get(key) ?? new Shown();
    shown.set(key, before);
    for (const says of before.take(event))
      violations.push({ check: 'shows nothing older than before', object: event.what, says: `${nameOfAction(event.by)} is shown ${says}, by the ${event.source}`, at });
  }
  return violations;
};
