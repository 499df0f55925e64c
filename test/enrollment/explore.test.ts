// The ladder, explored over a sink outside of the cluster: whatever kills the operator, and whenever, the sink ends with
// exactly one entry for each member.
import { expect, test } from 'vitest';
import enrollment from '@pawl/procedures-enrollment';
import { explorationText, exploreCatalog, fakeExternal, type Invariant } from '@pawl/testkit';

type Tags = Readonly<Record<string, string>>;
interface Instance {
  readonly ID: string;
  readonly LogicalID?: string;
  readonly Tags: Tags;
  readonly Properties?: unknown;
}
interface SinkState {
  made: number;
  entries: Instance[];
}

/** It makes no second entry for the same attempt, as a plugin should. */
const sink = fakeExternal<SinkState>('plugins', { made: 0, entries: [] }, (state) => ({
  reads: {
    describeGroup: () => Promise.reject(new Error('no group')),
    describeInstances: (_plugin: string, tags: Tags) =>
      Promise.resolve(
        structuredClone(
          state.entries.filter(({ Tags }) => Object.entries(tags).every(([name, value]) => Tags[name] === value)),
        ),
      ),
  },
  effects: {
    provision: (_plugin: string, spec: Omit<Instance, 'ID'>) => {
      const known = state.entries.find(({ LogicalID }) => LogicalID !== undefined && LogicalID === spec.LogicalID);
      if (known !== undefined) return Promise.resolve(known.ID);
      const ID = `i${(state.made += 1)}`;
      state.entries.push(structuredClone({ ID, ...spec }));
      return Promise.resolve(ID);
    },
    label: (_plugin: string, id: string, tags: Tags) => {
      state.entries = state.entries.map((entry) =>
        entry.ID === id ? { ...entry, Tags: { ...entry.Tags, ...tags } } : entry,
      );
      return Promise.resolve();
    },
    destroy: (_plugin: string, id: string) => {
      state.entries = state.entries.filter(({ ID }) => ID !== id);
      return Promise.resolve();
    },
  },
}));

const disks = {
  apiVersion: 'enrollment.pawl.dev/v1alpha1',
  kind: 'Enrollment',
  metadata: { name: 'disks', namespace: 'default' },
  spec: {
    source: { static: [{ id: 'h1' }, { id: 'h2' }, { id: 'h3' }] },
    sink: { plugin: { name: 'nfs' } },
    deletionPolicy: 'Delete',
  },
} as const;

type Enrolled = typeof disks & {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
};

const sourceOf = (entry: Instance): string => entry.Tags['infrakit.enrollment.sourceID'] ?? entry.ID;

const neverTwice: Invariant = {
  name: 'no member has two entries',
  faults: ({ externals }) => {
    const { entries } = externals['plugins'] as SinkState;
    const ids = entries.map(sourceOf);
    return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} has two entries`);
  },
};

const inStep: Invariant = {
  name: 'the sink has exactly the members',
  when: 'in the end',
  faults: ({ objects, externals }) => {
    const found = (externals['plugins'] as SinkState).entries.map(sourceOf).toSorted().join();
    const enrollments = objects.filter(({ kind }) => kind === 'Enrollment') as unknown as readonly Enrolled[];
    // One that is held back for good reason says so, and promises nothing.
    if (
      !enrollments.every(({ status }) =>
        status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
      )
    )
      return [];
    const wanted = enrollments
      .flatMap(({ spec }) => spec.source.static.map(({ id }) => id))
      .toSorted()
      .join();
    return found === wanted ? [] : [`the sink has ${found || 'nothing'}, the source ${wanted || 'nothing'}`];
  },
};

test('no kill and no failed request leaves a sink wrong', async () => {
  const result = await exploreCatalog(enrollment, {
    objects: [disks],
    edits: [{ spec: { source: { static: [{ id: 'h2' }, { id: 'h3' }, { id: 'h4' }] } } }],
    fakes: [sink],
    invariants: [neverTwice, inStep],
    modes: ['install', 'upgrade', 'interrupted', 'rollback', 'teardown', 'edit', 'requests'],
    budgetMs: 20_000,
  });
  expect(result.failures.slice(0, 2), explorationText(result)).toEqual([]);
  expect(result.crashPoints).toBeGreaterThan(20);
}, 60_000);
