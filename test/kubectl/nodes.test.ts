// kubectl on nodes: they are shown, cordoned, drained within a disruption budget, and put back.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';
import { daemonSet, deployment } from './manifests.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ podReadyAfterMs: 20 });
  for (const name of ['alpha', 'beta']) {
    await cluster.kubectl('create -f -', {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name } }),
    });
  }
  await cluster.kubectl('wait --for=condition=Ready node/alpha node/beta --timeout=20s');
  await cluster.kubectl('apply -f -', { input: daemonSet() });
  await cluster.kubectl('rollout status daemonset/agent --timeout=20s');
  await cluster.kubectl('apply -f -', { input: deployment('web:1', 2) });
  // A pod that names its node needs no scheduler.
  await cluster.kubectl(`patch deployment web -p '{"spec":{"template":{"spec":{"nodeName":"alpha"}}}}'`);
  await cluster.kubectl('rollout status deployment/web --timeout=20s');
});
afterAll(() => cluster.close());

const names = (app: string): Promise<string> => cluster.kubectl(`get pods -l app=${app} -o name`);

describe('kubectl', () => {
  it('shows nodes, and a pod of the DaemonSet on each', async () => {
    expect(await cluster.kubectl('get nodes')).toMatch(/^alpha +Ready/m);
    const nodes = await cluster.kubectl("get pods -l app=agent -o jsonpath='{.items[*].spec.nodeName}'");
    expect(nodes.split(' ').toSorted()).toEqual(['alpha', 'beta']);
    const onBeta = await cluster.kubectl('get pods --field-selector spec.nodeName=beta -o name');
    expect(onBeta).toMatch(/^pod\/agent-\w+\n$/);
  });

  it('cordons and uncordons', async () => {
    await cluster.kubectl('cordon alpha');
    expect(await cluster.kubectl('get node alpha')).toContain('Ready,SchedulingDisabled');
    await cluster.kubectl('uncordon alpha');
    expect(await cluster.kubectl('get node alpha')).not.toContain('SchedulingDisabled');
  });

  it('drains a node, one pod after the other, as the budget allows', async () => {
    await cluster.kubectl('create pdb web --selector=app=web --min-available=1');
    await cluster.kubectl("wait pdb/web --for=jsonpath='{.status.disruptionsAllowed}'=1 --timeout=20s");
    const before = await names('web');
    const agents = await names('agent');
    await cluster.kubectl('drain alpha --ignore-daemonsets --timeout=50s');
    await cluster.kubectl('rollout status deployment/web --timeout=20s');
    const after = await names('web');
    expect(after.split('\n').filter((name) => name !== '' && before.includes(name))).toEqual([]);
    expect(await names('agent')).toBe(agents);
    await cluster.kubectl('uncordon alpha');
  });
});
