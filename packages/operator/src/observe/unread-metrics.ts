// What is counted where nobody can read it: nothing. An operator without a port for its health has no `/metrics` either.
import type { ServedMetrics } from './health-server.ts';
import { noMetrics, type Metrics } from './metrics.ts';

/** What an operator counts, and how it is read. */
export type OperatorMetrics = Metrics & ServedMetrics;

export const unreadMetrics: OperatorMetrics = Object.freeze({
  ...noMetrics,
  contentType: 'text/plain; charset=utf-8',
  text: () => Promise.resolve(''),
});
