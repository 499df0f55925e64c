import { describe, expect, it } from 'vitest';
import { differences } from './differences.ts';

const content = (data: string, metadata: object = {}): Record<string, unknown> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'hello', namespace: 'default', ...metadata },
  data: { page: data },
});

describe('the comparison with a fresh install', () => {
  it('finds nothing where only identity, history and stamps differ', () => {
    const old = content('a', {
      uid: '1',
      resourceVersion: '40',
      annotations: { 'procedures.pawl.dev/version': '1.0.0', 'deployment.kubernetes.io/revision': '3' },
      labels: { 'procedures.pawl.dev/owner': 'x' },
    });
    expect(differences([{ ...old, status: { seen: 3 } }], [content('a', { uid: '2' })])).toEqual([]);
  });

  it('names the first field that differs', () => {
    expect(differences([content('a')], [content('b')])).toEqual([
      'ConfigMap default/hello: data.page is "a", expected "b"',
    ]);
  });

  it('sees a field or a label that is there too much', () => {
    expect(differences([{ ...content('a'), immutable: true }], [content('a')])).toEqual([
      'ConfigMap default/hello: immutable is true, expected absent',
    ]);
    expect(differences([content('a', { labels: { old: 'x' } })], [content('a')])).toHaveLength(1);
  });

  it('looks into lists', () => {
    const ports = (port: number): Record<string, unknown> => ({
      kind: 'Service',
      metadata: { name: 's' },
      spec: { clusterIP: `10.0.0.${port}`, ports: [{ port }] },
    });
    expect(differences([ports(80)], [ports(81)])).toEqual(['Service s: spec.ports[0].port is 80, expected 81']);
    expect(differences([ports(80)], [ports(80)])).toEqual([]);
  });

  it('names what is missing and what was left behind', () => {
    const other = content('a', { name: 'other' });
    expect(differences([content('a')], [other])).toEqual([
      'ConfigMap default/other: missing',
      'ConfigMap default/hello: left behind',
    ]);
  });
});
