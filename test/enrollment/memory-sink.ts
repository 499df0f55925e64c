// A plugin of a test: entries and groups in memory, slow, down or full when the test says so.
import type { Description, Plugin } from '@pawl/procedures-enrollment';
import type { Clock } from '@pawl/reconciler';

type Tags = Readonly<Record<string, string>>;

export class MemorySink {
  readonly instances = new Map<string, Description>();
  readonly groups = new Map<string, readonly string[]>();
  readonly calls: string[] = [];
  /** Members that no entry can be made for. */
  readonly failing = new Set<string>();
  isDown = false;
  delayMs = 0;
  readonly #clock: Clock;
  #ids = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get writes(): readonly string[] {
    return this.calls.filter((call) => !call.startsWith('list') && !call.startsWith('group'));
  }

  put = (ID: string, { Tags }: { readonly Tags: Tags }): void => void this.instances.set(ID, { ID, Tags });

  readonly plugin: Required<Plugin> = {
    group: {
      describeGroup: (group) =>
        this.#call(`group ${group}`, () => {
          const ids = this.groups.get(group);
          if (ids === undefined) throw new Error(`no group ${group}`);
          return { Instances: ids.map((ID) => ({ ID, Tags: {} })), Converged: true };
        }),
    },
    instance: {
      describeInstances: (tags) =>
        this.#call('list', () =>
          [...this.instances.values()].filter(({ Tags }) =>
            Object.entries(tags).every(([name, value]) => Tags[name] === value),
          ),
        ),
      provision: ({ Tags, Properties, LogicalID = '' }) =>
        this.#call(`provision ${LogicalID}`, () => {
          const member = Tags['infrakit.enrollment.sourceID'] ?? '';
          if (this.failing.has(member)) throw new Error(`no room for ${member}`);
          const ID = `i${(this.#ids += 1)}`;
          this.instances.set(ID, { ID, LogicalID, Tags, Properties });
          return ID;
        }),
      label: (id, tags) =>
        this.#call(`label ${id}`, () => {
          const found = this.instances.get(id);
          if (found !== undefined) this.instances.set(id, { ...found, Tags: { ...found.Tags, ...tags } });
        }),
      destroy: (id) => this.#call(`destroy ${id}`, () => void this.instances.delete(id)),
    },
  };

  async #call<T>(call: string, run: () => T): Promise<T> {
    this.calls.push(call);
    if (this.delayMs > 0) await new Promise<void>((resolve) => void this.#clock.setTimer(this.delayMs, resolve));
    if (this.isDown) throw new Error('the sink is down');
    return run();
  }
}
