// A plugin behind HTTP, with the method names and payloads of InfraKit's Instance and Group plugins.
import { fieldsOf, readDescriptions, readGroup, readId } from './answers.ts';
import { jsonRpc, type JsonRpcParts } from './json-rpc.ts';
import type { GroupPlugin, InstancePlugin, Plugin } from './spi.ts';

export interface HttpPluginParts extends JsonRpcParts {
  /** Which of a plugin's types is meant, for plugins with several. Default: none is named. */
  readonly type?: string;
}

/** Source and sink; which of them the plugin is shows when it is asked. */
export function httpPlugin(parts: HttpPluginParts): Required<Plugin> {
  const call = jsonRpc(parts);
  const Type = parts.type ?? '';
  const instance: InstancePlugin = {
    describeInstances: async (Tags) => {
      const answer = await call('Instance.DescribeInstances', { Type, Tags, Properties: true });
      return readDescriptions(fieldsOf(answer, 'result')['Descriptions'], 'Descriptions');
    },
    provision: async (Spec) => readId(fieldsOf(await call('Instance.Provision', { Type, Spec }), 'result')['ID'], 'ID'),
    label: async (Instance, Labels) => assertOk(await call('Instance.Label', { Type, Instance, Labels })),
    destroy: async (Instance, Reason) =>
      assertOk(await call('Instance.Destroy', { Type, Instance, Context: { Reason } })),
  };
  const group: GroupPlugin = {
    describeGroup: async (ID) =>
      readGroup(fieldsOf(await call('Group.DescribeGroup', { ID }), 'result')['Description']),
  };
  return { instance, group };
}

function assertOk(answer: unknown): void {
  if (fieldsOf(answer, 'result')['OK'] !== true) throw new Error('the plugin answered that it did not do it');
}
