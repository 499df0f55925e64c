// One object to be created, and how lists of them are printed.
import { Document, isNode } from 'yaml';
import type { ManifestOptions } from './options.ts';

/** A Kubernetes object with words for whoever reads it. */
export interface Manifest {
  readonly object: KubernetesManifest;
  /** Above the object. */
  readonly comment?: string;
  /** Above parts of it, by their path, such as `rules.0`. */
  readonly comments?: Readonly<Record<string, string>>;
}

export interface KubernetesManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

/** Labels of everything that belongs to the operator itself. */
export function labelsOf({ name }: Pick<ManifestOptions, 'name'>): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'operator' };
}

/** What selects the pods of the operator. */
export const selectorOf = labelsOf;

/** Documents in one text. */
export function yamlOf(manifests: readonly Manifest[]): string {
  return manifests.map(documentOf).join('---\n');
}

/** A `List` that `kubectl apply` takes. */
export function jsonOf(manifests: readonly Manifest[]): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests.map(({ object }) => object) }, null, 2)}\n`;
}

function documentOf({ object, comment, comments = {} }: Manifest): string {
  const document = new Document(object, { aliasDuplicateObjects: false });
  for (const [path, text] of Object.entries(comments)) {
    const node = document.getIn(path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)), true);
    if (isNode(node)) node.commentBefore = ` ${text}`;
  }
  const text = document.toString({ lineWidth: 0 });
  return comment === undefined ? text : `# ${comment}\n${text}`;
}
