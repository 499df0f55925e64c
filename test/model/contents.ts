// Writes to the owned objects: at once, or by a deposed leader whenever they arrive.
import type { Model } from './model.ts';
import { lateKeyOf, type Contents, type State } from './state.ts';

/** A write that is sent now and arrives later; only so many may be under way, each of them another one. */
export function sentLate(
  model: Model,
  state: State,
  { place, to, expected }: { readonly place: number; readonly to: number; readonly expected: number | undefined },
): State | undefined {
  const write = { place, to, expected };
  const isKnown = state.late.some((other) => lateKeyOf(other) === lateKeyOf(write));
  if (isKnown || state.late.length >= model.lateWrites) return undefined;
  const late = [...state.late, write].sort((a, b) => (lateKeyOf(a) < lateKeyOf(b) ? -1 : 1));
  return { ...state, late, verified: undefined };
}

/** One of the late writes arrives. */
export function landed(model: Model, state: State, index = 0): State {
  const write = state.late[index];
  if (write === undefined) return state;
  const isMet = write.expected === undefined || state.contents[write.place] === write.expected;
  const contents = isMet ? put(state.contents, write.place, write.to) : state.contents;
  return { ...state, contents, late: state.late.toSpliced(index, 1), ...remembered(model, state) };
}

/** The contents with another one at a place. */
export const put = (contents: Contents, place: number, content: number): Contents => contents.with(place, content);

/** What a stale cache will show from now on. */
export function remembered(model: Model, { contents }: State): Pick<State, 'earlier'> {
  return { earlier: model.options.profile.stale === true ? contents : undefined };
}
