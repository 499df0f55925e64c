// Work in a thread of its own, from inside: what the thread tells to the one that started it.
import { parentPort, workerData } from 'node:worker_threads';
import { describePlan, type ExploreOptions } from '@pawl/testkit';
import { faultsOf } from '../input-error.ts';
import type { ThreadMessage } from './thread.ts';

export interface ThreadSide {
  /** What it is doing from now on, for the case that it never comes back. */
  readonly isAt: (what: string) => void;
  /** The same for exploring, which is at one run after the other. */
  readonly watching: Pick<ExploreOptions, 'onRun' | 'onAction' | 'onProgress'>;
}

/** Which Action runs, on a board that can be read while this thread does not come back. Each name is told once. */
function actionBoard(tell: (message: ThreadMessage<never>) => void): NonNullable<ExploreOptions['onAction']> {
  const board = new Int32Array(new SharedArrayBuffer(4));
  const names = new Map<string, number>();
  tell({ says: 'acts', board });
  return (name) => {
    const text = name === undefined ? undefined : `Action ${name.action} of ${name.version}`;
    if (text !== undefined && !names.has(text)) {
      names.set(text, names.size + 1);
      tell({ says: 'names', number: names.size, action: text });
    }
    Atomics.store(board, 0, text === undefined ? 0 : (names.get(text) ?? 0));
  };
}

/** Does the one thing that the thread is for, and tells how it ended. */
export function serve<Settings, T>(work: (settings: Settings, side: ThreadSide) => Promise<T>): void {
  const tell = (message: ThreadMessage<T>): void => parentPort?.postMessage(message);
  const isAt = (plan: string): void => tell({ says: 'runs', plan });
  const watching: ThreadSide['watching'] = {
    onRun: (plan) => isAt(describePlan(plan)),
    onAction: actionBoard(tell),
    onProgress: ({ mode, edge, runs, seconds, failures }) =>
      tell({ says: 'progress', text: `${mode} ${edge}: ${runs} runs, ${(runs / seconds).toFixed(0)}/s, ${failures} found` }),
  };
  work(workerData as Settings, { isAt, watching }).then(
    (result) => tell({ says: 'ended', result }),
    (error: unknown) => tell({ says: 'failed', faults: faultsOf(error) ?? [error instanceof Error ? error.message : String(error)] }),
  );
}
