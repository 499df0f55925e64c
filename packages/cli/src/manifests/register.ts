// `pawl manifests` on the command line.
import type { Command } from 'commander';
import { collected } from '../flags.ts';
import type { Ports } from '../ports.ts';
import type { ManifestFlags } from './options.ts';

const EXAMPLES = `
Examples:
  pawl manifests --package ./web.js --image registry.example/web:1.2.0 | kubectl apply --server-side -f -
  pawl manifests --package ./web.js --only crds | kubectl apply --server-side -f -
  pawl manifests --package ./web.js --image registry.example/web:1.2.0 --monitoring --out deploy --kustomize
  pawl manifests --package ./web.js --uninstall > uninstall.sh
`;

/** Adds `manifests`, for releases. */
export function addManifestsCommand(program: Command, ports: Ports, exits: (code: number) => void): void {
  program
    .command('manifests')
    .description('print what a cluster needs to run the operator: kinds, permissions, Deployment')
    .option('--package <name or path>', 'procedure package of the operator; may be repeated', collected)
    .option('--config <file>', "the operator's configuration file: packages, open kinds, settings")
    .option('--image <image>', 'image of the operator, with its tag')
    .option('--name <name>', 'name of the operator (default: of the first package)')
    .option('--namespace <name>', 'where the operator runs (default: its name)')
    .option('--watch-namespace <name>', 'namespace whose objects it reconciles; may be repeated (default: all)', collected)
    .option('--release <text>', 'how records name this release (default: the image)')
    .option('--replicas <count>', 'how many processes run, of which one acts (default: 2)')
    .option('--only <part>', 'crds, rbac or deployment')
    .option('--monitoring', 'also a ServiceMonitor, alerts and a Grafana dashboard')
    .option('--runbook-url <url>', 'where your copy of docs/runbook.md is read; alerts lead to it')
    .option('--argocd-health', 'print health checks for Argo CD')
    .option('--uninstall', 'print a script that takes everything away, objects first')
    .option('--out <folder>', 'write files, and a Dockerfile, instead of printing')
    .option('--kustomize', 'with --out: also a kustomization.yaml')
    .option('--helm <folder>', 'write a Helm chart')
    .option('-o, --output <format>', 'yaml or json')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ManifestFlags) => {
      const { runManifests } = await import('./run-manifests.ts');
      exits(await runManifests(flags, ports));
    });
}
