// How the server spells values that it takes over in another form, such as quantities: `1000m` of CPU comes back as `1`.
// What was sent can only be compared with what is there by what came back when it was sent.
import { canonicalJson } from '@pawl/reconciler';

type Fields = Readonly<Record<string, unknown>>;
interface Spelled {
  readonly content: string;
  readonly answer: string;
}

/** The answers to the claims of one owner, as long as the process lives: after a restart each is sent once more. */
export class Spellings {
  readonly #known = new Map<string, Spelled>();

  /** The server answered `answer` to `fields`, sent to `place`. */
  learn = (place: string, fields: Fields, answer: object): void => {
    this.#known.set(place, { content: canonicalJson(fields), answer: canonicalJson(partOf(answer, fields)) });
  };

  /** Whether `object` holds exactly what the server made of `fields` when they were sent last. */
  holds = (place: string, fields: Fields, object: object): boolean => {
    const known = this.#known.get(place);
    return known !== undefined && known.content === canonicalJson(fields) && known.answer === canonicalJson(partOf(object, fields));
  };
}

/** Those fields of `whole` that `fields` has; an array is taken whole. */
function partOf(whole: unknown, fields: unknown): unknown {
  if (!isFields(fields) || !isFields(whole)) return whole ?? null;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, partOf(whole[name], value)]));
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
