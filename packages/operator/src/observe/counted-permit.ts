// The permit to write, with what it has to do counted.
import type { WritePermit } from '../controller/guard.ts';
import type { Metrics } from './metrics.ts';

/** The same permit; how long somebody has to wait until it has settled is measured. */
export function meteredPermit({ assert, settled, settlesInMs }: WritePermit, metrics: Metrics): WritePermit {
  return {
    assert,
    settled,
    settlesInMs: () => {
      const ms = settlesInMs();
      metrics.settleWaited(ms);
      return ms;
    },
  };
}

/** The last guard of a client. Each refusal is counted and thrown on: those above it should have stopped the change. */
export function countedAssert({ assert }: Pick<WritePermit, 'assert'>, metrics: Metrics): () => void {
  return () => {
    try {
      assert();
    } catch (error) {
      metrics.mutationRefused('NotLeading');
      throw error;
    }
  };
}
