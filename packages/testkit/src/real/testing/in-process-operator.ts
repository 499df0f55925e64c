// Operators in this process that reach their server over HTTP, and are killed by taking connections and timers from them.
import { connect, createLogger, createOperator, operatorConfig, systemClock, systemRandom } from '@pawl/operator';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import type { RealPorts } from '../ports.ts';
import { releaseOf } from '../release-module.ts';

/** Starts operators of a package's releases. */
export function inProcessOperators(whole: ProcedurePackage): RealPorts['startOperator'] {
  return async ({ server, kind, release, config }) => {
    const lines: string[] = [];
    const ended = Promise.withResolvers<string>();
    let isAlive = true;
    const clock = {
      ...systemClock,
      setTimer: (ms: number, callback: () => void) => systemClock.setTimer(ms, () => (isAlive ? callback() : undefined)),
    };
    const transport = await connect({ server }, { environment: {}, homeDirectory: '/', clock: systemClock });
    const log = createLogger({ level: 'info', bindings: {}, destination: { write: (line: string) => void lines.push(line) } });
    const operator = createOperator(operatorConfig(config), [releaseOf(whole, kind, release)], { transport, clock, random: systemRandom, log });
    operator.start().catch(() => {});
    return {
      kill: () => {
        isAlive = false;
        void transport.close();
        ended.resolve('SIGKILL');
      },
      ended: ended.promise,
      log: () => Promise.resolve(lines.join('')),
    };
  };
}
