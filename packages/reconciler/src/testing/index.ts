// Doubles and shortcuts for an author's unit tests, and the measure of the engine's own cost.
export { engineCostPerAction } from './engine-cost.ts';
export { FakeClock } from './fake-clock.ts';
export { MemoryCluster } from './memory-cluster.ts';
export { runAction } from './run-action.ts';
export { TestObject } from './test-object.ts';
export type { TestObjectParts } from './test-object.ts';
