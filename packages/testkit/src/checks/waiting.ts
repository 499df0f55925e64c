// The check of patience: whoever was asked to wait sends the same again only afterwards.
import { subjectOfPath } from '../world/api-paths.ts';
import type { Check, Violation } from './check.ts';

/** After an answer that asks to wait, the process sends no request of the same verb and path before that time. */
export const waitsAsAsked: Check = ({ history }) => {
  const until = new Map<string, number>();
  const violations: Violation[] = [];
  for (const [at, event] of history.entries()) {
    if (event.type !== 'request') continue;
    const { process, method, path, atMs, retryAfterMs } = event;
    const [bare = ''] = path.split('?');
    const key = `${process} ${method} ${bare}`;
    const earliest = until.get(key);
    if (earliest !== undefined && atMs < earliest)
      violations.push({
        check: 'waits as it is asked to',
        object: subjectOfPath(path),
        says: `process ${process} sends ${method} ${subjectOfPath(path)} again ${earliest - atMs} ms before the time that the server asked for`,
        at,
      });
    if (retryAfterMs === undefined) until.delete(key);
    else until.set(key, atMs + retryAfterMs);
  }
  return violations;
};
