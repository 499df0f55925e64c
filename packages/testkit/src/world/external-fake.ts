// Stand-ins for external systems: their state is plain data, so that it can be copied with a snapshot.
import type { BoundExternal, ExternalApi } from '@pawl/reconciler';
import type { FaultyTransport } from './faulty-transport.ts';

/** A stand-in for an external system. */
export interface ExternalFake {
  /** The key that the system was declared with. */
  readonly key: string;
  /** How the system is found by the first operator: JSON data, copied for each run. */
  readonly initial: object;
  /** The calls over a state, which effects change in place. They must not keep anything else. */
  readonly create: (state: never) => ExternalApi;
}

/**
 * A stand-in for an external system.
 *
 * @param key the key that the system was declared with
 * @param initial JSON data
 * @param create makes the calls; effects change the state in place
 */
export function fakeExternal<State extends object>(
  key: string,
  initial: State,
  create: (state: State) => ExternalApi,
): ExternalFake {
  return { key, initial, create };
}

/** The binding of one process: effects count as writes, and a process that was killed makes no calls. */
export function bindFor(bound: BoundExternal, fake: ExternalFake | undefined, state: object, transport: FaultyTransport): BoundExternal {
  return {
    key: bound.key,
    create: (environment) => {
      const api = fake === undefined ? bound.create(environment) : fake.create(state as never);
      const guarded = (isEffect: boolean) => ([call, method]: readonly [string, (...args: never[]) => Promise<unknown>]) =>
        [
          call,
          (...args: never[]) => transport.external({ system: bound.key, call, args, isEffect, run: () => method(...args) }),
        ] as const;
      return {
        reads: Object.fromEntries(Object.entries(api.reads).map(guarded(false))),
        effects: Object.fromEntries(Object.entries(api.effects).map(guarded(true))),
      };
    },
  };
}
