// An API server in process with actors on it and a clock that is moved by hand, for tests.
import { createApiServer, type ApiServer } from '../../create-api-server.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import { manualClock, type ManualClock } from '../../testing/manual-clock.ts';
import type { ActorOptions, Actors } from '../start.ts';
import { startActors } from '../start.ts';

/** A server, its actors, and short ways to use both. */
export interface World {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  readonly actors: Actors;
  /** Faults that the actors met. */
  readonly errors: readonly string[];
  /** Sends a request; the body of the answer. Throws with the server's message on a refusal. */
  readonly send: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<JsonObject>;
  /** The object, or undefined if there is none. */
  readonly find: (path: string) => Promise<JsonObject | undefined>;
  /** The status of an object that is there. */
  readonly status: (path: string) => Promise<JsonObject>;
  /** The items of a list. */
  readonly list: (path: string) => Promise<readonly KubeObject[]>;
  /** Moves the clock and waits until the actors are idle. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a server with actors on it, and waits until they are idle. */
export async function startWorld(
  options: Partial<ActorOptions> = {},
  server?: ApiServer,
  clock = manualClock(),
): Promise<World> {
  const api = server ?? createApiServer({ clock });
  const errors: string[] = [];
  const onError: ActorOptions['onError'] = (actor, key, error) => {
    errors.push(`${actor} ${key}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const actors = startActors(api, { clock, onError, ...options });
  const request = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: JsonObject }> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { 'user-agent': 'test', 'content-type': type };
    const response = await api.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
    return { status: response.status, body: isObject(response.body) ? response.body : {} };
  };
  const send: World['send'] = async (method, path, body) => {
    const answer = await request(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body['message'])}`);
    return answer.body;
  };
  await actors.idle();
  return {
    server: api,
    clock,
    actors,
    errors,
    send,
    find: async (path) => {
      const answer = await request('GET', path);
      return answer.status === 404 ? undefined : answer.body;
    },
    status: async (path) => {
      const { status } = await send('GET', path);
      return isObject(status) ? status : {};
    },
    list: async (path) => (await send('GET', path))['items'] as unknown as readonly KubeObject[],
    pass: async (ms) => {
      clock.advance(ms);
      await actors.idle();
    },
    close: async () => {
      await actors.stop();
      api.close();
    },
  };
}
