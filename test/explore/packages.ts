// How each procedure package of this repository is explored: its samples, edits and settings, and what its versions left.
import website from '@pawl/example-website';
import enrollment from '@pawl/procedures-enrollment';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { readStartStates, type ExploreOptions } from '@pawl/testkit';
import { fileURLToPath } from 'node:url';

export interface Explored {
  /** The folder, from the root of the repository. */
  readonly folder: string;
  readonly package: ProcedurePackage;
  /** For `npm test`: the smallest that shows everything. */
  readonly options: ExploreOptions;
  /** For a release: more objects, more edits. */
  readonly whole: ExploreOptions;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What released versions left in clusters, as files. */
const recordedIn = (folder: string) => readStartStates(`${root}${folder}/recorded`);

const hello = {
  apiVersion: 'example.pawl.dev/v1alpha1',
  kind: 'Website',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { replicas: 2, html: '<h1>Hello</h1>' },
};
const otherText = { spec: { html: '<h1>Other</h1>' } };
const otherMembers = { spec: { source: { static: [{ id: 'h2', properties: { iops: 25 } }, { id: 'h3', properties: { iops: 30 } }] } } };
const otherData = { spec: { sink: { properties: { data: { host: 'host {{ id }}' } } } } };
const enrolling = {
  config: { openKinds: { SinkEntry: [{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }] } },
  mayTouch: [{ path: 'liquidjs', why: 'it limits how long a template may render' }],
};

export const websites: Explored = {
  folder: 'examples/website',
  package: website,
  options: { objects: [hello], edits: [otherText], recorded: await recordedIn('examples/website') },
  whole: {
    objects: [hello, { ...hello, metadata: { ...hello.metadata, name: 'other' } }],
    edits: [otherText, { spec: { replicas: 3 } }],
    recorded: await recordedIn('examples/website'),
  },
};

export const enrollments: Explored = {
  folder: 'packages/procedures/enrollment',
  package: enrollment,
  options: { ...enrolling, edits: [otherMembers], recorded: await recordedIn('packages/procedures/enrollment') },
  whole: { ...enrolling, edits: [otherMembers, otherData], recorded: await recordedIn('packages/procedures/enrollment') },
};

/** All that there are: a test compares them with the folders. */
export const allPackages: readonly Explored[] = [websites, enrollments];
