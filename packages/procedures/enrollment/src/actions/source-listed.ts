// The members, as the source tells them. An error is an error, never an empty source.
import { done, pending } from '@pawl/reconciler';
import type { KubernetesObject, Selector } from '@pawl/reconciler/kubernetes';
import { SourceMembers, type SelectorSource, type StaticMember } from '../api.ts';
import { hasCondition } from '../condition.ts';
import { defineAction } from '../context.ts';
import type { Member } from '../delta/member.ts';
import { membersOf } from '../delta/selected.ts';
import { Plugins, type Description } from '../plugins/spi.ts';
import { notPaused, optionsValid } from './options-valid.ts';
import { unavailable } from './outage.ts';

export const sourceListed = defineAction({
  name: 'SourceListed',
  requires: { options: optionsValid, active: notPaused },
  reads: { members: SourceMembers },
  external: { plugins: Plugins.readOnly },
  run: async (context, { options: { source, syncIntervalMs } }) => {
    const { cluster, external } = context;
    try {
      const { selector, plugin } = source;
      if (selector !== undefined) {
        const objects = await cluster.members(selector).list(selectionOf(selector));
        return done<readonly Member[]>(
          objects.filter(isReadyFor(selector)).flatMap((object) => membersOf(object, selector)),
        );
      }
      if (plugin === undefined) return done<readonly Member[]>((source.static ?? []).map(ofStatic));
      const { Instances, Converged } = await external.plugins.describeGroup(plugin.name, plugin.group);
      if (plugin.waitForConverged === true && !Converged)
        return pending('SourceNotConverged', `group ${plugin.group} of plugin ${plugin.name} is being changed`, {
          requeueAfterMs: syncIntervalMs,
        });
      return done<readonly Member[]>(Instances.map(ofDescription));
    } catch (error) {
      return unavailable('SourceListed', 'SourceUnavailable', error, context);
    }
  },
});

function ofStatic(origin: StaticMember): Member {
  const { id, logicalID, tags = {}, properties = {} } = origin;
  return { id, logicalID, tags, properties, origin };
}

function ofDescription({ ID, LogicalID, Tags, Properties = {} }: Description): Member {
  return { id: ID, logicalID: LogicalID, tags: Tags, properties: Properties };
}

function selectionOf({ namespace, labelSelector, fieldSelector }: SelectorSource): Selector {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labels: labelSelector }),
    ...(fieldSelector === undefined ? {} : { fields: fieldSelector }),
  };
}

/** What is being deleted is not ready any more, whatever its conditions say. */
const isReadyFor =
  ({ readyCondition }: SelectorSource) =>
  (object: KubernetesObject): boolean =>
    readyCondition === undefined ||
    (object.metadata.deletionTimestamp === undefined && hasCondition(object, readyCondition));
