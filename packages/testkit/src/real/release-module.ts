// A release of the past as a module of its own, which an ordinary operator process loads like any package.
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { subjectsOf, type Release } from '../explore/subject.ts';

export interface ReleaseModule {
  /** Name or path of the whole package. */
  readonly package: string;
  /** Where that is looked up. */
  readonly folder: string;
  /** The kind whose older procedures are left. */
  readonly kind: string;
  readonly release: Release;
}

/** The text of a module whose default export is the package as it was at a release. */
export function releaseModule(module: ReleaseModule): string {
  return [
    `import { releaseOf } from ${JSON.stringify(import.meta.url)};`,
    `import { loadPackages } from ${JSON.stringify(import.meta.resolve('@pawl/operator'))};`,
    `const { package: name, folder, kind, release } = ${JSON.stringify(module)};`,
    'const [whole] = await loadPackages([name], folder);',
    'export default releaseOf(whole, kind, release);',
    '',
  ].join('\n');
}

/** The package as it was when a version of a kind was the newest. */
export function releaseOf(whole: ProcedurePackage, kind: string, release: Release): ProcedurePackage {
  const resource = whole.kinds.find((each) => each.resource.kind === kind)?.resource;
  if (resource === undefined) throw new Error(`kind: found ${kind}; allowed are ${whole.kinds.map((each) => each.resource.kind).join(', ')}`);
  const [subject] = subjectsOf(whole, { objects: [{ apiVersion: resource.apiVersion, kind, metadata: { name: 'any' } }] });
  return subject?.packageOf(release) ?? whole;
}
