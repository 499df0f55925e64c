// What a real cluster does not do that has to be done: told to people, for it is no fault of the program.

/** Thrown with what the cluster, or an operator on it, could not be brought to. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly faults: readonly string[];

  constructor(says: string) {
    super(says);
    this.faults = [says];
  }
}
