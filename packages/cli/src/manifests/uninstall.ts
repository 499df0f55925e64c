// Taking an operator away in the order that leaves nothing behind: its objects while it can still take them down, then
// the operator, then the kinds.
import { groupOf, leaseName } from '@pawl/reconciler/kubernetes';
import { crdNames } from './crds.ts';
import { namespaceOf } from './deployment.ts';
import { rbacOf } from './rbac.ts';
import type { ManifestOptions } from './options.ts';

/** A shell script that stops at the first thing that does not go. */
export function uninstallScript(options: ManifestOptions): string {
  const { packages, name, namespace, watched } = options;
  const kinds = packages.flatMap(({ kinds: catalogs }) => catalogs.map(({ resource }) => resource));
  const roles = rbacOf(options).map(({ object: { kind, metadata } }) => ({ kind: kind.toLowerCase(), ...metadata }));
  const remove = (what: string, where?: string): string =>
    `kubectl delete ${what}${where === undefined ? '' : ` -n ${where}`} --ignore-not-found`;
  // Children before their parents would be created anew.
  const objects = kinds.toSorted((a, b) => Number(isChild(a.kind, options)) - Number(isChild(b.kind, options)));
  return [
    '#!/bin/sh',
    `# Takes operator ${name} away. Everything that it manages is deleted. Objects go first, while the operator can take`,
    '# them down; if that does not end, see what their status says: kubectl describe.',
    'set -eu',
    '',
    '# 1. The objects, and with them what they own.',
    ...objects.flatMap(({ plural, apiVersion, namespaced }) =>
      (namespaced ? (watched ?? ['--all-namespaces']) : ['']).map((where) =>
        `kubectl delete ${plural}.${groupOf(apiVersion)} --all ${where.startsWith('--') || where === '' ? where : `-n ${where}`} --wait --timeout=30m`.replaceAll('  ', ' '),
      ),
    ),
    '',
    '# 2. The operator.',
    remove(`deployment/${name} poddisruptionbudget/${name} service/${name}-metrics configmap/${name}-config configmap/${name}-dashboard`, namespace),
    remove(`lease/${leaseName(name)}`, namespace),
    ...roles.map(({ kind, name: role, namespace: where }) => remove(`${kind}/${role}`, where)),
    '# Only where the Prometheus operator is installed:',
    `# ${remove(`servicemonitor/${name} prometheusrule/${name}`, namespace)}`,
    '',
    '# 3. The kinds.',
    ...crdNames(options).map((crd) => remove(`crd/${crd}`)),
    ...namespaceOf(options).map(({ object: { metadata } }) => `# The namespace, if nothing else is in it:\n# ${remove(`namespace/${metadata.name}`)}`),
    '',
  ].join('\n');
}

const isChild = (kind: string, { packages }: ManifestOptions): boolean =>
  packages.some(({ kinds }) => kinds.some(({ resource, parent }) => resource.kind === kind && parent !== undefined));
