// Writes to the owned objects: at once, or by a deposed leader whenever they arrive.
import type { Model } from './model.ts';
import type { Contents, State } from './state.ts';

/** A write that is sent now and arrives later; only one may be under way. */
export function sentLate(state: State, place: number, to: number, expected: number | undefined): State | undefined {
  return state.late === undefined ? { ...state, late: { place, to, expected }, verified: undefined } : undefined;
}

/** A late write arrives. */
export function landed(model: Model, state: State): State {
  const { late: write } = state;
  if (write === undefined) return state;
  const isMet = write.expected === undefined || state.contents[write.place] === write.expected;
  const contents = isMet ? put(state.contents, write.place, write.to) : state.contents;
  return { ...state, contents, late: undefined, ...remembered(model, state) };
}

/** The contents with another one at a place. */
export const put = (contents: Contents, place: number, content: number): Contents => contents.with(place, content);

/** What a stale cache will show from now on. */
export function remembered(model: Model, { contents }: State): Pick<State, 'earlier'> {
  return { earlier: model.options.profile.stale === true ? contents : undefined };
}
