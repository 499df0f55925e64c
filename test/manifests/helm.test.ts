// The Helm chart, read by Helm itself: it renders what the command prints, and its values reach where they should.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { succeed } from '../kubectl/run.ts';
import { tools } from '../kubectl/tools.ts';
import { generate, NAMESPACE, objectsIn, type Printed } from './generate.ts';

let folder: string;
let helm: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-helm-'));
  ({ helm } = await tools());
  await generate('--helm', join(folder, 'chart'), '--monitoring');
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const rendered = async (flags = ''): Promise<readonly Printed[]> =>
  objectsIn(await succeed(helm, `template web chart --namespace ${NAMESPACE} ${flags}`, { folder })).filter((object) => object !== null);

/** In one order, and without the annotation by which Helm leaves the kinds alone. */
const comparable = (objects: readonly Printed[]): readonly Printed[] =>
  objects
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => {
      const { annotations: _, ...metadata } = object.metadata as Printed['metadata'] & { readonly annotations?: unknown };
      return { ...object, metadata };
    })
    .toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));

describe('the chart', () => {
  test('renders what the command prints', async () => {
    expect(comparable(await rendered('--set monitoring=true'))).toEqual(comparable(objectsIn(await generate('--monitoring'))));
  }, 30_000);

  test('is found sound by helm lint', async () => {
    expect(await succeed(helm, 'lint chart --strict', { folder })).toContain('0 chart(s) failed');
  }, 30_000);

  test('leaves the kinds alone when it is removed', async () => {
    const crds = (await rendered()).filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(crds.map(({ metadata }) => metadata)).toMatchObject([{ annotations: { 'helm.sh/resource-policy': 'keep' } }]);
  }, 30_000);

  test('takes image, replicas and resources from its values', async () => {
    const objects = await rendered('--set image=other:3.0.0,replicas=1,crds=false,resources.limits.memory=1Gi');
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual(
      ['ClusterRole', 'ClusterRoleBinding', 'Deployment', 'Role', 'RoleBinding', 'ServiceAccount'],
    );
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    const text = JSON.stringify(deployment);
    expect(deployment?.['spec']).toMatchObject({ replicas: 1 });
    expect(text).toContain('"image":"other:3.0.0"');
    expect(text).toContain('{"name":"PAWL_RELEASE","value":"other:3.0.0"}');
    expect(text).toContain('"limits":{"memory":"1Gi"}');
  }, 30_000);
});
