// Doubles and shortcuts for an author's unit tests.
export { FakeClock } from './fake-clock.ts';
export { MemoryCluster } from './memory-cluster.ts';
export { runAction } from './run-action.ts';
export { TestObject } from './test-object.ts';
export type { TestObjectParts } from './test-object.ts';
export { TestOperator } from './test-operator.ts';
export type { TestRecord } from './test-operator.ts';
