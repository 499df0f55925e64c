// `pawl manifests` for the website example: as text, and as objects.
import { nodePorts, runProgram } from '@pawl/cli';
import { parseAllDocuments } from 'yaml';
import { RELEASE_2 } from '../e2e/operator-child.ts';

/** An object as it was printed. */
export interface Printed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** A rule of a role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export const IMAGE = 'registry.example/website:2.0.0';
export const NAMESPACE = 'web-system';

/** What the command prints for the second release. @throws with what it says if it fails */
export async function generate(...flags: readonly string[]): Promise<string> {
  let output = '';
  let errors = '';
  const real = nodePorts();
  const ports = {
    ...real,
    terminal: { ...real.terminal, write: (text: string) => void (output += text) },
    writeError: (text: string) => void (errors += text),
  };
  const args = ['manifests', '--package', RELEASE_2, '--image', IMAGE, '--namespace', NAMESPACE, ...flags];
  if ((await runProgram(args, ports, 0)) !== 0) throw new Error(errors);
  return output;
}

/** The objects in a text of YAML documents. */
export function objectsIn(text: string): readonly Printed[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Printed);
}

/** Path of an object's collection, and of itself below it. */
export function collectionOf({ apiVersion, kind, metadata }: Printed): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = kind === 'NetworkPolicy' ? 'networkpolicies' : `${kind.toLowerCase()}s`;
  return metadata.namespace === undefined ? `${group}/${plural}` : `${group}/namespaces/${metadata.namespace}/${plural}`;
}
