// helm installs, upgrades, rolls back and uninstalls a chart.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';

const CHART = `apiVersion: v2
name: site
version: 0.1.0
`;
const TEMPLATE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: { app: {{ .Release.Name }} }
  template:
    metadata:
      labels: { app: {{ .Release.Name }} }
    spec:
      containers: [{ name: main, image: "{{ .Values.image }}" }]
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { app: {{ .Release.Name }} }
  ports: [{ port: 80 }]
---
{{- if .Values.config }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data: { mode: {{ .Values.config }} }
{{- end }}
`;
const VALUES = `replicas: 2
image: site:1
config: plain
`;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ podReadyAfterMs: 20 });
  await mkdir(join(cluster.folder, 'chart', 'templates'), { recursive: true });
  await writeFile(join(cluster.folder, 'chart', 'Chart.yaml'), CHART);
  await writeFile(join(cluster.folder, 'chart', 'values.yaml'), VALUES);
  await writeFile(join(cluster.folder, 'chart', 'templates', 'all.yaml'), TEMPLATE);
});
afterAll(() => cluster.close());

const images = (): Promise<string> =>
  cluster.kubectl("get pods -l app=shop -o jsonpath='{.items[*].spec.containers[*].image}'");

it('installs, and waits until everything is ready', async () => {
  expect(await cluster.helm('install shop ./chart --wait --timeout 30s')).toContain('STATUS: deployed');
  expect(await images()).toBe('site:1 site:1');
  expect(await cluster.helm('status shop')).toContain('REVISION: 1');
});

it('upgrades, and removes what the chart no longer has', async () => {
  await cluster.helm('upgrade shop ./chart --set image=site:2,config= --wait --timeout 30s');
  expect(await images()).toBe('site:2 site:2');
  expect((await cluster.tryKubectl('get configmap shop')).code).toBe(1);
});

it('rolls back', async () => {
  await cluster.helm('rollback shop 1 --wait --timeout 30s');
  expect(await images()).toBe('site:1 site:1');
  expect((await cluster.tryKubectl('get configmap shop')).code).toBe(0);
  expect(await cluster.helm('history shop')).toMatch(/Rollback to 1/);
});

it('uninstalls without a trace', async () => {
  await cluster.helm('uninstall shop --wait --timeout 30s');
  expect(await cluster.kubectl('get deployment,service,configmap,secret -o name')).toBe('');
});
