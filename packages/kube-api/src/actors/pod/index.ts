// The pod actor.
import type { Actor } from '../base/actor.ts';
import { keyOf } from '../base/kind.ts';
import type { Pod } from '../base/model.ts';
import type { PodOptions } from './behaviour.ts';
import { behaviourOf } from './behaviour.ts';
import { decidePod } from './decide.ts';

/** Starts pods, makes them ready, and ends them. It keeps no state but when it first saw a pod in a stage. */
export function podActor(options: PodOptions): Actor {
  const stages = new Map<string, { readonly stage: string; readonly since: number }>();
  return {
    name: 'pod',
    userAgent: 'kubelet/pawl',
    watches: {
      pods: ({ metadata }) => [keyOf(metadata)],
      nodes: (node, cluster) =>
        cluster
          .list('pods')
          .filter(({ spec }) => spec?.nodeName === undefined || spec.nodeName === node.metadata.name)
          .map(({ metadata }) => keyOf(metadata)),
    },
    decide: (key, cluster, now) => {
      const since = (pod: Pod, stage: string): number => {
        const known = stages.get(key);
        if (known?.stage === `${pod.metadata.uid}/${stage}`) return known.since;
        stages.set(key, { stage: `${pod.metadata.uid}/${stage}`, since: now });
        return now;
      };
      const decision = decidePod(key, cluster, now, (pod) => behaviourOf(pod, options), since);
      if (decision.steps.length === 0 && decision.againAfterMs === undefined) stages.delete(key);
      return decision;
    },
  };
}
