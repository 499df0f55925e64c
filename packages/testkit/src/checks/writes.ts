// The writes of a history, and who of the authors' Actions made them.
import { ANNOTATIONS } from '@pawl/reconciler/kubernetes';
import { partsOfPath, subjectOfPath } from '../world/api-paths.ts';
import type { EffectEvent, HistoryEvent, RequestEvent } from '../world/history.ts';

export interface Written {
  readonly event: RequestEvent | EffectEvent;
  /** Place in the history. */
  readonly at: number;
  readonly plural: string;
  /** What was written, in words. */
  readonly subject: string;
}

/** All writes, whether the server took them or not; effects included. */
export function writesOf(history: readonly HistoryEvent[]): readonly Written[] {
  const known = kept.get(history);
  if (known !== undefined && known.length === history.length) return known.found;
  const found = findWrites(history);
  kept.set(history, { length: history.length, found });
  return found;
}

/** Every check asks for the writes of the same history. */
const kept = new WeakMap<readonly HistoryEvent[], { readonly length: number; readonly found: readonly Written[] }>();

function findWrites(history: readonly HistoryEvent[]): readonly Written[] {
  const found: Written[] = [];
  for (const [at, event] of history.entries()) {
    if (event.type === 'effect') found.push({ event, at, plural: '', subject: `${event.system}.${event.call}` });
    else if (event.type === 'request' && event.write !== undefined)
      found.push({ event, at, plural: partsOfPath(event.path)?.plural ?? '', subject: subjectOfPath(event.path) });
  }
  return found;
}

/** The Action that a write belongs to; undefined for the framework's own. */
export function actionOf(event: RequestEvent | EffectEvent): string | undefined {
  if (event.by !== undefined) return event.by.action;
  if (event.type === 'effect') return undefined;
  return actionStamp(event.body) ?? actionStamp(event.after) ?? actionStamp(event.before);
}

function actionStamp(value: unknown): string | undefined {
  const { metadata } = (value ?? {}) as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  return metadata?.annotations?.[ANNOTATIONS.action];
}
