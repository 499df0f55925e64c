// The node actor.
import type { Actor } from '../base/actor.ts';
import { keyOf } from '../base/kind.ts';
import { decideNode } from './decide.ts';

/** Brings nodes up, and taints those that take no pods. */
export const nodeActor: Actor = {
  name: 'node',
  userAgent: 'kube-controller-manager/pawl (node-lifecycle-controller)',
  watches: { nodes: ({ metadata }) => [keyOf(metadata)] },
  decide: decideNode,
};
