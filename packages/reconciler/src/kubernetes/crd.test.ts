// The definition of a kind, from the schema of its spec.
import { expect, test } from 'vitest';
import { crdFor } from './crd.ts';
import type { CustomResource } from './model.ts';
import { defineResource } from './resource.ts';

interface Website extends CustomResource<'example.pawl.dev/v1alpha1', 'Website', { readonly html: string }> {}
const Websites = defineResource<Website>({
  apiVersion: 'example.pawl.dev/v1alpha1',
  kind: 'Website',
  plural: 'websites',
});
const spec = { type: 'object', required: ['html'], properties: { html: { type: 'string' } } };

test('a spec is all that an author writes', () => {
  const crd = crdFor(Websites, { spec, shortNames: ['web'] });
  const [version] = crd.spec.versions;
  expect(crd.metadata).toEqual({ name: 'websites.example.pawl.dev' });
  expect(crd.spec).toMatchObject({
    group: 'example.pawl.dev',
    scope: 'Namespaced',
    names: { kind: 'Website', listKind: 'WebsiteList', plural: 'websites', singular: 'website', shortNames: ['web'] },
  });
  expect(version).toMatchObject({ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } });
  expect(version?.additionalPrinterColumns?.map(({ name }) => name)).toEqual([
    'Ready',
    'Version',
    'Status',
    'Summary',
    'Age',
  ]);
  const schema = version?.schema?.openAPIV3Schema;
  expect(schema?.required).toEqual(['spec']);
  expect(Object.keys(schema?.properties?.['spec']?.properties ?? {})).toEqual(['html', 'procedure']);
  expect(Object.keys(schema?.properties?.['spec']?.properties?.['procedure']?.properties ?? {})).toEqual([
    'version',
    'policy',
    'paused',
  ]);
});

test('an object that no operator has seen is not ready', () => {
  const schema = crdFor(Websites, { spec }).spec.versions[0]?.schema?.openAPIV3Schema;
  expect(schema?.properties?.['status']?.default).toEqual({
    conditions: [
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'WaitingForOperator',
        message: 'waiting for the operator',
        lastTransitionTime: '1970-01-01T00:00:00Z',
      },
    ],
  });
});

test('the schema drops nothing of a record that a newer operator wrote', () => {
  const status = crdFor(Websites, { spec }).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['status'];
  expect(status?.properties?.['procedure']).toEqual({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
});

test('own status fields and columns stand beside those of the framework', () => {
  const [version] = crdFor(Websites, {
    spec,
    status: { url: { type: 'string' } },
    printerColumns: [{ name: 'Url', type: 'string', jsonPath: '.status.url' }],
  }).spec.versions;
  const status = version?.schema?.openAPIV3Schema?.properties?.['status'];
  expect(Object.keys(status?.properties ?? {})).toEqual([
    'url',
    'observedGeneration',
    'verifiedGeneration',
    'procedure',
    'actions',
    'conditions',
  ]);
  expect(version?.additionalPrinterColumns?.map(({ name }) => name)).toEqual([
    'Ready',
    'Version',
    'Status',
    'Url',
    'Summary',
    'Age',
  ]);
});

test('names of the framework are refused', () => {
  expect(() => crdFor(Websites, { spec: { type: 'object', properties: { procedure: {} } } })).toThrow(
    'crdFor(Website): spec.procedure belongs to the framework',
  );
  expect(() => crdFor(Websites, { spec, status: { conditions: {} } })).toThrow(
    'crdFor(Website): status.conditions belongs to the framework',
  );
  expect(() => crdFor(Websites, { spec: { type: 'string' } })).toThrow('must have type object, found "string"');
});
