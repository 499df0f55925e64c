// An Action of a version, as people name it.

/** An Action of a version. */
export interface ActionName {
  readonly action: string;
  readonly version: string;
}

/** Such as `Action PodsReady of 2.0.0`. */
export const nameOfAction = ({ action, version }: ActionName): string => `Action ${action} of ${version}`;
