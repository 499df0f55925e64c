// A transport whose process dies at a given write: before it reaches the server, or after it took effect.
import type { ApiRequest, Transport } from '../transport/transport.ts';

export interface CrashPlan {
  /** Counted from 1 among the requests that change something. */
  readonly atWrite: number;
  readonly moment: 'before' | 'after';
}

export interface CrashingTransport extends Transport {
  /** Requests that would change something, so far. */
  readonly writes: () => number;
  readonly isDead: () => boolean;
  /** Kills it now. */
  readonly kill: () => void;
}

const isWrite = ({ method, path }: ApiRequest): boolean => method !== 'GET' && !path.includes('dryRun=All');
const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** After the crash nothing is sent and nothing is answered any more, as of a process that was killed. */
export function crashingTransport(inner: Transport, plan?: CrashPlan): CrashingTransport {
  let writes = 0;
  let dead = false;
  return {
    request: async (request) => {
      if (dead) return never();
      const counts = isWrite(request);
      if (counts) writes += 1;
      const crashes = counts && writes === plan?.atWrite;
      if (crashes && plan?.moment === 'before') {
        dead = true;
        return never();
      }
      const answer = await inner.request(request);
      if (crashes) dead = true;
      return dead ? never() : answer;
    },
    watch: async (request) => {
      if (dead) return never();
      const answer = await inner.watch(request);
      return { ...answer, events: aliveOnly(answer.events, () => dead) };
    },
    writes: () => writes,
    isDead: () => dead,
    kill: () => {
      dead = true;
    },
  };
}

async function* aliveOnly<T>(events: AsyncIterable<T>, isDead: () => boolean): AsyncGenerator<T> {
  for await (const event of events) {
    if (isDead()) return;
    yield event;
  }
}
