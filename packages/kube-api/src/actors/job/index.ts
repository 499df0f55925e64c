// The Job actor.
import type { Actor } from '../base/actor.ts';
import { keyOf } from '../base/kind.ts';
import { controllerKey } from '../base/owners.ts';
import { decideJob } from './decide.ts';

/** Runs Jobs to completion. */
export const jobActor: Actor = {
  name: 'job',
  userAgent: 'kube-controller-manager/pawl (job-controller)',
  watches: {
    'jobs.batch': ({ metadata }) => [keyOf(metadata)],
    pods: (pod) => controllerKey(pod, 'Job'),
  },
  decide: decideJob,
};
