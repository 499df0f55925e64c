// How a request waits for somebody outside: it is thrown out with a question, and run again when the answer is there.
import type { KubeObject } from '../json.ts';
import type { Outside } from './outside.ts';

/** Something that a request must know from outside before it can go on. */
export interface Question {
  /** Equal questions have equal keys. */
  readonly key: string;
  /**
   * Asks. What it resolves to is the answer; a StatusError that it throws fails the request.
   *
   * @param more what else may be asked in the same message, for questions about stored objects
   */
  readonly ask: (outside: Outside, more: readonly KubeObject[]) => Promise<unknown>;
}

/** Thrown where a request cannot go on without answers. Nothing is committed before it. */
export class Unanswered extends Error {
  readonly questions: readonly Question[];

  constructor(questions: readonly Question[]) {
    super('the request waits for an answer from outside');
    this.name = 'Unanswered';
    this.questions = questions;
  }
}
