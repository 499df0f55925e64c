// All plugins of one operator: those of the program, and those that its configuration names by address.
import type { Clock, PackageEnvironment } from '@pawl/reconciler';
import { httpPlugin } from './http-plugin.ts';
import type { Fetch } from './json-rpc.ts';
import type { GroupPlugin, InstancePlugin, Plugin, PluginCalls } from './spi.ts';

/** How a plugin behind HTTP is configured. */
export interface PluginAddress {
  readonly url: string;
  /** Default 15000. */
  readonly timeoutMs?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type PluginsByName = Readonly<Record<string, Plugin>>;

const TIMEOUT_MS = 15_000;

/**
 * The calls of the external system `plugins`.
 *
 * @param own plugins in process, by name; they win over configured ones
 * @throws Error naming every fault of the configuration
 */
export function pluginCalls(
  own: PluginsByName,
  { config, clock }: Pick<PackageEnvironment, 'config' | 'clock'>,
  fetch: Fetch,
): PluginCalls {
  const plugins = new Map<string, Plugin>([...configured(config, clock, fetch), ...Object.entries(own)]);
  const named = (name: string): Plugin => {
    const plugin = plugins.get(name);
    if (plugin === undefined)
      throw new Error(`plugin ${name} is not configured; configured are ${[...plugins.keys()].join(', ') || 'none'}`);
    return plugin;
  };
  const instanceOf = (name: string): InstancePlugin => {
    const { instance } = named(name);
    if (instance === undefined) throw new Error(`plugin ${name} is no sink: it knows no instances`);
    return instance;
  };
  const groupOf = (name: string): GroupPlugin => {
    const { group } = named(name);
    if (group === undefined) throw new Error(`plugin ${name} is no source: it knows no groups`);
    return group;
  };
  return {
    reads: {
      describeGroup: async (plugin, group) => groupOf(plugin).describeGroup(group),
      describeInstances: async (plugin, tags) => instanceOf(plugin).describeInstances(tags),
    },
    effects: {
      provision: async (plugin, spec) => instanceOf(plugin).provision(spec),
      label: async (plugin, id, tags) => instanceOf(plugin).label(id, tags),
      destroy: async (plugin, id, reason) => instanceOf(plugin).destroy(id, reason),
    },
    // Name of the plugin first, key of the entry last.
    describe: (_effect: string, ...input: readonly unknown[]) => `${String(input[0])}: ${String(input.at(-1))}`,
  };
}

function configured(config: unknown, clock: Clock, fetch: Fetch): readonly (readonly [string, Plugin])[] {
  if (config === undefined) return [];
  if (!isFields(config))
    throw new Error(
      `external.plugins: found ${JSON.stringify(config)}; allowed is a mapping of names to { url, timeoutMs, type, headers }`,
    );
  const faults: string[] = [];
  const plugins = Object.entries(config).map(([name, address]) => {
    if (!isAddress(address)) {
      faults.push(
        `external.plugins.${name}: found ${JSON.stringify(address)}; allowed is { url: http://..., timeoutMs?: milliseconds, type?: text, headers?: mapping }`,
      );
      return [name, {}] as const;
    }
    const { url, timeoutMs = TIMEOUT_MS, type, headers } = address;
    const optional = { ...(type === undefined ? {} : { type }), ...(headers === undefined ? {} : { headers }) };
    return [name, httpPlugin({ url, timeoutMs, clock, fetch, ...optional })] as const;
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return plugins;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isAddress(value: unknown): value is PluginAddress {
  if (!isFields(value)) return false;
  const { url, timeoutMs, type, headers } = value;
  return (
    typeof url === 'string' &&
    /^https?:\/\/\S+$/.test(url) &&
    (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)) &&
    (type === undefined || typeof type === 'string') &&
    (headers === undefined || isFields(headers))
  );
}
