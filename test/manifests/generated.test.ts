// What `pawl manifests` prints for the example, as files to be read in a review.
import { describe, expect, test } from 'vitest';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, IMAGE, objectsIn, type Printed, type Rule } from './generate.ts';

const kinds = (text: string): readonly string[] => objectsIn(text).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const rulesOf = (objects: readonly Printed[]): readonly string[] =>
  objects.flatMap(({ kind, metadata, rules }) =>
    ((rules ?? []) as readonly Rule[]).map(
      ({ apiGroups, resources, verbs, resourceNames = [] }) =>
        `${kind} ${metadata.namespace ?? '*'}: ${[...apiGroups, ...resources].join('/')} ${[...resourceNames, ...verbs].join(' ')}`,
    ),
  );

describe('for the example', () => {
  test('everything is as reviewed', async () => {
    await expect(await generate('--monitoring')).toMatchFileSnapshot('website.expected.yaml');
  });

  test('the way to take it away is as reviewed', async () => {
    await expect(await generate('--uninstall')).toMatchFileSnapshot('uninstall.expected.sh');
  });

  test('health checks for Argo CD are as reviewed', async () => {
    await expect(await generate('--argocd-health')).toMatchFileSnapshot('argocd.expected.yaml');
  });
});

describe('the parts', () => {
  test('can be asked for one by one, and are the whole together', async () => {
    const parts = await Promise.all(['crds', 'rbac', 'deployment'].map((part) => generate('--only', part)));
    expect(kinds(await generate())).toEqual(['Namespace web-system', ...parts.flatMap(kinds)]);
  });

  test('are a List in JSON', async () => {
    const list = JSON.parse(await generate('--output', 'json')) as { readonly kind: string; readonly items: readonly Printed[] };
    expect(list.kind).toBe('List');
    expect(list.items).toEqual(objectsIn(await generate()));
  });

  test('limited to namespaces, hold no right beyond them but where Events about definitions go', async () => {
    expect(rulesOf(objectsIn(await generate('--only', 'rbac', '--watch-namespace', 'shop')))).toEqual([
      'Role shop: example.pawl.dev/websites get list watch patch',
      'Role shop: example.pawl.dev/websites/status patch',
      'Role shop: /configmaps get list watch create patch delete',
      'Role shop: apps/deployments get list watch create patch delete',
      'Role shop: /services get list watch create patch delete',
      'Role shop: events.k8s.io/events create patch',
      'Role web-system: coordination.k8s.io/leases get create',
      'Role web-system: coordination.k8s.io/leases pawl-website patch',
      'Role web-system: events.k8s.io/events create patch',
      'Role default: events.k8s.io/events create patch',
    ]);
  });

  test('follow the settings of a file: its namespaces are Roles, its selectors go along into the pod', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-settings-'));
    try {
      const file = join(folder, 'pawl.yaml');
      await writeFile(file, 'namespaces: [shop]\nlabelSelector: tier=web\nclientQps: 50\n');
      const objects = objectsIn(await generate('--config', file));
      expect(objects.filter(({ kind }) => kind === 'ClusterRole')).toEqual([]);
      expect(rulesOf(objects)).toContain('Role shop: example.pawl.dev/websites get list watch patch');
      const settings = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'website-config');
      expect(settings).toMatchObject({ data: { 'config.yaml': 'labelSelector: tier=web\nclientQps: 50\n' } });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('tell of every fault of the flags at once', async () => {
    const told = generate('--only', 'all', '--kustomize', '--output', 'xml', '--helm', 'x', '--uninstall').catch((error: Error) => error.message);
    expect(await told).toBe(
      [
        'error: --only: found "all"; allowed are crds, rbac, deployment',
        'error: --output: found "xml"; allowed are yaml and json',
        'error: --kustomize: found without --out; allowed is --out DIR --kustomize',
        'error: --helm, --uninstall: found together; allowed is one of them',
        '',
      ].join('\n'),
    );
  });

  test('are written into a folder, with a kustomization and a Dockerfile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-manifests-'));
    try {
      await generate('--out', join(folder, 'deploy'), '--kustomize', '--monitoring');
      expect(await readFile(join(folder, 'deploy', 'kustomization.yaml'), 'utf8')).toBe(
        [
          'apiVersion: kustomize.config.k8s.io/v1beta1',
          'kind: Kustomization',
          'resources:',
          ...['namespace', 'crds', 'rbac', 'deployment', 'monitoring'].map((part) => `  - ${part}.yaml`),
          '',
        ].join('\n'),
      );
      expect(await readFile(join(folder, 'deploy', 'Dockerfile'), 'utf8')).toMatch(/\nUSER 65532:65532\nENTRYPOINT \["node"/);
      expect(await readFile(join(folder, 'deploy', 'deployment.yaml'), 'utf8')).toContain(`image: ${IMAGE}`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
