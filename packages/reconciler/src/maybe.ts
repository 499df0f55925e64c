// Values that may have to be waited for. A cycle of cached results waits for nothing, and then costs next to nothing.

export type Maybe<T> = T | Promise<T>;

/** Whether a value has to be waited for. */
export function isPending<T>(value: Maybe<T>): value is Promise<T> {
  return value instanceof Promise || (isObject(value) && typeof value['then'] === 'function');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Goes on with a value: at once if it is there. */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return isPending(value) ? Promise.resolve(value).then(next) : next(value);
}

/** All values, at once if they are there. */
export function all<T>(values: readonly Maybe<T>[]): Maybe<readonly T[]> {
  return values.some(isPending) ? Promise.all(values) : (values as readonly T[]);
}
