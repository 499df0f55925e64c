// What `pawl manifests` is told, validated: every fault at once.
import type { OperatorConfig } from '@pawl/operator';
import type { ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { InputError } from '../input-error.ts';

/** Texts as they were typed. */
export interface ManifestFlags {
  readonly package?: readonly string[];
  readonly config?: string;
  readonly image?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly watchNamespace?: readonly string[];
  readonly release?: string;
  readonly replicas?: string;
  readonly runbookUrl?: string;
  readonly only?: string;
  readonly monitoring?: boolean;
  readonly argocdHealth?: boolean;
  readonly uninstall?: boolean;
  readonly out?: string;
  readonly kustomize?: boolean;
  readonly helm?: string;
  readonly output?: string;
}

export const PARTS = ['crds', 'rbac', 'deployment'] as const;
export type Part = (typeof PARTS)[number];

/** Everything that manifests are made from. */
export interface ManifestOptions {
  readonly packages: readonly ProcedurePackage[];
  readonly openKinds: OperatorConfig['openKinds'];
  /** Name of the operator, and of everything that is created for it. */
  readonly name: string;
  /** Where the operator itself runs. */
  readonly namespace: string;
  /** Namespaces whose objects it reconciles; undefined: all. */
  readonly watched: readonly string[] | undefined;
  readonly image: string;
  /** How records name this release. */
  readonly release: string;
  readonly replicas: number;
  /** Settings from a configuration file that the image does not carry. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where the runbook can be read; reasons are anchors in it. */
  readonly runbookUrl: string;
  readonly monitoring: boolean;
}

const NAME = /^[a-z]([-a-z0-9]{0,51}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const IMAGE = /^[\w.:/@-]{1,500}$/;
const RUNBOOK_URL = 'https://pawl.dev/docs/runbook';
/** Settings of a file that say where the packages and the API server are: inside of a pod they are elsewhere. */
const OUTSIDE: ReadonlySet<string> = new Set(['procedures', 'server', 'kubeconfig', 'context']);

/**
 * Options from flags and the operator's configuration file.
 * @param needsImage whether what is asked for names an image
 * @throws {InputError} with every fault
 */
export function manifestOptions(
  flags: ManifestFlags,
  packages: readonly ProcedurePackage[],
  file: Readonly<Record<string, unknown>>,
  needsImage: boolean,
): ManifestOptions {
  const faults: string[] = [];
  const name = flags.name ?? textOf(file['operatorName']) ?? packages[0]?.name ?? '';
  const { namespace = name, image = '', replicas = '2', runbookUrl = RUNBOOK_URL } = flags;
  const release = flags.release ?? textOf(file['release']) ?? image.slice(-200);
  const watched = flags.watchNamespace ?? listOf(file['namespaces']);
  if (!NAME.test(name)) faults.push(`--name: found "${name}"; allowed are lower-case letters, digits and '-', at most 53 characters`);
  if (!NAMESPACE.test(namespace)) faults.push(`--namespace: found "${namespace}"; allowed is the name of a namespace`);
  for (const each of watched ?? [])
    if (!NAMESPACE.test(each)) faults.push(`--watch-namespace: found "${each}"; allowed is the name of a namespace`);
  if (needsImage && image === '') faults.push('--image: found nothing; allowed is the image of the operator, with its tag');
  if (image !== '' && !IMAGE.test(image)) faults.push(`--image: found "${image}"; allowed is an image such as registry.example/web:1.2.0`);
  if (release.length > 200) faults.push(`--release: found ${release.length} characters; allowed is a text of at most 200`);
  if (!/^[1-9]\d?$/.test(replicas)) faults.push(`--replicas: found "${replicas}"; allowed is a whole number from 1 to 99`);
  if (!URL.canParse(runbookUrl)) faults.push(`--runbook-url: found "${runbookUrl}"; allowed is a URL`);
  if (faults.length > 0) throw new InputError(faults);
  return {
    packages,
    openKinds: (file['openKinds'] ?? {}) as ManifestOptions['openKinds'],
    name,
    namespace,
    watched,
    image,
    release,
    replicas: Number(replicas),
    settings: Object.fromEntries(Object.entries(file).filter(([field]) => !OUTSIDE.has(field))),
    runbookUrl,
    monitoring: flags.monitoring === true,
  };
}

/** Faults of flags that exclude or need each other. */
export function flagFaults({ only, out, kustomize, helm, uninstall, argocdHealth, output }: ManifestFlags): readonly string[] {
  const faults: string[] = [];
  if (only !== undefined && !(PARTS as readonly string[]).includes(only))
    faults.push(`--only: found "${only}"; allowed are ${PARTS.join(', ')}`);
  if (output !== undefined && output !== 'json' && output !== 'yaml')
    faults.push(`--output: found "${output}"; allowed are yaml and json`);
  if (kustomize === true && out === undefined) faults.push('--kustomize: found without --out; allowed is --out DIR --kustomize');
  const alone = Object.entries({ '--out': out, '--helm': helm, '--uninstall': uninstall, '--argocd-health': argocdHealth })
    .filter(([, value]) => value !== undefined)
    .map(([flag]) => flag);
  if (alone.length > 1) faults.push(`${alone.join(', ')}: found together; allowed is one of them`);
  return faults;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);
