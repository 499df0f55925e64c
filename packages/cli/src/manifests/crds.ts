// The kinds of the packages, as the API server learns them.
import type { Manifest } from './manifest.ts';
import type { ManifestOptions } from './options.ts';

/** One CustomResourceDefinition for each kind. */
export function crdsOf({ packages }: Pick<ManifestOptions, 'packages'>): readonly Manifest[] {
  return packages.flatMap(({ crds }) =>
    crds.map(({ metadata, spec }) => ({
      object: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec },
    })),
  );
}

/** Names such as `websites.example.pawl.dev`. */
export const crdNames = ({ packages }: Pick<ManifestOptions, 'packages'>): readonly string[] =>
  packages.flatMap(({ crds }) => crds.map(({ metadata }) => metadata.name));
