// Entry point of clusters for tests.
export type { ClusterClient, ListOptions, PatchOptions } from './client.ts';
export { diff, type DiffOptions, type Difference, type State } from './diff.ts';
export { ApiRefusal } from './refusal.ts';
export { startCluster, type Cluster, type ClusterOptions, type ClusterSnapshot } from './start.ts';
