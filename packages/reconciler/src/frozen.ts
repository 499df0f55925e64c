// What is worked out of something that cannot change any more is worked out once.

/**
 * The same function, which remembers its answer for each input that is frozen. What is frozen counts as frozen to the
 * bottom, as objects of a cache and answers of a server are. The answers are shared: nobody may change them.
 */
export function oncePerFrozen<I extends object, O>(make: (input: I) => O): (input: I) => O {
  const known = new WeakMap<I, { readonly answer: O }>();
  return (input) => {
    const kept = known.get(input);
    if (kept !== undefined) return kept.answer;
    const answer = make(input);
    if (Object.isFrozen(input)) known.set(input, { answer });
    return answer;
  };
}
