// What a plugin can do: InfraKit's Instance and Group interfaces, as far as enrolling needs them.
import { defineExternal } from '@pawl/reconciler';

type Texts = Readonly<Record<string, string>>;

/** What a plugin tells of one instance: a member of a group, or an entry of a sink. */
export interface Description {
  readonly ID: string;
  readonly LogicalID?: string;
  readonly Tags: Texts;
  readonly Properties?: unknown;
}

export interface GroupDescription {
  readonly Instances: readonly Description[];
  readonly Converged: boolean;
}

/** What a new instance shall be. */
export interface InstanceSpec {
  readonly Properties?: unknown;
  readonly Tags: Texts;
  /** The same for every attempt to make one entry: a plugin that knows it makes no second one. */
  readonly LogicalID?: string;
}

/** Why an instance goes. */
export type DestroyReason = 'terminate' | 'rolling_update';

/** A sink. Any call may reject; a rejected `describeInstances` never means that there are none. */
export interface InstancePlugin {
  /** Instances that have all these tags. */
  readonly describeInstances: (tags: Texts) => Promise<readonly Description[]>;
  /** Answers the id of the new instance. */
  readonly provision: (spec: InstanceSpec) => Promise<string>;
  /** Adds or changes tags. */
  readonly label: (id: string, tags: Texts) => Promise<void>;
  /** Resolves also if the instance is gone already. */
  readonly destroy: (id: string, reason: DestroyReason) => Promise<void>;
}

/** A source. Rejects for a group that it does not know. */
export interface GroupPlugin {
  readonly describeGroup: (group: string) => Promise<GroupDescription>;
}

/** One plugin may be both. */
export interface Plugin {
  readonly instance?: InstancePlugin;
  readonly group?: GroupPlugin;
}

/** All plugins of an operator as one external system; the first argument is the name of the plugin, `key` is for people. */
export type PluginCalls = {
  readonly reads: {
    readonly describeGroup: (plugin: string, group: string) => Promise<GroupDescription>;
    readonly describeInstances: (plugin: string, tags: Texts) => Promise<readonly Description[]>;
  };
  readonly effects: {
    readonly provision: (plugin: string, spec: InstanceSpec, key: string) => Promise<string>;
    readonly label: (plugin: string, id: string, tags: Texts, key: string) => Promise<void>;
    readonly destroy: (plugin: string, id: string, reason: DestroyReason, key: string) => Promise<void>;
  };
  readonly describe?: (effect: string, ...input: never[]) => string;
};

export const Plugins = defineExternal<PluginCalls>('plugins');
