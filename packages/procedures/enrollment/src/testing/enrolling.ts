// One Enrollment under test: in a memory cluster, with a plugin named `nfs`, one cycle at a time.
import type { ActionOutcome, CycleResult, Procedure } from '@pawl/reconciler';
import { FakeClock, TestObject, type MemoryCluster } from '@pawl/reconciler/testing';
import type { Enrollment, EnrollmentSpec } from '../api.ts';
import type { Context } from '../context.ts';
import { pluginCalls } from '../plugins/plugin-set.ts';
import { FakePlugin } from './fake-plugin.ts';

const KINDS = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Pod' },
  { apiVersion: 'v1', kind: 'Node', namespaced: false },
];

export class Enrolling {
  readonly plugin: FakePlugin;
  readonly test: TestObject<Enrollment>;

  constructor(
    spec: EnrollmentSpec,
    parts: { readonly plugin?: FakePlugin; readonly cluster?: MemoryCluster; readonly name?: string } = {},
  ) {
    const { plugin = new FakePlugin(), cluster, name = 'nfs' } = parts;
    this.plugin = plugin;
    const clock = new FakeClock(Date.UTC(2026, 0, 1));
    const externals = new Map([
      [
        'plugins',
        pluginCalls({ nfs: plugin }, { config: undefined, clock }, () => Promise.reject(new Error('no network'))),
      ],
    ]);
    const openKinds = new Map([
      ['SourceMember', KINDS],
      ['SinkEntry', KINDS],
    ]);
    const object = {
      apiVersion: 'enrollment.pawl.dev/v1alpha1',
      kind: 'Enrollment',
      metadata: { name, namespace: 'default' },
      spec,
    } as const;
    this.test = new TestObject<Enrollment>(object, {
      clock,
      externals,
      openKinds,
      ...(cluster === undefined ? {} : { cluster }),
    });
  }

  get cluster(): MemoryCluster {
    return this.test.cluster;
  }

  /** The own part of the status. */
  get status(): NonNullable<Enrollment['status']> {
    return this.test.object.status ?? {};
  }

  /** Cycles until nothing more is asked for at once: as the runtime goes on after a change. */
  sync = async (procedure: Procedure<Context>, most = 10): Promise<CycleResult> => {
    let result = await this.test.cycle(procedure);
    for (let count = 1; count < most && (result.requeueAfterMs === 0 || result.changes.length > 0); count += 1)
      result = await this.test.cycle(procedure);
    return result;
  };

  /** Changes the spec as a user would. */
  edit = (spec: Partial<EnrollmentSpec>): void => this.test.change({ spec: { ...this.test.object.spec, ...spec } });

  /** Annotates the object as a user would. */
  annotate = (annotations: Readonly<Record<string, string>>): void =>
    this.test.change({ metadata: { ...this.test.object.metadata, annotations } });

  /** Names of the objects of a kind. */
  names = (kind = 'ConfigMap'): readonly string[] =>
    this.cluster
      .all()
      .flatMap((object) => (object.kind === kind ? [object.metadata.name] : []))
      .sort();

  /** Keys that the plugin's instances were made for. */
  enrolled = (): readonly string[] =>
    [...this.plugin.instances.values()].map(({ Tags }) => Tags['infrakit.enrollment.sourceID'] ?? '?').sort();
}

/** What an Action answered, as one text. */
export function said(result: CycleResult, name: string): string {
  const outcome: ActionOutcome | undefined = result.outcomes.get(name);
  return outcome === undefined ? 'absent' : `${outcome.result.status} ${outcome.result.reason}`;
}

export const members = (...ids: readonly string[]): EnrollmentSpec['source'] => ({ static: ids.map((id) => ({ id })) });
export const intoPlugin: EnrollmentSpec['sink'] = { plugin: { name: 'nfs' } };
export const intoConfigMaps: EnrollmentSpec['sink'] = {
  template: { apiVersion: 'v1', kind: 'ConfigMap' },
  properties: { data: { host: '{{ id }}' } },
};
