// A request that may have to be run several times: what it was told and what it drew stays the same in each run.
import type { Clock, Random } from '../ports.ts';
import type { Outside } from './outside.ts';
import { Unanswered, type Question } from './unanswered.ts';

/**
 * The memory of one request. Time stands still for it and chance repeats itself, so that a run after an answer asks the
 * same questions as the run before, unless the stored state changed: then it asks anew.
 */
export class Attempt {
  readonly clock: Clock;
  readonly random: Random;
  readonly #answers = new Map<string, unknown>();
  readonly #drawn: (string | Uint8Array)[] = [];
  #position = 0;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    const startedAt = clock.now();
    this.clock = { now: () => startedAt, setTimer: clock.setTimer };
    this.random = {
      uuid: () => this.#draw(() => random.uuid()) as string,
      bytes: (length) => this.#draw(() => random.bytes(length)) as Uint8Array,
    };
  }

  /** To be called before each run. */
  begin(): void {
    this.#position = 0;
  }

  /**
   * The answers to all questions.
   *
   * @throws Unanswered with those that have none yet.
   */
  answers(questions: readonly Question[]): readonly unknown[] {
    const open = questions.filter(({ key }) => !this.#answers.has(key));
    if (open.length > 0) throw new Unanswered(open);
    return questions.map(({ key }) => this.#answers.get(key));
  }

  /** Asks what a run could not go on without. */
  async settle({ questions }: Unanswered, outside: Outside, more: Parameters<Question['ask']>[1]): Promise<void> {
    await Promise.all(
      questions.map(async (question) => {
        this.#answers.set(question.key, await question.ask(outside, more));
      }),
    );
  }

  #draw(fresh: () => string | Uint8Array): string | Uint8Array {
    const position = this.#position++;
    return (this.#drawn[position] ??= fresh());
  }
}
