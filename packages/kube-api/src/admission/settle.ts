// Does something that may have to wait for webhooks, as often as it takes.
import { conflict } from '../errors.ts';
import type { KubeObject } from '../json.ts';
import type { Outside } from './outside.ts';
import { Attempt } from './attempt.ts';
import { Unanswered } from './unanswered.ts';
import type { Clock, Random } from '../ports.ts';

/** Rounds of questions after which a state that changes all the time is given up on. */
const MAX_ROUNDS = 50;

interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly outside: Outside;
}

/**
 * Runs `step` until it throws no Unanswered any more; in between its questions are answered.
 *
 * @param objects asked about in the same message as one of them, where a question allows it
 * @throws what `step` or an answer throws; StatusError 409 if new questions come up again and again
 */
export async function settle<T>(
  surroundings: Surroundings,
  step: (attempt: Attempt) => T,
  objects: readonly KubeObject[] = [],
  attempt = new Attempt(surroundings),
): Promise<T> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    attempt.begin();
    try {
      return step(attempt);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      await attempt.settle(error, surroundings.outside, objects);
    }
  }
  throw conflict({ group: '', kind: 'webhooks', name: '' }, 'the state changed whenever a webhook had answered');
}
