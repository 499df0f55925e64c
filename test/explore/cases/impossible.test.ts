// What the API does not let an author do wrong: naive procedures that come out right, and calls that are refused.
import { describe, expect, test } from 'vitest';
import { createApiServer } from '@pawl/kube-api';
import { isConflict, KubeClient, operatorConfig, systemClock, systemRandom } from '@pawl/operator';
import { ConfigMaps, leaseName } from '@pawl/reconciler/kubernetes';
import { explorationText, exploreCatalog } from '@pawl/testkit';
import { generate, objectsIn } from '../../manifests/generate.ts';
import { prevented } from './impossible.ts';

describe.each(prevented)('$name', ({ naive, modes, options }) => {
  test('does not happen', async () => {
    const result = await exploreCatalog(naive, { ...options, modes, budgetMs: 20_000 });
    expect(result.failures.length, explorationText(result)).toBe(0);
    expect(result.notRun).toEqual([]);
    expect(result.runs).toBeGreaterThan(3);
  }, 60_000);
});

test('an object of a former incarnation cannot be deleted by its name', async () => {
  const api = createApiServer();
  const client = new KubeClient({ transport: api, clock: systemClock, random: systemRandom, userAgent: 'test' });
  const claim = { metadata: { name: 'claim', namespace: 'default' } };
  const former = await client.create(ConfigMaps, claim);
  await client.remove(ConfigMaps, former.metadata, { uid: former.metadata.uid });
  const living = await client.create(ConfigMaps, claim);
  const refused = await client.remove(ConfigMaps, former.metadata, { uid: former.metadata.uid }).catch((error: unknown) => error);
  expect(isConflict(refused)).toBe(true);
  expect((await client.get(ConfigMaps, living.metadata)).metadata.uid).toBe(living.metadata.uid);
  api.close();
});

test('the Lease of an operator has the same name in every version, and no setting changes it', () => {
  expect(leaseName('web')).toBe('pawl-web');
  expect(() => operatorConfig({ operatorName: 'web', leaseName: 'pawl-web-1-4' } as object)).toThrow(/leaseName: is not a setting/);
});

interface Deployed {
  readonly spec: { readonly replicas: number; readonly template: { readonly spec: { readonly containers: readonly { readonly env: readonly object[] }[] } } };
}

test('the manifests give an operator a Lease, also if there is to be one replica only', async () => {
  for (const replicas of ['1', '2']) {
    const printed = objectsIn(await generate('--replicas', replicas));
    const deployments = printed.filter(({ kind }) => kind === 'Deployment') as unknown as readonly Deployed[];
    expect(deployments.map(({ spec }) => spec.replicas)).toEqual([Number(replicas)]);
    const env = deployments.flatMap(({ spec }) => spec.template.spec.containers.flatMap((container) => container.env));
    expect(env).toContainEqual({ name: 'PAWL_LEASE_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } });
  }
});

test('an object without a name of its own cannot be applied', () => {
  type Name = Parameters<Parameters<typeof applied>[0]['apply']>[0]['metadata']['name'];
  const applied = (maps: { readonly apply: (desired: { readonly metadata: { readonly name: string } }) => void }): void => {
    // @ts-expect-error -- names are not made up by the server
    maps.apply({ metadata: { generateName: 'request-' } });
  };
  const name: Name = 'request';
  expect([typeof applied, name]).toEqual(['function', 'request']);
});
