// Entry point of the test kit: exploring procedure packages.
export type { CheckName, Invariant, InvariantState, Violation } from './checks/check.ts';
export { DEFAULT_MODES, exploreCatalog } from './explore/explore.ts';
export type { EdgeCoverage, Exploration, ExploreOptions, Failure, Progress } from './explore/explore.ts';
export { MODES } from './explore/job.ts';
export type { ModeName } from './explore/job.ts';
export type { Deed, Plan, Turn } from './explore/plan.ts';
export { describePlan } from './explore/plan.ts';
export type { Mask } from './explore/state.ts';
export type { Release, SubjectOptions } from './explore/subject.ts';
export { fakeExternal } from './world/external-fake.ts';
export type { ExternalFake } from './world/external-fake.ts';
export { describeFault } from './world/faults.ts';
export type { Fault, RequestFailure, WatchFailure } from './world/faults.ts';
