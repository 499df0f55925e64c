// A plugin in memory: group and sink at once, that counts its calls and fails when told to.
import type { Description, GroupDescription, InstanceSpec, Plugin } from '../plugins/spi.ts';

type Texts = Readonly<Record<string, string>>;

export class FakePlugin implements Required<Plugin> {
  readonly instances = new Map<string, Description>();
  readonly groups = new Map<string, GroupDescription>();
  /** Every call in order, such as `provision h3`. */
  readonly calls: string[] = [];
  /** Called before each call; what it throws is the answer. */
  before: (call: string) => void | Promise<void> = () => {};
  inFlight = 0;
  mostInFlight = 0;
  #ids = 0;

  /** Calls that change something. */
  get writes(): readonly string[] {
    return this.calls.filter((call) => !call.startsWith('list') && !call.startsWith('group'));
  }

  /** Members of a group by id, with `n` for the number in it. */
  setGroup = (group: string, ids: readonly string[], isConverged = true): void => {
    this.groups.set(group, { Instances: ids.map((ID) => ({ ID, Tags: {} })), Converged: isConverged });
  };

  /** An instance that was there before. */
  put = (ID: string, Tags: Texts = {}, Properties?: unknown): void => {
    this.instances.set(ID, { ID, Tags, ...(Properties === undefined ? {} : { Properties }) });
  };

  readonly instance = {
    describeInstances: (tags: Texts): Promise<readonly Description[]> =>
      this.#call('list', () =>
        [...this.instances.values()].filter(({ Tags }) =>
          Object.entries(tags).every(([name, value]) => Tags[name] === value),
        ),
      ),
    provision: ({ Properties, Tags, LogicalID }: InstanceSpec): Promise<string> =>
      this.#call(`provision ${LogicalID}`, () => {
        const ID = `i${(this.#ids += 1)}`;
        this.instances.set(ID, {
          ID,
          Tags: { ...Tags },
          Properties,
          ...(LogicalID === undefined ? {} : { LogicalID }),
        });
        return ID;
      }),
    label: (id: string, tags: Texts): Promise<void> =>
      this.#call(`label ${id}`, () => {
        const found = this.instances.get(id);
        if (found === undefined) throw new Error(`no instance ${id}`);
        this.instances.set(id, { ...found, Tags: { ...found.Tags, ...tags } });
      }),
    destroy: (id: string, reason: string): Promise<void> =>
      this.#call(`destroy ${id} ${reason}`, () => void this.instances.delete(id)),
  };

  readonly group = {
    describeGroup: (group: string): Promise<GroupDescription> =>
      this.#call(`group ${group}`, () => {
        const found = this.groups.get(group);
        if (found === undefined) throw new Error(`no group ${group}`);
        return found;
      }),
  };

  async #call<T>(call: string, run: () => T): Promise<T> {
    this.calls.push(call);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      await Promise.resolve();
      await this.before(call);
      return run();
    } finally {
      this.inFlight -= 1;
    }
  }
}
